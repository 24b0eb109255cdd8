// Walks over links and their counts, through the engine: order, directions, states, degrees,
// invalid requests.
#include <string>
#include <vector>

#include "query/links/link_counts.h"
#include "query/links/link_walk.h"
#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::engine_links_test {

using testing::EngineNode;

constexpr std::string_view kMappings =
    "\"mappings\":{\"dynamic\":false,\"properties\":{\"src\":{\"type\":\"keyword\"},\"dst\":{"
    "\"type\":"
    "\"keyword\"},\"type\":{\"type\":\"keyword\"},\"confidence\":{\"type\":\"double\"},\"valid_"
    "at\":{"
    "\"type\":\"date\",\"format\":\"epoch_millis\"},\"invalid_at\":{\"type\":\"date\",\"format\":"
    "\"epoch_millis\"}}}";

struct Walk {
  ErrorType error = ErrorType::kOk;
  std::string reason;
  uint64_t looked_at = 0;
  bool complete = false;
  std::vector<std::string> links;    // id, `>` or `<`, hop
  std::vector<std::string> counts;   // of each hop: beyond, retired, future; type=links
  std::vector<std::string> degrees;  // node in/out
};

/// Parses the format that link_walk.h describes.
Walk decode_walk(Bytes bytes, uint32_t hops) {
  ByteReader reader(bytes);
  Walk walk;
  EXPECT_EQ(reader.get<uint32_t>(), kLinksMagic);
  EXPECT_EQ(reader.get<uint16_t>(), kLinksVersion);
  walk.error = static_cast<ErrorType>(reader.get<uint16_t>());
  if (walk.error != ErrorType::kOk) {
    walk.reason = reader.get_string();
    return walk;
  }
  walk.looked_at = reader.get<uint64_t>();
  reader.get<uint64_t>();
  walk.complete = reader.get<uint8_t>() == 1;
  std::vector<std::string> texts(reader.get<uint32_t>());
  for (std::string& text : texts) text = reader.get_string();
  for (auto left = reader.get<uint32_t>(); left > 0; left--) {
    const std::string id = texts.at(reader.get<uint32_t>());
    reader.get_bytes(16);
    const auto flags = reader.get<uint8_t>();
    reader.get_bytes(48);
    walk.links.push_back(id + ((flags & 1) != 0 ? ">" : "<") + ((flags & 2) != 0 ? "2" : "1"));
  }
  for (uint32_t list = 0; list < 3 * hops; list++) {
    std::string text;
    for (auto left = reader.get<uint32_t>(); left > 0; left--) {
      const std::string type = texts.at(reader.get<uint32_t>());
      text += type + "=" + std::to_string(reader.get<uint32_t>()) + " ";
    }
    walk.counts.push_back(text);
  }
  for (auto left = reader.get<uint32_t>(); left > 0; left--) {
    const std::string node = texts.at(reader.get<uint32_t>());
    const auto in = reader.get<uint32_t>();
    walk.degrees.push_back(node + " " + std::to_string(in) + "/" +
                           std::to_string(reader.get<uint32_t>()));
  }
  EXPECT_TRUE(reader.done());
  return walk;
}

struct Question {
  uint8_t sides = kLinksOut | kLinksIn;
  uint8_t hops = 2;
  bool retired = false;
  uint32_t limit = 100;
  uint32_t frontier = 100;
  std::vector<std::string> types = {};
};

std::vector<uint8_t> walk_bytes(const std::string& seed, const Question& question) {
  ByteWriter out;
  out.put(question.sides);
  out.put(question.hops);
  out.put(static_cast<uint8_t>(question.retired));
  out.put(uint8_t{1});
  out.put(static_cast<uint8_t>(!question.types.empty()));
  out.put(uint8_t{0});
  out.put(100.0);
  out.put(0.0);
  out.put(question.limit);
  out.put(question.frontier);
  out.put(uint32_t{1});
  out.put_string(seed);
  out.put(static_cast<uint32_t>(question.types.size()));
  for (const std::string& type : question.types) out.put_string(type);
  return out.take();
}

