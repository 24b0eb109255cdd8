// Documents parsed with a mapping: values, errors with Elasticsearch's messages, ignored values.
#include "mapping/document/document.h"

#include "mapping/values/numeric.h"
#include "testing/test.h"

namespace quarry::document_test {

std::shared_ptr<const Mapping> create(std::string_view json) {
  return Mapping::create(json, make_mapping_context("").value()).value();
}

/// "field=value" for every value, in order, then "-name" for ignored ones; or the error.
std::string parse(const Mapping& mapping, std::string_view source) {
  ParsedDocument document;
  const Status status = parse_document(mapping, source, document, "1");
  if (!status.ok()) return status.reason();
  if (!document.dynamic_mapping.empty()) return document.dynamic_mapping;
  std::string out;
  for (const FieldValue& value : document.values) {
    const Field& field = mapping.field(value.field);
    std::string text(value.text);
    if (field.is_numeric()) text = column_to_json(field, value.number);
    if (field.type == FieldType::kIp) text = format_ip(value.text);
    for (char& c : text) c = c == '\0' ? '|' : c;
    out += (out.empty() ? "" : " ") + field.name + "=" + text;
  }
  for (const std::string_view name : document.ignored) out += " -" + std::string(name);
  return out;
}
std::string parse(std::string_view mapping, std::string_view source) {
  return parse(*create(mapping), source);
}

std::string cause(std::string_view mapping, std::string_view source) {
  ParsedDocument document;
  return parse_document(*create(mapping), source, document, "1").cause();
}

constexpr std::string_view kMapping = R"({"dynamic":false,"properties":{
  "t":{"type":"text"},"k":{"type":"keyword"},"n":{"type":"integer"},"d":{"type":"double"},"b":{"type":"boolean"},
  "when":{"type":"date"},"ip":{"type":"ip"},"o":{"properties":{"x":{"type":"long"},"p":{"properties":{"y":{"type":"long"}}}}},
  "off":{"type":"object","enabled":false},"fl":{"type":"flattened"},"al":{"type":"alias","path":"n"},"bin":{"type":"binary"}}})";

TEST(Document, ReadsValuesOfEveryType) {
  EXPECT_EQ(
      parse(
          kMapping,
          R"({"t":"a \u0041","k":5.0,"n":"7","d":1,"b":"true","when":"2020","ip":"::1","bin":"AAAA"})"),
      "t=a A k=5.0 n=7 d=1.0 b=true when=\"2020-01-01T00:00:00.000Z\" ip=::1 bin=AAAA");
  EXPECT_EQ(parse(kMapping, R"({"t":true,"k":12345678901234567890123,"n":5.9,"b":false,"n":1})"),
            "[1:57] failed to parse: [1:57] Duplicate field 'n'");
  EXPECT_EQ(parse(kMapping, "{}"), "");
  EXPECT_EQ(parse(kMapping, R"({"t":""})"), "t=");
}

TEST(Document, HasEightMillionValuesAtMost) {
  std::string mapping = R"({"properties":{"n":{"type":"byte","fields":{"f0":{"type":"byte"})";
  for (int i = 1; i < 900; i++) mapping += ",\"f" + std::to_string(i) + R"(":{"type":"byte"})";
  mapping += "}}}}";
  std::string source = R"({"n":[1)";
  for (int i = 1; i < 9400; i++) source += ",1";
  source += "]}";
  const std::string refusal = parse(mapping, source);
  const std::string_view reason =
      "the document has more than [8388608] values of fields, with those of multi-fields and "
      "copies, "
      "at field [n";
  EXPECT_TRUE(refusal.find(reason) != std::string::npos);
}

TEST(Document, FlattensObjectsAndArrays) {
  EXPECT_EQ(parse(kMapping, R"({"o":{"x":[1,[2,null]],"p":{"y":3}}})"), "o.x=1 o.x=2 o.p.y=3");
  EXPECT_EQ(parse(kMapping, R"({"o":[{"x":1},{"x":2},null]})"), "o.x=1 o.x=2");
  EXPECT_EQ(parse(kMapping, R"({"o.x":1,"o.p":{"y":2},"o.p.y":3})"), "o.x=1 o.p.y=2 o.p.y=3");
  EXPECT_EQ(parse(kMapping, R"({"o":null,"t":null,"n":[],"k":[null]})"), "");
}

