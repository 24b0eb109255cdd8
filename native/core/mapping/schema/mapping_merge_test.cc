// Updates of mappings: additions, allowed changes, and conflicts.
#include "mapping/schema/mapping.h"
#include "testing/test.h"

namespace quarry::mapping_merge_test {

std::shared_ptr<const Mapping> create(std::string_view json) {
  return Mapping::create(json, make_mapping_context("").value()).value();
}

std::string merge(std::string_view existing, std::string_view update) {
  const auto merged = create(existing)->merge(update);
  return merged.ok() ? (*merged)->to_json() : merged.status().reason();
}
std::string merge_field(const std::string& existing, const std::string& update) {
  return merge(R"({"properties":{"f":)" + existing + "}}",
               R"({"properties":{"f":)" + update + "}}");
}

TEST(MappingMerge, AddsFieldsAndKeepsIds) {
  const auto first = create(R"({"properties":{"b":{"type":"long"},"fl":{"type":"flattened"}}})");
  const auto merged = first->merge(
      R"({"properties":{"a":{"type":"text","fields":{"k":{"type":"keyword"}}},"g":{"type":"flattened"}}})");
  ASSERT_OK(merged);
  EXPECT_EQ((*merged)->find("b")->id, first->find("b")->id);
  EXPECT_EQ((*merged)->find("fl.x")->id, first->find("fl.x")->id);
  EXPECT_EQ((*merged)->find("g.x")->name, "g._keyed");
  EXPECT_EQ((*merged)->version(), first->version() + 1);
  EXPECT_EQ((*merged)->fields().size(), 7);
  const auto same = (*merged)->merge(R"({"properties":{"b":{"type":"long"}}})");
  EXPECT_EQ((*same)->version(), (*merged)->version());
}

TEST(MappingMerge, ChangesWhatMayChange) {
  EXPECT_EQ(merge_field(R"({"type":"keyword","ignore_above":5,"meta":{"bar":"baz"}})",
                        R"({"type":"keyword","ignore_above":9,"meta":{"baz":"quux"}})"),
            R"({"properties":{"f":{"type":"keyword","ignore_above":9,"meta":{"baz":"quux"}}}})");
  EXPECT_EQ(
      merge_field(
          R"({"type":"text","analyzer":"whitespace"})",
          R"({"type":"text","analyzer":"whitespace","search_analyzer":"simple","norms":false,"fields":{"k":{"type":"keyword"}}})"),
      R"({"properties":{"f":{"type":"text","norms":false,"analyzer":"whitespace","search_analyzer":"simple","fields":{"k":{"type":"keyword"}}}}})");
  EXPECT_EQ(
      merge(R"({"_meta":{"a":1},"dynamic":"strict"})", R"({"_meta":{"b":2},"dynamic":false})"),
      R"({"dynamic":"false","_meta":{"b":2}})");
  EXPECT_EQ(
      merge(R"({"properties":{"o":{"properties":{"a":{"type":"long"}}}}})",
            R"({"properties":{"o":{"dynamic":"strict","properties":{"b":{"type":"long"}}}}})"),
      R"({"properties":{"o":{"dynamic":"strict","properties":{"a":{"type":"long"},"b":{"type":"long"}}}}})");
}

TEST(MappingMerge, NamesConflicts) {
  EXPECT_EQ(merge_field(R"({"type":"text"})", R"({"type":"keyword"})"),
            "mapper [f] cannot be changed from type [text] to [keyword]");
  EXPECT_EQ(
      merge_field(R"({"type":"text"})", R"({"type":"text","analyzer":"whitespace","store":true})"),
      "Mapper for [f] conflicts with existing mapper:\n\tCannot update parameter [store] from "
      "[false] to [true]\n\t"
      "Cannot update parameter [analyzer] from [default] to [whitespace]");
  EXPECT_EQ(merge_field(R"({"type":"text","norms":false})", R"({"type":"text"})"),
            "Mapper for [f] conflicts with existing mapper:\n\tCannot update parameter [norms] "
            "from [false] to [true]");
  EXPECT_EQ(merge_field(R"({"properties":{"a":{"type":"long"}}})", R"({"type":"long"})"),
            "can't merge a non object mapping [f] with an object mapping");
  EXPECT_EQ(merge_field(R"({"type":"long"})", R"({"properties":{"a":{"type":"long"}}})"),
            "mapper [f] cannot be changed from type [long] to [ObjectMapper]");
  EXPECT_EQ(
      merge_field(R"({"type":"object","enabled":false})", R"({"type":"object","enabled":true})"),
      "the [enabled] parameter can't be updated for the object mapping [f]");
  EXPECT_EQ(create(R"({"properties":{"f":{"type":"text"}}})")
                ->merge(R"({"properties":{"f":{"type":"ip"}}})")
                .status()
                .type(),
            ErrorType::kIllegalArgument);
}

TEST(MappingMerge, ReplacesTheListOfTemplates) {
  EXPECT_EQ(
      merge(
          R"({"dynamic_templates":[{"a":{"match":"x","mapping":{"type":"long"}}},{"b":{"match":"y","mapping":{"type":"ip"}}}]})",
          R"({"dynamic_templates":[{"c":{"match":["p","q"],"mapping":{"type":"ip"}}},{"a":{"match":"z","mapping":{"type":"long"}}}]})"),
      R"({"dynamic_templates":[{"c":{"match":["p","q"],"mapping":{"type":"ip"}}},{"a":{"match":"z","mapping":{"type":"long"}}}]})");
  EXPECT_EQ(
      merge(R"({"dynamic_templates":[{"a":{"match":"x","mapping":{"type":"long"}}}]})",
            R"({"properties":{"f":{"type":"ip"}}})"),
      R"({"dynamic_templates":[{"a":{"match":"x","mapping":{"type":"long"}}}],"properties":{"f":{"type":"ip"}}})");
}

TEST(MappingMerge, RefusesTypes) {
  const std::string types =
      "Types cannot be provided in put mapping requests, unless the include_type_name parameter is "
      "set to true.";
  EXPECT_EQ(merge("{}", R"({"_doc":{"properties":{"field":{"type":"keyword"}}}})"), types);
  EXPECT_EQ(merge("{}", R"({"properties":{"_doc":{"properties":{"field":{"type":"keyword"}}}}})"),
            types);
}

TEST(MappingMerge, NestedStaysNested) {
  const std::string nested = R"({"properties":{"a":{"type":"nested"}}})";
  EXPECT_EQ(merge(nested, R"({"properties":{"a":{"type":"nested","properties":)"
                          R"({"x":{"type":"long"}}}}})"),
            R"({"properties":{"a":{"type":"nested","properties":{"x":{"type":"long"}}}}})");
  const std::string conflict = "can't merge a non-nested mapping [a] with a nested mapping";
  EXPECT_EQ(merge(nested, R"({"properties":{"a":{"type":"object"}}})"), conflict);
  EXPECT_EQ(merge(R"({"properties":{"a":{"type":"object"}}})", nested), conflict);
  EXPECT_EQ(merge(nested, R"({"properties":{"a":{"type":"nested","include_in_root":true}}})"),
            "the [include_in_root] parameter can't be updated on a nested object mapping: [a]");
}

TEST(MappingMerge, ObjectsWithoutSubobjectsStayFlat) {
  const std::string flat =
      R"({"properties":{"m":{"subobjects":false,"properties":{"t":{"type":"long"}}}}})";
  EXPECT_EQ(
      merge(flat,
            R"({"properties":{"m":{"properties":{"t":{"type":"long"},"t.min":{"type":"long"}}}}})"),
      R"({"properties":{"m":{"subobjects":false,"properties":)"
      R"({"t":{"type":"long"},"t.min":{"type":"long"}}}}})");
  EXPECT_EQ(merge(flat, R"({"properties":{"m.o":{"properties":{"x.y":{"type":"ip"}}}}})"),
            R"({"properties":{"m":{"subobjects":false,"properties":)"
            R"({"o.x.y":{"type":"ip"},"t":{"type":"long"}}}}})");
  const std::string fixed =
      "the [subobjects] parameter can't be updated for the object mapping [m]";
  EXPECT_EQ(merge(flat, R"({"properties":{"m":{"subobjects":true,"properties":{}}}})"), fixed);
  EXPECT_EQ(merge(R"({"properties":{"m":{"properties":{}}}})",
                  R"({"properties":{"m":{"subobjects":false,"properties":{}}}})"),
            fixed);
}

TEST(MappingMerge, ObjectsWithoutSubobjectsHaveNoNestedOnes) {
  EXPECT_EQ(merge("{}", R"({"properties":{"m":{"subobjects":false,"properties":)"
                        R"({"a.b":{"type":"nested"}}}}})"),
            "Tried to add nested object [a.b] to object [m] which does not support subobjects");
  EXPECT_EQ(merge(R"({"subobjects":false})", R"({"properties":{"a":{"type":"nested"}}})"),
            "Tried to add nested object [a] to object [_doc] which does not support subobjects");
  EXPECT_EQ(merge("{}", R"({"properties":{"n":{"type":"nested","subobjects":false}}})"),
            "Nested type [n] does not support [subobjects] parameter");
}

TEST(MappingMerge, ObjectsBelowFlatOnesHaveNoOptionsOfTheirOwn) {
  const auto refusal = [](const std::string& option) {
    return merge("{}", R"({"properties":{"m":{"properties":{"o":{"properties":{},)" + option +
                           R"(}},"dynamic":"strict","subobjects":false}}})");
  };
  const std::string printed =
      R"({"properties":{"m":{"type":"object","dynamic":"strict","subobjects":false}}})";
  EXPECT_EQ(refusal(R"("dynamic":"strict")"), printed);
  EXPECT_EQ(refusal(R"("enabled":true)"), printed);
  const std::string start =
      "Object [m.o] was found in a context where subobjects is set to false. Auto-flattening "
      "[m.o] failed because the value of ";
  EXPECT_EQ(refusal(R"("dynamic":true)"), start + "[dynamic] is [true]");
  EXPECT_EQ(refusal(R"("enabled":false)"), start + "[enabled] is [false]");
  EXPECT_EQ(refusal(R"("subobjects":true)"), start + "[subobjects] is [true]");
}

TEST(MappingContext, ReadsSettingsInAnySpelling) {
  for (
      const char* settings : {
          R"({"index":{"analysis":{"analyzer":{"mine":{"type":"custom","tokenizer":"whitespace","filter":["lowercase"]}}}}})",
          R"({"analysis":{"analyzer":{"mine":{"tokenizer":"whitespace","filter":"lowercase"}}}})",
          R"({"index.analysis.analyzer.mine.type":"custom","index.analysis.analyzer.mine.tokenizer":"whitespace","index.analysis.analyzer.mine.filter.0":"lowercase"})",
          R"({"settings":{"index":{"analysis.analyzer.mine":{"tokenizer":"whitespace","filter":["lowercase"]}}}})",
      }) {
    const Result<MappingContext> context = make_mapping_context(settings);
    EXPECT_OK(context);
    if (!context.ok()) continue;
    const Analyzer* analyzer = context->analysis->analyzer("mine");
    ASSERT_TRUE(analyzer != nullptr);
    TokenBuffer tokens;
    EXPECT_TRUE(analyzer->analyze("Foo-Bar Baz", tokens).ok());
    ASSERT_EQ(tokens.tokens.size(), 2);
    EXPECT_EQ(tokens.tokens[0].text, "foo-bar");
  }
}

TEST(MappingContext, RefusesBadSettings) {
  const auto refusal = [](std::string_view settings) {
    return make_mapping_context(settings).status().reason();
  };
  for (const std::string type : {"DFR", "DFI", "IB", "scripted"}) {
    EXPECT_EQ(refusal(R"({"similarity":{"x":{"type":")" + type + R"("}}})"),
              "Similarity [x] has type [" + type +
                  "], which is not supported, use [BM25], [boolean], [LMDirichlet] or "
                  "[LMJelinekMercer]");
  }
  EXPECT_EQ(refusal(R"({"similarity":{"x":{"type":"LMDirichlet","lambda":0.5}}})"),
            "[lambda] of similarity [x] has no meaning for type [LMDirichlet]");
  EXPECT_EQ(refusal(R"({"similarity":{"x":{"type":"LMDirichlet","mu":-1}}})"),
            "[mu] of similarity [x] must be a number of 0 or more, got [-1]");
  EXPECT_EQ(refusal(R"({"similarity":{"x":{"type":"LMJelinekMercer","lambda":0}}})"),
            "[lambda] of similarity [x] must be a number above 0 and at most 1, got [0]");
  EXPECT_EQ(refusal(R"({"similarity":{"x":{"type":"LMDirichlet","discount_overlaps":true}}})"),
            "Unknown setting [discount_overlaps] of similarity [x]");
  EXPECT_EQ(refusal(R"({"similarity.x.k1":1})"), "Similarity [x] must have an associated type");
  EXPECT_TRUE(refusal(R"({"similarity":{"x":{"type":"BM25","b":2}}})").find("between 0 and 1") !=
              std::string::npos);
  EXPECT_TRUE(refusal(R"({"index.mapping.total_fields.limit":"x"})")
                  .starts_with("Failed to parse value [x]"));
  EXPECT_TRUE(refusal(R"({"index.mapping.coerce":"x"})").starts_with("Failed to parse value [x]"));
  EXPECT_TRUE(
      refusal(R"({"analysis":{"analyser":{"a":{"type":"x"}}}})").starts_with("unknown setting"));
  EXPECT_FALSE(refusal(R"({"analysis":{"analyzer":{"a":{"type":"nope"}}}})").empty());
  EXPECT_FALSE(refusal("[]").empty());
  EXPECT_FALSE(refusal("{").empty());
  EXPECT_OK(make_mapping_context(
      R"({"number_of_shards":1,"index":{"uuid":"x","refresh_interval":null}})"));
}

}  // namespace quarry::mapping_merge_test