struct LinksNode {
  LinksNode() {
    EXPECT_OK(node.open());
    number = node.create("l", std::string(kMappings));
  }
  void link(const std::string& id, const std::string& src, const std::string& dst, double share,
            const std::string& rest = "", int valid_at = 10) {
    node.put("l", id,
             "{\"src\":\"" + src + "\",\"dst\":\"" + dst + "\",\"type\":\"t\",\"confidence\":" +
                 std::to_string(share) + ",\"valid_at\":" + std::to_string(valid_at) + rest + "}");
  }
  Walk walk(const std::string& seed, const Question& question = {}) {
    node.refresh("l");
    return decode_walk(node.engine->walk_links(number, walk_bytes(seed, question)), question.hops);
  }
  EngineNode node;
  uint32_t number = 0;
};

using Texts = std::vector<std::string>;

TEST(EngineLinks, AWalkGoesStrongestFirstAndHopByHop) {
  LinksNode links;
  links.link("ab", "a", "b", 0.5);
  links.link("ca", "c", "a", 0.75);
  links.node.refresh("l");
  links.link("bc", "b", "c", 1);
  links.link("bd", "b", "d", 0.25);
  const Walk walk = links.walk("a");
  EXPECT_EQ(walk.links, (Texts{"ca<1", "ab>1", "bc>2", "bd>2"}));
  EXPECT_EQ(walk.degrees, (Texts{"a 1/1", "c 1/1", "b 1/2", "d 1/0"}));
  EXPECT_TRUE(walk.complete);
  EXPECT_EQ(links.walk("a", {.sides = kLinksOut}).links, (Texts{"ab>1", "bc>2", "bd>2"}));
  EXPECT_EQ(links.walk("a", {.sides = kLinksIn, .hops = 1}).links, Texts{"ca<1"});
  EXPECT_EQ(links.walk("nobody").links, Texts{});
}

TEST(EngineLinks, WhatIsNotAnsweredIsCounted) {
  LinksNode links;
  for (int i = 0; i < 300; i++)
    links.link("e" + std::to_string(1000 + i), "hub", "n" + std::to_string(i), i / 1000.0);
  links.link("old", "hub", "x", 1, ",\"invalid_at\":50");
  links.link("new", "hub", "y", 1, ",\"invalid_at\":150");
  links.link("far", "n299", "z", 1);
  const Walk walk = links.walk("hub", {.limit = 2, .frontier = 2});
  EXPECT_EQ(walk.links, (Texts{"new>1", "e1299>1"}));
  EXPECT_EQ(walk.counts, (Texts{"t=299 ", "t=1 ", "", "t=1 ", "", ""}));
  EXPECT_FALSE(walk.complete);
  EXPECT_EQ(walk.degrees, (Texts{"hub 0/301", "y 1/0", "n299 1/1"}));
  const Walk all = links.walk("hub", {.hops = 1, .retired = true, .limit = 1000});
  EXPECT_EQ(all.links.size(), 302);
  EXPECT_EQ(all.counts, (Texts{"", "", ""}));
  EXPECT_EQ(links.walk("hub", {.types = {"u"}}).links, Texts{});
}

TEST(EngineLinks, LinksThatBeginLaterAreCountedByHopAndType) {
  LinksNode links;
  links.link("now", "a", "b", 1);
  links.link("later", "a", "c", 1, "", 101);
  links.link("behind", "b", "d", 1, "", 200);
  const Walk walk = links.walk("a");
  EXPECT_EQ(walk.links, Texts{"now>1"});
  EXPECT_EQ(walk.counts, (Texts{"", "", "t=1 ", "", "", "t=1 "}));
  EXPECT_EQ(links.walk("a", {.types = {"u"}}).counts, (Texts{"", "", "", "", "", ""}));
}

