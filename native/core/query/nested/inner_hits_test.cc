// Inner hits: for each document of a page the nested documents that match, compared with what the
// documents say.
#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "query/fetch/timed_fetch.h"
#include "testing/counting_clock.h"
#include "testing/test_index.h"

namespace quarry::inner_hits_test {

using testing::inner_hits_frame;
using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

constexpr std::string_view kMapping = R"({"properties":{
  "tag":{"type":"keyword"},
  "c":{"type":"nested","properties":{
    "who":{"type":"keyword"},"stars":{"type":"integer"},"text":{"type":"text"},
    "r":{"type":"nested","properties":{"who":{"type":"keyword"},"n":{"type":"integer"}}}}},
  "o":{"properties":{"p":{"type":"nested","properties":{"x":{"type":"keyword"}}}}}}})";

NodeBytes term(std::string_view field, std::string_view value) {
  return Query().term(field, value);
}

PlanFrame plan_of(const NodeBytes& query) {
  PlanFrame frame;
  frame.legs.push_back(query);
  return frame;
}

/// All documents, each of which shows the nested ones that the plan finds.
PlanFrame showing(std::string_view path, const PlanFrame& inner) {
  PlanFrame frame = plan_of(Query().match_all());
  frame.more.push_back(inner_hits_frame(path, inner));
  return frame;
}

struct Docs {
  TestIndex index{kMapping};
  Docs() {
    index.add("1", R"({"tag":"u","c":[
      {"who":"kim","stars":1,"text":"fox fox","r":[{"who":"lee","n":1},{"who":"kim","n":2}]},
      {"who":"lee","stars":5,"text":"fox"}]})");
    index.add("2", R"({"tag":"u","c":{"who":"kim","stars":5,"text":"dog"}})");
    index.refresh();
    index.add("3", R"({"tag":"v","c":[],"o":{"p":[{"x":"1"},null,{"x":"2"}]}})");
    index.add("4", R"({"c":[{"who":"lee","stars":2,"r":{"who":"kim","n":9}}]})");
    index.refresh();
  }
  std::vector<FetchedDocument> page(const PlanFrame& frame) const {
    const Result<ShardHits> hits = index.run(frame);
    EXPECT_OK(hits);
    return index.fetch(frame, hits->legs[0].docs);
  }
};

/// "1:0,1 2:0", the offsets of the hits by the id of the document around them.
std::string offsets(const std::vector<FetchedDocument>& page) {
  std::string out;
  for (const FetchedDocument& document : page) {
    out += (out.empty() ? "" : " ") + document.id + ":";
    std::string places;
    for (const FetchedDocument& hit : document.inner_hits.at(0).documents) {
      EXPECT_EQ(hit.id, document.id);
      const size_t at = hit.nested.rfind("\"offset\":") + 9;
      places += (places.empty() ? "" : ",") + hit.nested.substr(at, hit.nested.find('}', at) - at);
    }
    out += places;
  }
  return out;
}

TEST(InnerHits, AreTheNestedDocumentsOfEachDocument) {
  const Docs docs;
  const auto all = docs.page(showing("c", plan_of(Query().match_all())));
  EXPECT_EQ(offsets(all), "1:0,1 2:0 3: 4:0");
  const FetchedDocument& second = all.at(0).inner_hits.at(0).documents.at(1);
  EXPECT_EQ(second.nested, R"({"field":"c","offset":1})");
  EXPECT_EQ(second.source, R"({"who":"lee","stars":5,"text":"fox"})");
  EXPECT_EQ(all.at(0).inner_hits.at(0).hits.total, 2U);
  EXPECT_EQ(offsets(docs.page(showing("c", plan_of(Query().match("c.text", "fox"))))),
            "1:0,1 2: 3: 4:");
  EXPECT_EQ(offsets(docs.page(showing("c", plan_of(term("c.stars", "5"))))), "1:1 2:0 3: 4:");
  EXPECT_EQ(offsets(docs.page(showing("o.p", plan_of(Query().match_all())))), "1: 2: 3:0,1 4:");
  EXPECT_EQ(offsets(docs.page(showing("nope", plan_of(Query().match_all())))), "1: 2: 3: 4:");
  const NodeBytes none = Query().boolean({}, {}, {}, {term("c.who", "kim")});
  EXPECT_EQ(offsets(docs.page(showing("c", plan_of(none)))), "1:1 2: 3: 4:0");
}

TEST(InnerHits, AreInAnyOrderOfTheDocuments) {
  const Docs docs;
  const PlanFrame frame = showing("c", plan_of(Query().match_all()));
  std::vector<uint32_t> page = docs.index.run(frame)->legs[0].docs;
  std::reverse(page.begin(), page.end());
  EXPECT_EQ(offsets(docs.index.fetch(frame, page)), "4:0 3: 2:0 1:0,1");
}