TEST(Document, SkipsWhatIsNotMapped) {
  EXPECT_EQ(
      parse(
          kMapping,
          R"({"zzz":{"deep":[1e400]},"off":{"":1,"a..b":[{}]},"off.x":5,"n":1,"o":{"new":{"x":1}}})"),
      "n=1");
  EXPECT_EQ(
      parse(R"({"properties":{"o":{"dynamic":"strict","properties":{}}}})", R"({"o":{"a":1}})"),
      "[1:11] mapping set to strict, dynamic introduction of [a] within [o] is not allowed");
  EXPECT_EQ(
      parse(R"({"dynamic":"strict"})", R"({"a":null})"),
      "[1:6] mapping set to strict, dynamic introduction of [a] within [_doc] is not allowed");
}

TEST(Document, NamesWhatDoesNotFit) {
  EXPECT_EQ(parse(kMapping, R"({ "n": "abc" })"),
            "[1:8] failed to parse field [n] of type [integer] in document with id '1'. Preview of "
            "field's value: 'abc'");
  EXPECT_EQ(cause(kMapping, R"({"n":"abc"})"), "For input string: \"abc\"");
  EXPECT_EQ(parse(kMapping, R"({"t":{"a":1}})"),
            "[1:6] failed to parse field [t] of type [text] in document with id '1'. Preview of "
            "field's value: '{\"a\":1}}'");
  EXPECT_EQ(cause(kMapping, R"({"t":{"a":1}})"), "Can't get text on a START_OBJECT at 1:6");
  EXPECT_EQ(cause(kMapping, R"({"t.a":1})"), "Can't get text on a START_OBJECT at 1:8");
  EXPECT_EQ(parse(kMapping, R"({"o":5})"),
            "[1:6] object mapping for [o] tried to parse field [o] as object, but found a concrete "
            "value");
  EXPECT_EQ(parse(kMapping, R"({"al":5})"),
            "[1:7] failed to parse: Cannot write to a field alias [al].");
  EXPECT_EQ(cause(kMapping, R"({"ip":"quux"})"), "'quux' is not an IP string literal.");
  EXPECT_EQ(
      cause(kMapping, R"({"when":"bar"})"),
      "failed to parse date field [bar] with format [strict_date_optional_time||epoch_millis]");
  EXPECT_EQ(cause(kMapping, R"({"bin":"???"})"), "the value is no base64 string");
  EXPECT_EQ(parse(kMapping, R"({"_id":5})"),
            "[1:2] Field [_id] is a metadata field and cannot be added inside a document. Use the "
            "index API request parameters.");
}

TEST(Document, RefusesMalformedDocuments) {
  EXPECT_EQ(parse(kMapping, ""), "failed to parse, document is empty");
  EXPECT_EQ(parse(kMapping, "[1]"), "[1:1] Malformed content, must start with an object");
  EXPECT_EQ(parse(kMapping, "{\"t\":\"\xFF\"}"), "failed to parse: Invalid UTF-8 in the document");
  for (const char* bad : {"{", "{\"n\":1", "{\"n\":1}x", "{\"n\":[1,}", "{\"o\":{\"x\":1}",
                          "{\"zzz\":[}", "{\"fl\":{\"a\":[}}", "{\"o\":[1", "{\"al\":", "{\"o.x\":",
                          "{\"fl.a\":", "{\"t.a\":", "{\"zzz\":", "{\"off\":{]}"}) {
    EXPECT_FALSE(parse(kMapping, bad).empty());
  }
  std::string deep = "1";
  for (int i = 0; i < 99; ++i) deep = "[" + deep + "]";
  EXPECT_EQ(parse(kMapping, "{\"n\":" + deep + "}"), "n=1");
  EXPECT_TRUE(parse(kMapping, "{\"n\":[" + deep + "]}").find("nesting depth") != std::string::npos);
}

TEST(Document, ChecksNames) {
  EXPECT_EQ(parse(kMapping, R"({"":1})"),
            "[1:2] failed to parse: field name cannot be an empty string");
  EXPECT_TRUE(parse(kMapping, R"({"a.":1})").find("starting or ending with a [.]") !=
              std::string::npos);
  EXPECT_TRUE(parse(kMapping, R"({".a":1})").find("starting or ending with a [.]") !=
              std::string::npos);
  EXPECT_TRUE(parse(kMapping, R"({" ":1})").find("only whitespace") != std::string::npos);
}

