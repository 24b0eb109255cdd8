// Fields that documents add to a mapping dynamically.
#include "mapping/document/document.h"
#include "testing/test.h"

namespace quarry::dynamic_fields_test {

/// The properties of the mapping after `source` was accepted (parsed, merged, parsed again until no
/// field is missing), or the error.
std::string grow(std::string_view mapping, std::string_view source, std::string_view settings = "",
                 std::string_view chosen = "") {
  std::shared_ptr<const Mapping> now =
      Mapping::create(mapping, make_mapping_context(settings).value()).value();
  ParsedDocument document;
  document.chosen_templates = chosen;
  for (int round = 0; round < 20; ++round) {
    const Status status = parse_document(*now, source, document, "1");
    if (!status.ok()) return status.reason();
    if (document.dynamic_mapping.empty()) return now->to_json();
    const auto merged = now->merge(document.dynamic_mapping);
    if (!merged.ok()) return merged.status().reason();
    now = *merged;
  }
  return "no end";
}

std::string guess(std::string_view value, std::string_view mapping = "{}") {
  const std::string json = grow(mapping, "{\"f\":" + std::string(value) + "}");
  const size_t at = json.find("\"f\":");
  return at == std::string::npos ? json : json.substr(at + 4, json.size() - at - 6);
}

constexpr std::string_view kText =
    R"({"type":"text","fields":{"keyword":{"type":"keyword","ignore_above":256}}})";

TEST(DynamicFields, GuessesByValue) {
  EXPECT_EQ(guess("\"hello\""), kText);
  EXPECT_EQ(guess("1"), R"({"type":"long"})");
  EXPECT_EQ(guess("1.0"), R"({"type":"float"})");
  EXPECT_EQ(guess("1e3"), R"({"type":"float"})");
  EXPECT_EQ(guess("true"), R"({"type":"boolean"})");
  EXPECT_EQ(guess("\"2024-01-02\""), R"({"type":"date"})");
  EXPECT_EQ(guess("\"2024-01-02T10:00:00.000Z\""), R"({"type":"date"})");
  EXPECT_EQ(guess("\"2024/01/02\""),
            R"({"type":"date","format":"yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis"})");
  EXPECT_EQ(guess("\"2024\""), kText);
  EXPECT_EQ(guess("\"1.5\""), kText);
  EXPECT_EQ(guess("[null,[],7]"), R"({"type":"long"})");
  EXPECT_EQ(guess("{\"a\":{\"b\":1}}"),
            R"({"properties":{"a":{"properties":{"b":{"type":"long"}}}}})");
  EXPECT_EQ(guess("{}"), R"({"type":"object"})");
  EXPECT_EQ(grow("{}", R"({"a":null,"b":[],"c":[null]})"), "{}");
}

TEST(DynamicFields, FollowsDetectionSettings) {
  EXPECT_EQ(guess("\"2024-01-02\"", R"({"date_detection":false})"), kText);
  EXPECT_EQ(guess("\"5\"", R"({"numeric_detection":true})"), R"({"type":"long"})");
  EXPECT_EQ(guess("\"5.5\"", R"({"numeric_detection":true})"), R"({"type":"float"})");
  EXPECT_EQ(guess("\"02.01.2024\"", R"({"dynamic_date_formats":["dd.MM.yyyy"]})"),
            R"({"type":"date","format":"dd.MM.yyyy"})");
  EXPECT_EQ(guess("\"2024-01-02\"", R"({"dynamic_date_formats":["dd.MM.yyyy"]})"), kText);
}

TEST(DynamicFields, DotsAndObjectsAreOne) {
  EXPECT_EQ(
      grow("{}", R"({"a.b":1,"a":{"c":true},"a.d.e":[{"f":2},{"f":3,"g":"x y"}]})"),
      R"({"properties":{"a":{"properties":{"b":{"type":"long"},"c":{"type":"boolean"},"d":{"properties":{"e":{"properties":)"
      R"({"f":{"type":"long"},"g":{"type":"text","fields":{"keyword":{"type":"keyword","ignore_above":256}}}}}}}}}}})");
}

TEST(DynamicFields, TheFirstValueDecides) {
  EXPECT_EQ(grow("{}", R"({"a":[1,"x"]})"),
            "[1:9] failed to parse field [a] of type [long] in document with id '1'. Preview of "
            "field's value: 'x'");
  EXPECT_EQ(grow("{}", R"({"a":[1,{"b":2}]})"),
            "[1:9] failed to parse field [a] of type [long] in document with id '1'. Preview of "
            "field's value: '{\"b\":2}]}'");
  EXPECT_EQ(grow("{}", R"({"a":[{"b":2},1]})"),
            "[1:15] object mapping for [a] tried to parse field [a] as object, but found a "
            "concrete value");
}

TEST(DynamicFields, RefusesNumbersBeyondTheGuess) {
  EXPECT_EQ(grow("{}", R"({"a":12345678901234567890})"),
            "[1:6] failed to parse field [a] of type [long] in document with id '1'. Preview of "
            "field's value: '12345678901234567890'");
  EXPECT_TRUE(
      grow("{}", R"({"a":1e400})").starts_with("[1:6] failed to parse field [a] of type [float]"));
}

TEST(DynamicFields, AsksTemplatesFirst) {
  const std::string_view templates = R"({"dynamic_templates":[
      {"ids":{"match":"*_id","unmatch":"x_id","match_mapping_type":["long","string"],"mapping":{"type":"keyword"}}},
      {"paths":{"path_match":"meta.*","match_mapping_type":"string","mapping":{"type":"{dynamic_type}","analyzer":"simple","meta":{"n":"{name}"}}}},
      {"dates":{"match_mapping_type":"date","mapping":{"store":true}}},
      {"blobs":{"match":"blob","match_mapping_type":"object","mapping":{"type":"object","enabled":false}}},
      {"doubles":{"match_mapping_type":"double","mapping":{"type":"double"}}}]})";
  EXPECT_EQ(
      grow(templates, R"({"a_id":5})").find(R"("a_id":{"type":"keyword"})") != std::string::npos,
      true);
  EXPECT_EQ(grow(templates, R"({"x_id":5})").find(R"("x_id":{"type":"long"})") != std::string::npos,
            true);
  EXPECT_EQ(grow(templates, R"({"meta":{"q":"x"}})")
                    .find(R"("q":{"type":"text","analyzer":"simple","meta":{"n":"q"}})") !=
                std::string::npos,
            true);
  EXPECT_EQ(grow(templates, R"({"d":"2024-01-01"})").find(R"("d":{"type":"date","store":true})") !=
                std::string::npos,
            true);
  EXPECT_EQ(grow(templates, R"({"blob":{"a":{"":1}}})")
                    .find(R"("blob":{"type":"object","enabled":false})") != std::string::npos,
            true);
  EXPECT_EQ(grow(templates, R"({"r":1.5})").find(R"("r":{"type":"double"})") != std::string::npos,
            true);
}

