// Mappings parsed from JSON and printed: every type, invalid ones with their messages, lookups.
#include "mapping/schema/mapping.h"

#include "testing/test.h"

namespace quarry::mapping_test {

Result<std::shared_ptr<const Mapping>> create(std::string_view json,
                                              std::string_view settings = "") {
  Result<MappingContext> context = make_mapping_context(settings);
  if (!context.ok()) return context.status();
  return Mapping::create(json, std::move(context).value());
}

/// The printed mapping, or the error.
std::string round_trip(std::string_view json, std::string_view settings = "") {
  const auto mapping = create(json, settings);
  return mapping.ok() ? (*mapping)->to_json() : mapping.status().reason();
}
/// The same for one field [f].
std::string field(const std::string& body, std::string_view settings = "") {
  return round_trip(R"({"properties":{"f":)" + body + "}}", settings);
}

TEST(Mapping, PrintsWhatWasSet) {
  EXPECT_EQ(round_trip(""), "{}");
  EXPECT_EQ(round_trip("{}"), "{}");
  EXPECT_EQ(round_trip(R"({"properties":{}})"), "{}");
  EXPECT_EQ(
      round_trip(
          R"({"properties":{"b":{"type":"long","index":true},"a":{"index":"false","type":"keyword"}}})"),
      R"({"properties":{"a":{"type":"keyword","index":false},"b":{"type":"long"}}})");
  EXPECT_EQ(
      round_trip(
          R"({"properties":{"o":{"properties":{"x":{"type":"date"}}},"p":{"type":"object","enabled":false}}})"),
      R"({"properties":{"o":{"properties":{"x":{"type":"date"}}},"p":{"type":"object","enabled":false}}})");
  EXPECT_EQ(round_trip(
                R"({"properties":{"s.t":{"type":"text"},"s":{"properties":{"u":{"type":"ip"}}}}})"),
            R"({"properties":{"s":{"properties":{"t":{"type":"text"},"u":{"type":"ip"}}}}})");
  EXPECT_EQ(
      round_trip(
          R"({"dynamic":"strict","_meta":{"v":1.0},"date_detection":false,"numeric_detection":true,
                           "dynamic_date_formats":["yyyy"],"_routing":{"required":true},"_source":{"enabled":true}})"),
      R"({"dynamic":"strict","_meta":{"v":1.0},"_routing":{"required":true},"dynamic_date_formats":["yyyy"],)"
      R"("date_detection":false,"numeric_detection":true})");
}

TEST(Mapping, TakesEveryParameterOfEveryType) {
  for (
      const char* body : {
          R"({"type":"text","store":true,"norms":false,"term_vector":"with_positions_offsets","analyzer":"whitespace","search_analyzer":"simple","search_quote_analyzer":"standard","similarity":"boolean","position_increment_gap":5,"eager_global_ordinals":true,"index_phrases":true,"index_prefixes":{"min_chars":1,"max_chars":4},"meta":{"unit":"s"}})",
          R"({"type":"keyword","doc_values":false,"store":true,"null_value":"NULL","eager_global_ordinals":true,"ignore_above":256,"norms":true,"similarity":"BM25","meta":{"a":"b"}})",
          R"({"type":"long","index":false,"doc_values":false,"store":true,"ignore_malformed":true,"coerce":false,"null_value":5})",
          R"({"type":"double","null_value":1.5})",
          R"({"type":"scaled_float","scaling_factor":10.0,"coerce":false,"null_value":1})",
          R"({"type":"unsigned_long","ignore_malformed":false,"null_value":18446744073709551615})",
          R"({"type":"boolean","null_value":true,"ignore_malformed":true})",
          R"({"type":"date","format":"yyyy/MM/dd||epoch_millis","null_value":"2020/01/01","ignore_malformed":true})",
          R"({"type":"ip","null_value":"::1"})",
          R"({"type":"binary","store":true,"doc_values":true})",
          R"({"type":"flattened","depth_limit":3,"null_value":"x","ignore_above":9})",
          R"({"type":"text","index":false})",
          R"({"type":"object","dynamic":"false"})",
          R"({"type":"text","index_options":"docs","fields":{"raw":{"type":"keyword"}},"copy_to":["g"]})",
      }) {
    EXPECT_EQ(field(body), R"({"properties":{"f":)" + std::string(body) + "}}");
  }
}