TEST(Document, FeedsMultiFieldsAndCopies) {
  const std::string_view mapping =
      R"({"properties":{"t":{"type":"text","copy_to":["all","n"],"fields":{"k":{"type":"keyword",
      "ignore_above":3}}},"all":{"type":"text","fields":{"k":{"type":"keyword"}}},"n":{"type":"integer","ignore_malformed":true}}})";
  EXPECT_EQ(parse(mapping, R"({"t":["é12","long"]})"),
            "t=é12 t.k=é12 all=é12 all.k=é12 t=long all=long all.k=long -n -t.k -n");
  EXPECT_EQ(parse(mapping, R"({"t":"7"})"), "t=7 t.k=7 all=7 all.k=7 n=7");
  EXPECT_EQ(parse(mapping, R"({"t":null})"), "");
}

TEST(Document, UsesNullValues) {
  const std::string_view mapping =
      R"({"properties":{"k":{"type":"keyword","null_value":"NONE"},"n":{"type":"long","null_value":-1},
      "b":{"type":"boolean","null_value":true},"d":{"type":"date","null_value":"1970-01-01"},"i":{"type":"ip","null_value":"::1"},
      "t":{"type":"text","fields":{"k":{"type":"keyword","null_value":"N"}}}}})";
  EXPECT_EQ(parse(mapping, R"({"k":[null,"a"],"n":null,"b":null,"d":null,"i":null,"t":null})"),
            "k=NONE k=a n=-1 b=true d=\"1970-01-01T00:00:00.000Z\" i=::1 t.k=N");
  EXPECT_EQ(parse(mapping, R"({"n":""})"), "n=-1");
}

TEST(Document, NormalizesKeywords) {
  const auto context = make_mapping_context(
      R"({"analysis":{"normalizer":{"low":{"type":"custom","filter":["lowercase"]}}}})");
  ASSERT_OK(context);
  const auto mapping =
      Mapping::create(R"({"properties":{"k":{"type":"keyword","normalizer":"low"}}})", *context);
  ASSERT_OK(mapping);
  EXPECT_EQ(parse(**mapping, R"({"k":"FOO Bar"})"), "k=foo bar");
}

TEST(Document, FlattensByKey) {
  EXPECT_EQ(parse(kMapping, R"({"fl":{"a":{"b":[1,"x"]},"c.d":null,"e":{}}})"),
            "fl=1 fl._keyed=a.b|1 fl=x fl._keyed=a.b|x");
  EXPECT_EQ(parse(kMapping, R"({"fl.q.r":true,"fl":[{"a":1},null]})"),
            "fl=true fl._keyed=q.r|true fl=1 fl._keyed=a|1");
  EXPECT_TRUE(cause(kMapping, R"({"fl":"x"})")
                  .starts_with("Failed to parse object: expecting token of type [START_OBJECT]"));
  EXPECT_EQ(cause(R"({"properties":{"fl":{"type":"flattened","depth_limit":2}}})",
                  R"({"fl":{"a":{"b":{"c":1}}}})"),
            "The provided [flattened] field [fl] exceeds the maximum depth limit of [2].");
  EXPECT_TRUE(
      cause(kMapping, R"({"fl":{"a\u0000b":1}})").starts_with("Do not include the null byte"));
}

TEST(Document, IgnoresMalformedValuesIfSet) {
  const std::string_view mapping =
      R"({"properties":{"my_date":{"type":"date","ignore_malformed":true},"my_ip":{"type":"ip",
      "ignore_malformed":true}}})";
  EXPECT_EQ(parse(mapping, R"({"my_date":"bar","my_ip":"quux"})"), " -my_date -my_ip");
  EXPECT_EQ(parse(mapping, R"({"my_date":["bar","2018-05-11"]})"),
            "my_date=\"2018-05-11T00:00:00.000Z\" -my_date");
}