TEST(DynamicFields, AWriteMayChooseTheTemplateOfAField) {
  const std::string_view templates = R"({"dynamic_templates":[
      {"gauge":{"mapping":{"type":"double","store":true}}},
      {"words":{"match_mapping_type":"string","mapping":{"type":"keyword"}}}]})";
  const auto fields = [&](std::string_view source, std::string_view chosen) {
    const std::string json = grow(templates, source, "", chosen);
    const size_t at = json.find("\"properties\":");
    return at == std::string::npos ? json : json.substr(at + 13, json.size() - at - 14);
  };
  EXPECT_EQ(fields(R"({"m":{"a":5},"w":"x"})", R"({"m.a":"gauge","m.b":"gauge"})"),
            R"({"m":{"properties":{"a":{"type":"double","store":true}}},"w":{"type":"keyword"}})");
  EXPECT_EQ(fields(R"({"w":"5"})", R"({"w":"gauge"})"), R"({"w":{"type":"double","store":true}})");
  EXPECT_EQ(fields(R"({"m":5})", ""), R"({"m":{"type":"long"}})");
  EXPECT_TRUE(fields(R"({"m":{"a":5}})", R"({"m.a":"none"})")
                  .ends_with("Can't find dynamic template for dynamic template name [none] of "
                             "field [m.a]"));
}