TEST(InnerHits, OfOnePageInTheirOrder) {
  const Docs docs;
  PlanFrame inner = plan_of(Query().match_all());
  SortKey stars;
  stars.field = "c.stars";
  stars.descending = true;
  inner.sort.push_back(stars);
  const auto sorted = docs.page(showing("c", inner));
  EXPECT_EQ(offsets(sorted), "1:1,0 2:0 3: 4:0");
  EXPECT_EQ(sorted.at(0).inner_hits.at(0).hits.legs.at(0).sort.at(0).ints.at(0), 5);
  inner.window = 1;
  EXPECT_EQ(offsets(docs.page(showing("c", inner))), "1:1 2:0 3: 4:0");
  EXPECT_EQ(docs.page(showing("c", inner)).at(0).inner_hits.at(0).hits.total, 2U);
}

TEST(InnerHits, HaveInnerHitsOfTheirOwn) {
  const Docs docs;
  PlanFrame inner = plan_of(Query().match_all());
  inner.more.push_back(inner_hits_frame("c.r", plan_of(term("c.r.who", "kim"))));
  const auto page = docs.page(showing("c", inner));
  const std::vector<FetchedDocument>& first = page.at(0).inner_hits.at(0).documents;
  EXPECT_EQ(first.at(0).inner_hits.at(0).hits.total, 1U);
  EXPECT_EQ(first.at(1).inner_hits.at(0).hits.total, 0U);
  const FetchedDocument& reply = first.at(0).inner_hits.at(0).documents.at(0);
  EXPECT_EQ(reply.nested, R"({"field":"c","offset":0,"_nested":{"field":"r","offset":1}})");
  EXPECT_EQ(reply.source, R"({"who":"kim","n":2})");
  EXPECT_EQ(offsets(page.at(3).inner_hits.at(0).documents), "4:0");
}

TEST(InnerHits, ShowFieldsOfTheirOwn) {
  const Docs docs;
  PlanFrame inner = plan_of(term("c.who", "lee"));
  inner.fetch.source = 2;
  inner.fetch.includes = {"c.stars"};
  inner.fetch.docvalue_fields = {{"c.who", ""}, {"tag", ""}};
  inner.fetch.fields = {{"c.stars", ""}, {"tag", ""}};
  const auto page = docs.page(showing("c", inner));
  const FetchedDocument& found = page.at(0).inner_hits.at(0).documents.at(0);
  EXPECT_EQ(found.source, R"({"stars":5})");
  EXPECT_EQ(found.fields, R"({"c":[{"stars":[5]}],"c.who":["lee"]})");
}

TEST(InnerHits, OfSeveralDefinitions) {
  const Docs docs;
  PlanFrame frame = plan_of(Query().ids({"1", "4"}));
  ByteWriter payload;
  payload.put(uint32_t{2});
  for (const std::string_view path : {"c", "c.r"}) {
    payload.put_string(path);
    payload.put_string(path);
    payload.put_string(as_text(plan_of(Query().match_all()).bytes()));
  }
  frame.more.push_back(testing::raw_node(PlanOp::kInnerHits, payload));
  const auto page = docs.page(frame);
  EXPECT_EQ(page.at(0).inner_hits.at(0).hits.total, 2U);
  EXPECT_EQ(page.at(0).inner_hits.at(1).hits.total, 2U);
  EXPECT_EQ(page.at(1).inner_hits.at(1).documents.at(0).nested,
            R"({"field":"c","offset":0,"_nested":{"field":"r","offset":0}})");
}

TEST(InnerHits, OfAQueryThatIsWrongAreAnError) {
  const Docs docs;
  const PlanFrame frame = showing("c", plan_of(Query().nested("nope", Query().match_all())));
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  EXPECT_OK(plan);
  const uint32_t root = docs.index.run(plan_of(Query().ids({"1"})))->legs[0].docs.at(0);
  const auto found = execute_fetch(docs.index.context(), *plan, std::vector<uint32_t>{root});
  EXPECT_FALSE(found.ok());
  EXPECT_TRUE(found.status().reason().find("under path [nope]") != std::string::npos);
  // Without a document nothing is searched.
  EXPECT_OK(execute_fetch(docs.index.context(), *plan, std::vector<uint32_t>{}));
}

TEST(InnerHits, PlansInsidePlansEndAtADepth) {
  PlanFrame frame = plan_of(Query().match_all());
  for (int depth = 0; depth < 64; depth++) {
    EXPECT_OK(decode_plan(frame.bytes()));
    frame = showing("c", frame);
  }
  EXPECT_OK(decode_plan(frame.bytes()));
  EXPECT_FALSE(decode_plan(showing("c", frame).bytes()).ok());
}