/// "path{values}" for every nested document, then the values of the whole document.
std::string parse_nested(std::string_view json, std::string_view source) {
  const auto mapping = create(json);
  ParsedDocument document;
  const Status status = parse_document(*mapping, source, document, "1");
  if (!status.ok()) return status.reason();
  const auto values = [&](const std::vector<FieldValue>& list) {
    std::string out;
    for (const FieldValue& value : list) {
      const Field& field = mapping->field(value.field);
      out += (out.empty() ? "" : " ") + field.name + "=" +
             (field.is_numeric() ? std::to_string(value.number) : std::string(value.text));
    }
    return out;
  };
  std::string out;
  for (const NestedDocument& nested : document.nested) {
    out += std::string(nested.path) + "{" + values(nested.values) + "} ";
  }
  return out + values(document.values);
}

TEST(Document, NestedObjectsAreDocumentsOfTheirOwn) {
  constexpr std::string_view kNested = R"({"dynamic":false,"properties":{"n":{"type":"long"},
    "a":{"type":"nested","properties":{"x":{"type":"long"},
      "o":{"properties":{"y":{"type":"long"}}},
      "b":{"type":"nested","properties":{"z":{"type":"long"}}}}}}})";
  EXPECT_EQ(parse_nested(kNested, R"({"a":[{"x":1},{"x":2,"o":{"y":3}}],"n":4})"),
            "a{a.x=1} a{a.x=2 a.o.y=3} n=4");
  EXPECT_EQ(parse_nested(kNested, R"({"a":{"b":[{"z":1},{"z":2}],"x":3}})"),
            "a.b{a.b.z=1} a.b{a.b.z=2} a{a.x=3} ");
  EXPECT_EQ(parse_nested(kNested, R"({"a":[null,[{}]],"n":1})"), "a{} n=1");
  EXPECT_EQ(parse_nested(kNested, R"({"a.x":1,"a.b.z":2})"), "a{a.x=1} a.b{a.b.z=2} a{} ");
  EXPECT_EQ(parse_nested(kNested, R"({"a":5})"),
            "[1:6] object mapping for [a] tried to parse field [a] as object, but found a concrete "
            "value");
}

TEST(Document, NestedValuesAreCopiedToEnclosingDocuments) {
  EXPECT_EQ(
      parse_nested(R"({"properties":{"a":{"type":"nested","include_in_root":true,"properties":{
        "x":{"type":"long"},"b":{"type":"nested","include_in_parent":true,"properties":{
        "z":{"type":"long"}}}}}}})",
                   R"({"a":{"x":1,"b":{"z":2}}})"),
      "a.b{a.b.z=2} a{a.x=1 a.b.z=2} a.x=1 a.b.z=2");
  EXPECT_EQ(parse_nested(R"({"properties":{"all":{"type":"keyword"},"a":{"type":"nested",
        "properties":{"x":{"type":"keyword","copy_to":"all"}}}}})",
                         R"({"a":[{"x":"p"},{"x":"q"}]})"),
            "a{a.x=p} a{a.x=q} all=p all=q");
}

TEST(Document, NestedDocumentsAreLimited) {
  const auto context = make_mapping_context(R"({"index.mapping.nested_objects.limit":2})").value();
  const auto mapping =
      Mapping::create(R"({"properties":{"a":{"type":"nested"}}})", context).value();
  ParsedDocument document;
  EXPECT_OK(parse_document(*mapping, R"({"a":[{},{}]})", document));
  EXPECT_EQ(parse_document(*mapping, R"({"a":[{},{},{}]})", document).reason(),
            "[1:13] The number of nested documents has exceeded the allowed limit of [2]. This "
            "limit can be set by changing the [index.mapping.nested_objects.limit] index level "
            "setting.");
}

TEST(Document, NewFieldsOfNestedObjects) {
  const auto mapping = create(R"({"properties":{"a":{"type":"nested","include_in_parent":true}}})");
  ParsedDocument document;
  EXPECT_OK(parse_document(*mapping, R"({"a":{"x":1}})", document));
  const auto grown = mapping->merge(document.dynamic_mapping);
  EXPECT_OK(grown);
  EXPECT_EQ((*grown)->to_json(),
            R"({"properties":{"a":{"type":"nested","include_in_parent":true,"properties":)"
            R"({"x":{"type":"long"}}}}})");
  EXPECT_EQ((*grown)->find("a.x")->level, 1U);
}