TEST(EngineLinks, ReplacedAndDeletedLinksAreGone) {
  LinksNode links;
  links.link("ab", "a", "b", 1);
  links.link("ac", "a", "c", 1);
  links.node.refresh("l");
  links.link("ab", "a", "d", 1);
  links.node.erase("l", "ac");
  const Walk walk = links.walk("a", {.hops = 1});
  EXPECT_EQ(walk.links, Texts{"ab>1"});
  EXPECT_EQ(walk.degrees, (Texts{"a 0/1", "d 1/0"}));
}

TEST(EngineLinks, CountsLookAtEveryLinkOnce) {
  LinksNode links;
  const uint32_t nodes = links.node.create("n");
  links.node.put("n", "a", "{}");
  links.node.put("n", "alone", "{}");
  links.node.refresh("n");
  links.link("ab", "a", "b", 1);
  links.link("old", "b", "a", 1, ",\"invalid_at\":50");
  links.node.refresh("l");
  links.link("ac", "a", "c", 1, ",\"invalid_at\":150");
  links.node.refresh("l");
  ByteWriter request;
  request.put(uint8_t{0});
  request.put(100.0);
  request.put(0.0);
  request.put(uint32_t{2});
  const std::vector<uint8_t> reply =
      links.node.engine->count_links(links.number, {nodes}, request.view());
  ByteReader reader(reply);
  reader.get_bytes(8);
  // Live, retired, future, detected; the next change; documents, linked, missing, examined.
  for (const double expected : {2.0, 1.0, 0.0, 0.0, 150.0, 2.0, 3.0, 2.0, 3.0})
    EXPECT_EQ(reader.get<double>(), expected);
  EXPECT_EQ(reader.get<uint32_t>(), 2);
  EXPECT_EQ(reader.get_string(), "a");
  EXPECT_EQ(reader.get<uint32_t>(), 0);
  EXPECT_EQ(reader.get<uint32_t>(), 2);
  EXPECT_EQ(reader.get_string(), "b");
}

TEST(EngineLinks, AnIndexOfOtherFieldsIsRefused) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number =
      node.create("x", "\"mappings\":{\"properties\":{\"src\":{\"type\":\"text\"}}}");
  const Walk walk = decode_walk(node.engine->walk_links(number, walk_bytes("a", {})), 2);
  EXPECT_EQ(walk.error, ErrorType::kIllegalArgument);
  EXPECT_EQ(walk.reason,
            "index [x] cannot hold links: field [src] of type [text] must be an indexed keyword "
            "with doc values");
  const uint32_t empty = node.create("y");
  EXPECT_EQ(decode_walk(node.engine->walk_links(empty, walk_bytes("a", {})), 2).links, Texts{});
  EXPECT_EQ(decode_walk(node.engine->walk_links(77, walk_bytes("a", {})), 2).error,
            ErrorType::kIndexNotFound);
}

TEST(EngineLinks, BytesThatAreNoRequestAreRefused) {
  LinksNode links;
  links.link("ab", "a", "b", 1);
  const std::vector<uint8_t> whole = walk_bytes("a", {.types = {"t"}});
  for (size_t length = 0; length < whole.size(); length++) {
    const Bytes part = Bytes(whole).first(length);
    EXPECT_EQ(decode_walk(links.node.engine->walk_links(links.number, part), 2).error,
              ErrorType::kParsing);
    EXPECT_EQ(decode_link_count(part).ok(), length == 21);
  }
  std::vector<uint8_t> longer = whole;
  longer.push_back(0);
  EXPECT_FALSE(decode_link_walk(longer).ok());
  for (const auto& [at, byte] : {std::pair{0, 0}, {0, 4}, {1, 0}, {1, 3}, {13, 0x7f}}) {
    std::vector<uint8_t> wrong = whole;
    wrong[static_cast<size_t>(at)] = static_cast<uint8_t>(byte);
    EXPECT_FALSE(decode_link_walk(wrong).ok());
  }
}

}  // namespace quarry::engine_links_test
