// Measures what the grams of a wildcard field save, and what they cost. The same values are indexed
// as a wildcard and as a keyword field: authors, beginnings of texts, words of texts. Patterns are
// cut from values chosen by a seed; both fields must find the same documents before they are timed
// alternately. CPU microseconds of the searching thread for the total alone, each query's best
// pass, mean over a kind of pattern; terms examined; bytes of the terms and of the grams.
// Arguments: the commits as the peers' table reads them (see words_bench), [passes].
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "json/value.h"
#include "testing/test_index.h"

namespace {

using namespace quarry;
using namespace quarry::testing;

constexpr const char* kMappings =
    R"({"properties":{"w":{"type":"wildcard"},"k":{"type":"keyword"}}})";
constexpr uint32_t kPatterns = 50;  // patterns of one kind
constexpr size_t kHeadBytes = 80;

double cpu_us() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

/// Extracts the values of one line of the table.
using Values = std::function<std::set<std::string>(std::string_view author, std::string_view text)>;

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) out.emplace(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void load(const std::string& corpus, const Values& values, TestIndex& index) {
  std::ifstream in(corpus);
  std::string line;
  if (!std::getline(in, line)) fail("no corpus at " + corpus);
  for (uint32_t n = 0; std::getline(in, line); n++) {
    std::vector<std::string_view> columns;
    for (std::string_view rest = line; !rest.empty();) {
      const size_t end = std::min(rest.find('\t'), rest.size());
      columns.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (columns.size() < 10) continue;
    std::vector<JsonValue> list;
    for (const std::string& value : values(columns[2], columns[9]))
      list.push_back(JsonValue::string(value));
    JsonValue document = JsonValue::object();
    document.set("w", JsonValue::array(list));
    document.set("k", JsonValue::array(std::move(list)));
    index.add(std::to_string(n), document.to_json());
  }
  index.refresh();
}

enum class Kind : uint8_t { kLeading, kInside, kBoth, kRegexp };
constexpr std::pair<Kind, const char*> kKinds[] = {{Kind::kLeading, "*tail"},
                                                   {Kind::kInside, "*part*"},
                                                   {Kind::kBoth, "h*tail"},
                                                   {Kind::kRegexp, "/.*part.*/"}};

NodeBytes query_of(Kind kind, const std::string& field, std::string_view value) {
  const std::string tail(value.substr(value.size() - 4));
  const std::string part(value.substr(value.size() / 2 - 2, 5));
  const Query query;
  switch (kind) {
    case Kind::kLeading:
      return query.wildcard(field, "*" + tail);
    case Kind::kInside:
      return query.wildcard(field, "*" + part + "*");
    case Kind::kBoth:
      return query.wildcard(field, std::string(value.substr(0, 1)) + "*" + tail);
    default:
      return query.regexp(field, ".*" + part + ".*");
  }
}

bool plain(std::string_view value) {
  if (value.size() < 6) return false;
  for (const char c : value) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ';
    if (!letter) return false;
  }
  return true;
}

struct Cost {
  double us = 0;
  double terms = 0;
  uint64_t hits = 0;
};

Cost measure(const TestIndex& index, const NodeBytes& query, uint32_t passes) {
  PlanFrame frame;
  frame.legs = {query};
  frame.window = 0;
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  if (!plan.ok()) fail(plan.status().reason());
  Cost out{1e18, 0, 0};
  for (uint32_t pass = 0; pass < passes; pass++) {
    const double start = cpu_us();
    const Result<ShardHits> hits = execute_search(index.context(), *plan);
    out.us = std::min(out.us, cpu_us() - start);
    if (!hits.ok()) fail(hits.status().reason());
    out.terms = static_cast<double>(hits->terms_visited);
    out.hits = hits->total;
  }
  return out;
}

void run(const char* name, const std::string& corpus, const Values& values, uint32_t passes) {
  TestIndex index(kMappings);
  load(corpus, values, index);
  const SegmentField* field = index.context().view->segments[0].segment->field("w");
  const TermDictionary& terms = field->inverted->terms();
  uint64_t text_bytes = 0;
  for (uint32_t i = 0; i < terms.size(); i++) text_bytes += terms.term(i).size();
  const double start = cpu_us();
  const std::vector<uint8_t> grams = write_term_grams(terms);
  std::printf("%s: %u terms of %llu bytes, grams %zu bytes, written in %.0f ms\n", name,
              terms.size(), static_cast<unsigned long long>(text_bytes), grams.size(),
              (cpu_us() - start) / 1e3);
  for (const auto& [kind, shown] : kKinds) {
    Random random(11);
    Cost narrowed;
    Cost walked;
    for (uint32_t i = 0; i < kPatterns;) {
      const std::string value(terms.term(static_cast<uint32_t>(random.below(terms.size()))));
      if (!plain(value)) continue;
      i++;
      const Cost ours = measure(index, query_of(kind, "w", value), passes);
      const Cost theirs = measure(index, query_of(kind, "k", value), passes);
      if (ours.hits != theirs.hits) fail("wrong: the fields differ on " + value);
      narrowed = {narrowed.us + ours.us, narrowed.terms + ours.terms, narrowed.hits + ours.hits};
      walked = {walked.us + theirs.us, walked.terms + theirs.terms, 0};
    }
    std::printf("  %-12s %8.0f hits   grams %9.1f us %9.0f terms   walk %9.1f us %9.0f terms\n",
                shown, static_cast<double>(narrowed.hits) / kPatterns, narrowed.us / kPatterns,
                narrowed.terms / kPatterns, walked.us / kPatterns, walked.terms / kPatterns);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) fail("usage: patterns_bench <corpus.tsv> [passes]");
  const std::string corpus = argv[1];
  const auto passes = argc > 2 ? static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 10)) : 3;
  using Text = std::string_view;
  run(
      "authors", corpus,
      [](Text author, Text) { return std::set<std::string>{std::string(author)}; }, passes);
  run(
      "heads", corpus,
      [](Text, Text text) {
        return std::set<std::string>{std::string(text.substr(0, kHeadBytes))};
      },
      passes);
  run("words", corpus, [](Text, Text text) { return words_of(text); }, passes);
  return 0;
}