TEST(Document, NestedDocumentsHaveFeaturesOfTheirOwn) {
  constexpr std::string_view kFeatures = R"({"properties":{"f":{"type":"rank_features"},
    "a":{"type":"nested","properties":{"r":{"type":"rank_feature"},
      "b":{"type":"nested","properties":{"r":{"type":"rank_feature"}}}}}}})";
  const auto documents = [&](std::string_view source) {
    ParsedDocument document;
    const Status status = parse_document(*create(kFeatures), source, document, "1");
    return status.ok() ? std::to_string(document.nested.size()) : status.cause();
  };
  EXPECT_EQ(documents(R"({"a":[{"r":1,"b":[{"r":1},{"r":2}]},{"r":2,"b":{"r":3}}]})"), "5");
  EXPECT_EQ(documents(R"({"a":{"b":{"r":1},"r":[1,2]}})"),
            "[rank_feature] fields do not support indexing multiple values for the same field "
            "[a.r] in the same document");
  EXPECT_EQ(documents(R"({"f":{"x":1},"a":{"r":1},"f.x":2})"),
            "[rank_features] fields do not support indexing multiple values for the same rank "
            "feature [f.x] in the same document");
}

TEST(Document, ObjectsWithoutSubobjectsHaveFlatNames) {
  constexpr std::string_view kFlat = R"({"dynamic":false,"properties":{
    "m":{"subobjects":false,"properties":{"t":{"type":"long"},"t.min":{"type":"long"},
      "t.fl":{"type":"flattened"}}},
    "a":{"type":"nested","properties":{"m":{"subobjects":false,"properties":{
      "x.y":{"type":"long"}}}}}}})";
  EXPECT_EQ(parse(kFlat, R"({"m":{"t":1,"t.min":2}})"), "m.t=1 m.t.min=2");
  EXPECT_EQ(parse(kFlat, R"({"m.t":1,"m.t.min":[2,3]})"), "m.t=1 m.t.min=2 m.t.min=3");
  EXPECT_EQ(parse(kFlat, R"({"m":[{"t":[1,2]},null,{"other":{"min":4}}]})"), "m.t=1 m.t=2");
  EXPECT_EQ(parse(kFlat, R"({"m":{"t.fl":{"k":{"l":"v"}}}})"), "m.t.fl=v m.t.fl._keyed=k.l|v");
  constexpr std::string_view kStrict =
      R"({"subobjects":false,"dynamic":"strict","properties":{"c.d":{"type":"long"}}})";
  EXPECT_EQ(parse(kStrict, R"({"c.d":1})"), "c.d=1");
  EXPECT_EQ(parse(kStrict, R"({"c.d":{"e":1}})"),
            "[1:13] mapping set to strict, dynamic introduction of [c.d.e] within [_doc] is not "
            "allowed");
  EXPECT_EQ(parse(kStrict, R"({"c":{"d":1}})"),
            "[1:6] mapping set to strict, dynamic introduction of [c] within [_doc] is not "
            "allowed");
  EXPECT_EQ(parse(kFlat, R"({"m":{"t":{"min":2,"new":{"er":1}}}})"), "m.t.min=2");
  EXPECT_EQ(parse(kFlat, R"({"m":{"t":[1,{"min":2},[{"min":3}],{}]}})"),
            "m.t=1 m.t.min=2 m.t.min=3");
  EXPECT_EQ(parse(kFlat, R"({"m.t":{"min":2}})"), "m.t.min=2");
  EXPECT_EQ(parse(kFlat, R"({"m":{"t":{"fl":{"k":"v"}}}})"), "m.t.fl=v m.t.fl._keyed=k|v");
  EXPECT_EQ(parse(kFlat, R"({"m":5})"),
            "[1:6] object mapping for [m] tried to parse field [m] as object, but found a concrete "
            "value");
  EXPECT_EQ(parse_nested(kFlat, R"({"a":[{"m.x.y":1},{"m":{"x":{"y":2}}}]})"),
            "a{a.m.x.y=1} a{a.m.x.y=2} ");
  const std::string name(600, 'n');
  EXPECT_TRUE(parse(kFlat, R"({"m":{")" + name + R"(":{")" + name + R"(":1}}})")
                  .find("is longer than the limit of [1000] bytes") != std::string::npos);
}

}  // namespace quarry::document_test