TEST(Mapping, LeavesOutDefaults) {
  EXPECT_EQ(
      field(
          R"({"type":"text","norms":true,"index_options":"positions","fielddata":false,"analyzer":"default"})"),
      R"({"properties":{"f":{"type":"text"}}})");
  EXPECT_EQ(field(R"({"type":"date","format":"strict_date_optional_time||epoch_millis"})"),
            R"({"properties":{"f":{"type":"date"}}})");
  EXPECT_EQ(field(R"({"type":"long","coerce":true})"),
            R"({"properties":{"f":{"type":"long","coerce":true}}})");
  EXPECT_EQ(
      field(R"({"type":"text","search_analyzer":"simple"})"),
      R"({"properties":{"f":{"type":"text","analyzer":"default","search_analyzer":"simple"}}})");
}

TEST(Mapping, RefusesByName) {
  EXPECT_EQ(field(R"({"type":"text","doc_values":true})"),
            "unknown parameter [doc_values] on mapper [f] of type [text]");
  EXPECT_EQ(field(R"({"type":"foo"})"), "No handler for type [foo] declared on field [f]");
  EXPECT_EQ(field(R"({"type":"join"})"), "Field [f] has type [join], which is not supported");
  EXPECT_EQ(field(R"({"type":"percolator"})"),
            "Field [f] has type [percolator], which is not supported");
  EXPECT_EQ(field(R"({"type":"flattened_keyed"})"),
            "No handler for type [flattened_keyed] declared on field [f]");
  EXPECT_EQ(field(R"({"index":true})"), "No type specified for field [f]");
  EXPECT_EQ(field(R"("text")"), "Expected map for property [f] but got \"text\"");
  EXPECT_EQ(field(R"({"type":"object","x":1})"),
            "Mapping definition for [f] has unsupported parameters:  [x : 1]");
  EXPECT_EQ(round_trip(R"({"foo":1})"),
            "Root mapping definition has unsupported parameters:  [foo : 1]");
  EXPECT_EQ(field(R"({"type":"text","analyzer":"nope"})"),
            "analyzer [nope] has not been configured in mappings");
  EXPECT_EQ(field(R"({"type":"keyword","normalizer":"nope"})"),
            "normalizer [nope] not found for field [f]");
  EXPECT_EQ(field(R"({"type":"text","similarity":"nope"})"),
            "Unknown Similarity type [nope] for field [f]");
  EXPECT_EQ(field(R"({"type":"text","analyzer":null})"),
            "[analyzer] on mapper [f] of type [text] must not have a [null] value");
  EXPECT_EQ(field(R"({"type":"text","index_options":"all"})"),
            "Unknown value [all] for field [index_options] - accepted values are [positions, docs, "
            "freqs, offsets]");
  EXPECT_EQ(
      field(R"({"type":"text","fielddata":"yes"})"),
      "[fielddata] on mapper [f] of type [text]: Failed to parse value [yes] as only [true] or "
      "[false] are allowed.");
  EXPECT_EQ(field(R"({"type":"long","script":"x"})"),
            "[script] on mapper [f] of type [long] is not supported");
  EXPECT_EQ(field(R"({"type":"scaled_float"})"), "Field [scaling_factor] is required (field [f])");
  EXPECT_EQ(field(R"({"type":"scaled_float","scaling_factor":-1})"),
            "[scaling_factor] must be a positive number, got [-1.0]");
  EXPECT_EQ(field(R"({"type":"long","null_value":"x"})"),
            "Error parsing [null_value] on field [f]: For input string: \"x\"");
  for (const char* type : {"long", "integer", "short", "byte"}) {
    for (const char* value : {"5.5", "\"5.5\""}) {
      EXPECT_EQ(field(std::string(R"({"type":")") + type + R"(","null_value":)" + value + "}"),
                "Error parsing [null_value] on field [f]: Value [5.5] has a decimal part");
    }
  }
  EXPECT_EQ(
      field(R"({"type":"date","format":"foo"})"),
      "Error parsing [format] on field [f]: Invalid format: [foo]: Unknown pattern letter: f");
  EXPECT_EQ(field(R"({"type":"keyword","meta":{"a":1}})"),
            "[meta] values can only be strings, but got [1] for field [f]");
  EXPECT_TRUE(round_trip(R"({"dynamic":"runtime"})").find("[runtime], which is not supported") !=
              std::string::npos);
  EXPECT_EQ(round_trip(R"({"_source":{"excludes":["a"],"includes":"b*"}})"),
            R"({"_source":{"includes":["b*"],"excludes":["a"]}})");
  EXPECT_EQ(round_trip(R"({"_source":{"enabled":false}})"), R"({"_source":{"enabled":false}})");
  EXPECT_TRUE(round_trip(R"({"_source":{"mode":"synthetic"}})").find("is not supported") !=
              std::string::npos);
  EXPECT_TRUE(round_trip("[]").starts_with("Failed to parse mapping"));
  EXPECT_TRUE(round_trip("{").starts_with("Failed to parse mapping"));
}

TEST(Mapping, RefusesBadNames) {
  EXPECT_EQ(round_trip(R"({"properties":{"":{"type":"text"}}})"),
            "field name cannot be an empty string");
  EXPECT_EQ(create(R"({"properties":{"":{"type":"text"}}})").status().type(),
            ErrorType::kIllegalArgument);
  EXPECT_TRUE(round_trip(R"({"properties":{"a..b":{"type":"text"}}})")
                  .starts_with("field name starting or ending"));
  EXPECT_TRUE(round_trip(R"({"properties":{"a. .b":{"type":"text"}}})")
                  .starts_with("field name cannot contain only whitespace"));
  EXPECT_EQ(round_trip(R"({"properties":{"...":{"type":"text"}}})"),
            "field name cannot contain only dots");
  EXPECT_EQ(round_trip(R"({"properties":{"_id":{"type":"text"}}})"),
            "Field [_id] is defined more than once");
  EXPECT_EQ(field(R"({"type":"text","fields":{"a.b":{"type":"text"}}})"),
            "Field name [a.b] which is a multi field of [f] cannot contain '.'");
}

TEST(Mapping, ChecksWhatPointsAtOtherFields) {
  const auto with_target = [](const std::string& body) {
    return round_trip(
        R"({"properties":{"f":)" + body +
        R"(,"o":{"properties":{"x":{"type":"long"}}},"t":{"type":"text","fields":{"k":{"type":"keyword"}}}}})");
  };
  EXPECT_TRUE(with_target(R"({"type":"alias","path":"o.x"})").starts_with("{"));
  EXPECT_EQ(with_target(R"({"type":"alias"})"),
            "The [path] property must be specified for field [f].");
  EXPECT_EQ(with_target(R"({"type":"alias","path":"f"})"),
            "Invalid [path] value [f] for field alias [f]: an alias cannot refer to itself.");
  EXPECT_EQ(with_target(R"({"type":"alias","path":"o"})"),
            "Invalid [path] value [o] for field alias [f]: an alias must refer to an existing "
            "field in the mappings.");
  EXPECT_EQ(with_target(R"({"type":"text","copy_to":"o"})"),
            "Cannot copy to field [o] since it is mapped as an object");
  EXPECT_EQ(with_target(R"({"type":"text","copy_to":"t.k"})"),
            "[copy_to] may not be used to copy to a multi-field: [t.k]");
  EXPECT_EQ(field(R"({"type":"text","fields":{"k":{"type":"text","copy_to":"x"}}})"),
            "copy_to in multi fields is not allowed. Found the copy_to in field [f.k] which is "
            "within a multi field.");
  EXPECT_EQ(field(R"({"type":"text","fields":{"k":{"type":"object"}}})"),
            "Type [object] cannot be used in multi field");
}

TEST(Mapping, KeepsLimits) {
  const std::string_view three =
      R"({"properties":{"a":{"type":"text","fields":{"k":{"type":"keyword"}}},"b":{"type":"long"}}})";
  EXPECT_TRUE(round_trip(three, R"({"index.mapping.total_fields.limit":3})").starts_with("{"));
  EXPECT_EQ(round_trip(three, R"({"index.mapping.total_fields.limit":2})"),
            "Limit of total fields [2] has been exceeded");
  const std::string_view deep =
      R"({"properties":{"a":{"properties":{"b":{"properties":{"c":{"type":"long"}}}}}}})";
  EXPECT_TRUE(round_trip(deep, R"({"mapping":{"depth":{"limit":3}}})").starts_with("{"));
  EXPECT_EQ(round_trip(deep, R"({"mapping":{"depth":{"limit":2}}})"),
            "Limit of mapping depth [2] has been exceeded due to object field [a.b]");
  EXPECT_EQ(round_trip(R"({"properties":{"long_name":{"type":"long"}}})",
                       R"({"mapping.field_name_length.limit":"5"})"),
            "Field name [long_name] is longer than the limit of [5] characters");
  std::string dots = "a";
  for (int i = 0; i < 20000; ++i) dots += ".a";
  EXPECT_TRUE(round_trip(R"({"properties":{")" + dots + R"(":{"type":"long"}}})")
                  .starts_with("Limit of mapping depth"));
}

TEST(Mapping, FindsFields) {
  const auto created = create(
      R"({"properties":{"t":{"type":"text","fields":{"k":{"type":"keyword"}}},"o":{"properties":{
      "n":{"type":"long"}}},"fl":{"type":"flattened"},"al":{"type":"alias","path":"o.n"}}})");
  ASSERT_OK(created);
  const Mapping& mapping = **created;
  EXPECT_EQ(mapping.find("t")->type, FieldType::kText);
  EXPECT_EQ(mapping.find("t.k")->type, FieldType::kKeyword);
  EXPECT_EQ(mapping.find("al"), mapping.find("o.n"));
  EXPECT_EQ(mapping.alias_target("al"), "o.n");
  EXPECT_EQ(mapping.find("fl.a.b")->type, FieldType::kFlattenedKeyed);
  EXPECT_EQ(mapping.flattened_key("fl.a.b"), "a.b");
  // A lookup of every prefix would take minutes.
  const std::string dots(8'000'000, '.');
  const std::string flattened = "fl" + dots;
  EXPECT_EQ(mapping.find(dots), nullptr);
  EXPECT_EQ(mapping.find(flattened)->type, FieldType::kFlattenedKeyed);
  EXPECT_EQ(mapping.flattened_key(flattened), std::string_view(dots).substr(1));
  EXPECT_EQ(mapping.flattened_key("fl"), "");
  EXPECT_TRUE(mapping.find("o") == nullptr);
  EXPECT_TRUE(mapping.find("t.x") == nullptr);
  EXPECT_TRUE(mapping.find("") == nullptr);
  EXPECT_TRUE(mapping.is_object("o"));
  EXPECT_FALSE(mapping.is_object("t"));
  std::string names;
  for (const Field* found : mapping.match("*")) names += found->name + " ";
  EXPECT_EQ(names, "o.n fl t t.k ");
  EXPECT_EQ(mapping.match("t*").size(), 2);
  EXPECT_EQ(mapping.match("fl.x").size(), 1);
  EXPECT_EQ(mapping.match("nope").size(), 0);
  for (uint32_t id = 0; id < mapping.fields().size(); ++id) EXPECT_EQ(mapping.field(id).id, id);
  EXPECT_EQ(mapping.definition("t.k", false), R"({"type":"keyword"})");
  EXPECT_EQ(mapping.definition("o", false), R"({"properties":{"n":{"type":"long"}}})");
  EXPECT_EQ(mapping.definition("nope", false), "");
  EXPECT_TRUE(mapping.definition("t", true).find(R"("analyzer":"default")") != std::string::npos);
}