TEST(DynamicFields, NamesBadTemplates) {
  const auto refusal = [](const std::string& body) {
    return Mapping::create(R"({"dynamic_templates":[)" + body + "]}",
                           make_mapping_context("").value())
        .status()
        .reason();
  };
  EXPECT_TRUE(refusal(R"({"a":{"match":"x(","match_pattern":"regex","mapping":{}}})")
                  .find("Pattern [x(] of type [regex] is invalid. Cannot create dynamic template "
                        "[a]: ") != std::string::npos);
  EXPECT_TRUE(refusal(R"({"a":{"match":"a)|(b","match_pattern":"regex","mapping":{}}})")
                  .find("Pattern [a)|(b] of type [regex] is invalid") != std::string::npos);
  EXPECT_TRUE(refusal(R"({"a":{"match":"x","match_pattern":"glob","mapping":{}}})")
                  .find("has no [match_pattern] [glob], use [simple] or [regex]") !=
              std::string::npos);
  EXPECT_TRUE(refusal(R"({"a":{"match":"x"}})").find("must have a [mapping]") != std::string::npos);
  EXPECT_TRUE(refusal(R"({"a":{"match_mapping_type":"text","mapping":{}}})")
                  .find("no field type matched on [text]") != std::string::npos);
  EXPECT_TRUE(refusal(R"({"a":{"match":"x","foo":1,"mapping":{}}})")
                  .find("unsupported parameter [foo : 1]") != std::string::npos);
  EXPECT_EQ(refusal(R"({"a":{},"b":{}})"), "A dynamic template must be defined with a name");
}

TEST(DynamicFields, ObeysTheNearestDynamic) {
  EXPECT_EQ(
      grow(R"({"dynamic":false,"properties":{"o":{"dynamic":true,"type":"object"}}})",
           R"({"x":1,"o":{"y":1}})"),
      R"({"dynamic":"false","properties":{"o":{"dynamic":"true","properties":{"y":{"type":"long"}}}}})");
}

TEST(DynamicFields, CopiesToWhatIsNotMapped) {
  EXPECT_EQ(
      grow(R"({"properties":{"t":{"type":"keyword","copy_to":"all.text"}}})", R"({"t":"x"})"),
      R"({"properties":{"all":{"properties":{"text":{"type":"text","fields":{"keyword":{"type":"keyword","ignore_above":256}}}}},)"
      R"("t":{"type":"keyword","copy_to":["all.text"]}}})");
  EXPECT_EQ(
      grow(R"({"dynamic":"strict","properties":{"t":{"type":"keyword","copy_to":"all"}}})",
           R"({"t":"x"})"),
      "[1:6] mapping set to strict, dynamic introduction of [all] within [_doc] is not allowed");
}

TEST(DynamicFields, KeepsLimits) {
  EXPECT_EQ(grow("{}", R"({"a":1,"b":2,"c":3})", R"({"index.mapping.total_fields.limit":2})"),
            "Limit of total fields [2] has been exceeded while adding new fields [3]");
  std::string path = "a";
  for (int i = 0; i < 50000; ++i) path += ".a";
  EXPECT_TRUE(grow("{}", "{\"" + path + "\":1}")
                  .starts_with("Limit of mapping depth [20] has been exceeded"));
  std::string nested = "1";
  for (int i = 0; i < 30; ++i) nested = "{\"a\":" + nested + "}";
  EXPECT_TRUE(grow("{}", nested).starts_with("Limit of mapping depth [20] has been exceeded"));
}

}  // namespace quarry::dynamic_fields_test
