// Bulk bodies: actions with their metadata, and Elasticsearch's messages for malformed ones.
#include "json/bulk_reader.h"

#include "testing/test.h"

namespace quarry::bulk_reader_test {

std::string error_of(std::string_view body) {
  const Result<BulkBody> result = read_bulk(body);
  return result.ok() ? "ok" : result.status().reason();
}

TEST(BulkReader, ReadsEveryAction) {
  const std::string text =
      "{\"index\":{\"_index\":\"i\",\"_id\":\"1\",\"routing\":\"r\"}}\n{\"a\":1}\n"
      "{ \"create\" : { \"_id\" : 2 } }\r\n{\"a\":2}\r\n"
      "\n  \r\n"
      "{\"delete\":{\"_id\":\"3\",\"if_seq_no\":7,\"if_primary_term\":\"1\"}}\n"
      "{\"update\":{\"_id\":\"\\u0034\",\"retry_on_conflict\":3,\"_source\":[\"a\"]}}\n{\"doc\":{}}"
      "\n"
      "{\"index\":{}}\n{}\n";
  Result<BulkBody> moved = read_bulk(text);
  ASSERT_OK(moved);
  const BulkBody body = std::move(moved).value();
  ASSERT_EQ(body.actions.size(), 5);
  EXPECT_EQ(body.actions[0].index, "i");
  EXPECT_EQ(body.actions[0].routing, "r");
  EXPECT_EQ(body.actions[0].source, "{\"a\":1}");
  EXPECT_EQ(body.actions[1].type, OpType::kCreate);
  EXPECT_EQ(body.actions[1].id, "2");
  EXPECT_FALSE(body.actions[1].has_index);
  EXPECT_EQ(body.actions[1].source, "{\"a\":2}");
  EXPECT_EQ(body.actions[2].if_seq_no.value_or(0), 7);
  EXPECT_EQ(body.actions[2].if_primary_term.value_or(0), 1);
  EXPECT_EQ(body.actions[2].line, 7);
  EXPECT_EQ(body.actions[3].id, "4");
  EXPECT_EQ(body.actions[3].source_filter, "[\"a\"]");
  EXPECT_EQ(body.actions[3].retry_on_conflict, 3);
  EXPECT_FALSE(body.actions[4].has_id);
}

TEST(BulkReader, TakesWhatRealClientsSend) {
  EXPECT_EQ(error_of("{\"index\":{\"_index\":\"i\",\"pipeline\":null,\"_type\":null}}\n{}\n"),
            "ok");
  EXPECT_EQ(error_of("{\"index\":{\"require_alias\":false,\"pipeline\":\"_none\"}}\n{}\n"), "ok");
  EXPECT_EQ(error_of("{\"index\":{\"version\":3,\"version_type\":\"external_gte\"}}\n{}\n"), "ok");
  EXPECT_EQ(error_of("{\"index\":{\"op_type\":\"create\"}}\n{}\n"), "ok");
  EXPECT_EQ(error_of(""), "ok");
  EXPECT_EQ(error_of("\n"), "ok");
  EXPECT_EQ(error_of("{\"index\":{}}\nnot json\n"), "ok");
}

TEST(BulkReader, NamesMalformedLines) {
  EXPECT_EQ(error_of("{\"index\":{}}\n{}"),
            "The bulk request must be terminated by a newline [\\n]");
  EXPECT_EQ(error_of("{\"delete\":{}}\n\n\"x\"\n"),
            "Malformed action/metadata line [3], expected START_OBJECT but found [VALUE_STRING]");
  EXPECT_EQ(error_of("{}\n"),
            "Malformed action/metadata line [1], expected FIELD_NAME but found [END_OBJECT]");
  EXPECT_EQ(error_of("{\"upsert\":{}}\n{}\n"),
            "Malformed action/metadata line [1], expected field [create], [delete], [index] or "
            "[update] but found [upsert]");
  EXPECT_EQ(error_of("{\"index\":5}\n{}\n"),
            "Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT but found "
            "[VALUE_NUMBER]");
  EXPECT_EQ(error_of("{\"index\":{\"_id\":[1]}}\n{}\n"),
            "Malformed action/metadata line [1], expected a simple value for field [_id] but found "
            "[START_ARRAY]");
  EXPECT_TRUE(
      error_of("{\"index\":{}\n{}\n").starts_with("Malformed action/metadata line [1]: [1:"));
  EXPECT_TRUE(error_of("{\"index\":{}}\n").find("the body ends") != std::string::npos);
  EXPECT_EQ(read_bulk("{\"index\"\n").status().type(), ErrorType::kXContentParse);
}

TEST(BulkReader, NamesUnknownParametersAndBadValues) {
  EXPECT_EQ(error_of("{\"update\":{\"_type\":\"t\"}}\n{}\n"),
            "Action/metadata line [1] contains an unknown parameter [_type]");
  EXPECT_EQ(error_of("{\"update\":{\"_routing\":\"t\"}}\n{}\n"),
            "Action/metadata line [1] contains an unknown parameter [_routing]");
  EXPECT_EQ(error_of("{\"index\":{\"if_seq_no\":\"x\"}}\n{}\n"),
            "Action/metadata line [1]: [if_seq_no] must be a whole number, got [x]");
  EXPECT_EQ(error_of("{\"index\":{\"version_type\":\"force\"}}\n{}\n"),
            "No version type match [force]");
}

/// The error of the only line; "ok" if it is valid.
std::string refusal_of(std::string_view body, BulkForm form = {}) {
  const Result<BulkBody> result = read_bulk(body, form);
  if (!result.ok()) return "refused as a whole: " + result.status().reason();
  const BulkAction& action = result->actions.at(0);
  return action.refusal == 0 ? "ok" : result->refusals.at(action.refusal - 1).reason();
}

TEST(BulkReader, RefusesASoundLineAlone) {
  EXPECT_TRUE(
      refusal_of("{\"update\":{\"version\":1}}\n{}\n").starts_with("Update requests do not"));
  EXPECT_EQ(refusal_of("{\"index\":{\"pipeline\":\"p\"}}\n{}\n"),
            "pipeline with id [p] does not exist");
  EXPECT_EQ(refusal_of("{\"index\":{\"require_data_stream\":true}}\n{}\n"),
            "[require_data_stream] is not supported, there are no data streams");
  EXPECT_EQ(refusal_of("{\"index\":{\"require_data_stream\":false}}\n{}\n"), "ok");
  EXPECT_EQ(refusal_of("{\"index\":{\"_source\":true}}\n{}\n"),
            "Action/metadata line [1] contains an unknown parameter [_source]");
  EXPECT_EQ(refusal_of("{\"update\":{\"dynamic_templates\":{\"a\":\"t\"}}}\n{}\n"),
            "[update] in line [1] does not accept dynamic_templates");
}

TEST(BulkReader, IgnoresMembersNextToTheAction) {
  EXPECT_EQ(refusal_of("{\"index\":{},\"attempts\":0}\n{}\n"), "ok");
  EXPECT_EQ(refusal_of("{\"index\":{},\"delete\":{}}\n{}\n"), "ok");  // the first one is the action
  EXPECT_EQ(refusal_of("{\"index\":{\"_id\":\"1\"},\"note\":{\"a\":[1,{}]},\"b\":null}\n{}\n"),
            "ok");
  EXPECT_TRUE(error_of("{\"index\":{},\"attempts\":}\n{}\n").starts_with("Malformed action"));
}

TEST(BulkReader, KeepsTheTemplatesThatALineChooses) {
  const Result<BulkBody> body =
      read_bulk("{\"create\":{\"dynamic_templates\":{\"m.a\":\"gauge\"},\"_id\":\"1\"}}\n{}\n");
  ASSERT_OK(body);
  EXPECT_EQ(body->actions[0].dynamic_templates, "{\"m.a\":\"gauge\"}");
  EXPECT_EQ(body->actions[0].id, "1");
  EXPECT_TRUE(error_of("{\"index\":{\"dynamic_templates\":{\"m.a\":1}}}\n{}\n")
                  .find("the name of a template for field [m.a]") != std::string::npos);
  EXPECT_TRUE(error_of("{\"index\":{\"dynamic_templates\":\"x\"}}\n{}\n")
                  .find("unknown parameter [dynamic_templates]") != std::string::npos);
}

TEST(BulkReader, ReadsTypesWhereTheyAreParameters) {
  EXPECT_EQ(refusal_of("{\"index\":{\"_type\":\"_doc\"}}\n{}\n", BulkForm{true}), "ok");
}

}  // namespace quarry::bulk_reader_test