TEST(InnerHits, DocumentsWhoseTimeIsUpAreLeftOut) {
  TestIndex index(kMapping);
  std::string many;
  for (int i = 0; i < 4000; i++) {
    many += std::string(i > 0 ? "," : "") + R"({"text":"fox","stars":)" + std::to_string(i) + "}";
  }
  for (const std::string id : {"1", "2", "3"}) index.add(id, R"({"c":[)" + many + "]}");
  index.refresh();
  PlanFrame inner = plan_of(Query().match("c.text", "fox"));
  inner.fetch.source = 0;
  PlanFrame frame = showing("c", inner);
  frame.fetch.source = 0;
  const std::vector<uint32_t> docs = index.run(frame)->legs[0].docs;
  EXPECT_EQ(docs.size(), 3);
  frame.timeout_us = testing::CountingClock::kTimeoutUs;
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  size_t complete = 0;
  bool partial = false;
  for (uint64_t looks = 1; complete < 3 && looks < 10000; looks++) {
    const testing::CountingClock clock(looks);
    SearchContext context = index.context();
    context.clock = &clock;
    const Result<TimedFetch> cut = fetch_within(context, *plan, docs, frame.timeout_us);
    EXPECT_OK(cut);
    EXPECT_EQ(cut->timed_out, cut->documents.size() < 3);
    for (const FetchedDocument& document : cut->documents) {
      EXPECT_EQ(document.inner_hits.at(0).hits.total, 4000U);
    }
    complete = cut->documents.size();
    partial = partial || (complete > 0 && complete < 3);
  }
  EXPECT_EQ(complete, 3);
  EXPECT_TRUE(partial);
}

/// A random document: what its nested documents have, in order.
struct Child {
  int stars;
  bool fox;
};

TEST(InnerHits, OfRandomDocumentsAreThoseThatMatch) {
  std::mt19937 random(39);
  TestIndex index(kMapping);
  std::vector<std::vector<Child>> parents(150);
  for (size_t i = 0; i < parents.size(); i++) {
    std::string children;
    for (size_t left = random() % 6; left > 0; left--) {
      const Child child{static_cast<int>(random() % 5), random() % 2 == 0};
      parents[i].push_back(child);
      children += (children.empty() ? "{" : ",{") + std::string(R"("stars":)") +
                  std::to_string(child.stars) + (child.fox ? R"(,"text":"fox")" : "") + "}";
    }
    index.add(std::to_string(i), R"({"c":[)" + children + "]}");
    if (i % 40 == 39) index.refresh();
  }
  index.refresh();
  for (size_t i = 0; i < parents.size(); i += 7) index.remove(std::to_string(i));
  for (int round = 0; round < 40; round++) {
    const auto least = static_cast<int>(random() % 5);
    PlanFrame inner =
        plan_of(Query().boolean({}, {Query().range("c.stars", 1, {std::to_string(least)}),
                                     Query().match("c.text", "fox")}));
    SortKey key;
    key.field = random() % 2 == 0 ? "c.stars" : "_doc";
    if (round % 4 > 0) inner.sort.push_back(key);
    PlanFrame frame = showing("c", inner);
    frame.window = 1000;
    const std::vector<uint32_t> hits = index.run(frame)->legs[0].docs;
    EXPECT_EQ(hits.size(), parents.size() - (parents.size() + 6) / 7);
    std::vector<uint32_t> page;
    for (const uint32_t doc : hits) {
      if (random() % 4 == 0) page.push_back(doc);
    }
    std::shuffle(page.begin(), page.end(), random);
    for (const FetchedDocument& document : index.fetch(frame, page)) {
      const std::vector<Child>& children = parents.at(std::stoul(document.id));
      std::vector<std::pair<int, size_t>> expected;  // by what orders them, then by place
      for (size_t at = 0; at < children.size(); at++) {
        if (children[at].stars < least || !children[at].fox) continue;
        const bool by_stars = round % 4 > 0 && key.field == "c.stars";
        expected.emplace_back(by_stars ? children[at].stars : 0, at);
      }
      std::sort(expected.begin(), expected.end());
      std::string places;
      for (const auto& [stars, at] : expected) {
        places += (places.empty() ? "" : ",") + std::to_string(at);
      }
      EXPECT_EQ(document.inner_hits.at(0).hits.total, expected.size());
      EXPECT_EQ(offsets({document}), document.id + ":" + places);
    }
  }
}

}  // namespace quarry::inner_hits_test