TEST(Mapping, SetsUpFields) {
  const auto created = create(
      R"({"properties":{"t":{"type":"text","analyzer":"english"},"u":{"type":"text","index_options":"docs","norms":false},
          "k":{"type":"keyword","index":false},"x":{"type":"text","index":false},"s":{"type":"text","similarity":"mine"}}})",
      R"({"similarity":{"mine":{"type":"BM25","k1":2,"b":0.5}},"index.mapping.coerce":false})");
  ASSERT_OK(created);
  const Mapping& mapping = **created;
  const Field& text = *mapping.find("t");
  EXPECT_TRUE(text.indexed && text.freqs && text.positions && text.norms && !text.doc_values);
  EXPECT_TRUE(text.analyzer != nullptr && text.analyzer == text.search_quote_analyzer);
  EXPECT_EQ(text.position_increment_gap, 100);
  EXPECT_FALSE(text.coerce);
  const Field& documents = *mapping.find("u");
  EXPECT_FALSE(documents.freqs || documents.positions || documents.norms);
  EXPECT_TRUE(mapping.find("k")->doc_values && !mapping.find("k")->indexed);
  EXPECT_FALSE(mapping.find("x")->positions || mapping.find("x")->norms);
  EXPECT_EQ(mapping.find("s")->similarity.k1, 2.0F);
}

}  // namespace quarry::mapping_test
