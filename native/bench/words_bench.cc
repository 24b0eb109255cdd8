// Measures the cost and the work of queries inside the core, by family. CPU microseconds of the
// searching thread, each query's best pass, mean over a family's queries: top 10, top 10 with the
// exact total, the total alone; aggregations in the first column alone. Work counters are those of
// the first. Arguments: the commits as the peers' table reads them (tab-separated, typed header)
// and the workload, see ../shared/peers/lexical. With --rows FILE every query is also written as a
// line of that table. Before a query is timed its pruned hits are compared with the exhaustive
// ones.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "testing/agg_builder.h"
#include "testing/test_index.h"

namespace {

using namespace quarry;
using namespace quarry::testing;

constexpr float kSaturation = 2.2F;  // k1 + 1, a factor that the peers' scores lack
constexpr const char* kMappings = R"({"properties":{
    "text":{"type":"text"},"repo":{"type":"keyword"},"author":{"type":"keyword"},
    "dir":{"type":"keyword"},"ext":{"type":"keyword"},"files":{"type":"long"},
    "ts":{"type":"date","format":"epoch_second"},"lag_s":{"type":"long"},
    "parents":{"type":"long"}}})";

struct Options {
  std::string corpus;
  std::string workload;
  std::string rows;
  std::string only;  // families whose names start with it
  uint32_t segments = 1;
  uint32_t deleted = 0;  // percent
  uint32_t passes = 5;
  std::string mode;   // the only mode to run; empty: all
  bool kept = false;  // caches filters and counts, as a service does
};

double cpu_us() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> out;
  for (size_t end = text.find(at); end != std::string_view::npos; end = text.find(at)) {
    out.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  out.push_back(text);
  return out;
}

/// One line of the table as a document; several values of a column are separated by 0x1f.
std::string document_of(const std::vector<std::string>& columns, std::string_view line) {
  const std::vector<std::string_view> values = split(line, '\t');
  JsonValue document = JsonValue::object();
  for (size_t i = 0; i < std::min(columns.size(), values.size()); i++) {
    const std::string& column = columns[i];
    const std::string name = column.substr(0, column.find(':'));
    if (name == "_id" || (values[i].empty() && name != "text")) continue;
    if (!column.ends_with(":kws")) {
      document.set(name, JsonValue::string(std::string(values[i])));
      continue;
    }
    std::vector<JsonValue> several;
    for (const std::string_view value : split(values[i], '\x1f'))
      several.push_back(JsonValue::string(std::string(value)));
    document.set(name, JsonValue::array(std::move(several)));
  }
  return document.to_json();
}

void load_corpus(const Options& options, TestIndex& index) {
  std::ifstream in(options.corpus);
  std::string line;
  std::vector<std::string> columns;
  if (!std::getline(in, line)) fail("no corpus at " + options.corpus);
  for (const std::string_view column : split(line, '\t')) columns.emplace_back(column);
  std::vector<std::string> documents;
  while (std::getline(in, line)) documents.push_back(document_of(columns, line));
  const size_t part = (documents.size() + options.segments - 1) / options.segments;
  for (size_t i = 0; i < documents.size(); i++) {
    index.add(std::to_string(i), documents[i]);
    if ((i + 1) % part == 0) index.refresh();
  }
  index.refresh();
  for (size_t i = 0; i < documents.size() && options.deleted > 0; i++) {
    // Evenly distributed, but not at a power of two.
    if (i * 7919 % 100 < options.deleted) index.remove(std::to_string(i));
  }
}

std::string text_of(const JsonValue& json, std::string_view key) {
  const JsonValue* found = json.find(key);
  return found == nullptr ? std::string() : std::string(found->text());
}

std::vector<NodeBytes> term_nodes(const JsonValue& query) {
  std::vector<NodeBytes> out;
  for (const JsonValue& term : query.find("terms")->items())
    out.push_back(Query().term("text", term.text()));
  return out;
}

std::string joined_terms(const JsonValue& query) {
  std::string out;
  for (const JsonValue& term : query.find("terms")->items()) out += std::string(term.text()) + " ";
  return out;
}

NodeBytes time_range(const JsonValue& query) {
  return Query().range("ts", 1 | 8, {text_of(query, "gte"), text_of(query, "lt")});
}

NodeBytes aggregation(const JsonValue& agg) {
  TermsOptions options;
  options.shard_size = 10;
  options.exact_limit = 0;  // the value that the service sends to the only shard of an index
  const auto histogram = [](const JsonValue& of) {
    RoundingSpec rounding;
    rounding.unit = text_of(of, "interval") == "month" ? 3 : 1;
    return date_histogram_agg(text_of(of, "date_histogram"), rounding);
  };
  if (agg.find("cardinality") != nullptr) {
    return AggBuilder(PlanOp::kAggCardinality, "cardinality")
        .source(text_of(agg, "cardinality"))
        .put(uint32_t{3000})
        .put(uint8_t{1})
        .finish();
  }
  if (agg.find("stats") != nullptr) return stats_agg(text_of(agg, "stats"));
  if (agg.find("date_histogram") != nullptr) return histogram(agg);
  if (const JsonValue* sub = agg.find("sub"); sub != nullptr)
    return terms_agg(text_of(agg, "terms"), options, {histogram(*sub)});
  return terms_agg(text_of(agg, "terms"), options);
}

/// Without legs for a kind of query that this benchmark does not run.
PlanFrame make_frame(const JsonValue& query) {
  PlanFrame frame;
  const std::string kind = text_of(query, "kind");
  if (kind == "term") frame.legs = term_nodes(query);
  if (kind == "and") frame.legs = {Query().boolean(term_nodes(query))};
  if (kind == "or") frame.legs = {Query().boolean({}, {}, term_nodes(query))};
  if (kind == "phrase") frame.legs = {Query().match_phrase("text", joined_terms(query))};
  if (kind == "prefix") frame.legs = {Query().prefix("text", text_of(query, "prefix"))};
  if (kind == "wildcard") frame.legs = {Query().wildcard("text", text_of(query, "pattern"))};
  if (kind == "fuzzy") frame.legs = {Query().fuzzy("text", text_of(query, "term"), "1")};
  if (kind == "range_term") frame.legs = {Query().boolean(term_nodes(query), {time_range(query)})};
  if (kind == "filter") {
    const std::vector<JsonValue>& filters = query.find("filters")->items();
    frame.legs = {Query().boolean(
        {}, {Query().term("repo", text_of(filters[0], "value")), time_range(filters[1])})};
  }
  if (kind == "sort") {
    frame.legs = term_nodes(query);
    SortKey key;
    key.field = "ts";
    key.descending = true;
    frame.sort = {key};
  }
  if (kind == "agg") {
    const std::string word = text_of(query, "query");
    frame.legs = {query.find("query")->is_string() ? Query().term("text", word)
                                                   : Query().match_all()};
    frame.aggs = {aggregation(*query.find("agg"))};
  }
  return frame;
}

struct Mode {
  const char* name;
  uint32_t window;
  uint32_t track;
};
constexpr Mode kModes[] = {
    {"top10", 10, 0}, {"top10_count", 10, kExactTotal}, {"count", 0, kExactTotal}};

/// Cost and result of one query, or the sum over a family's queries.
struct Measured {
  uint32_t queries = 0;
  uint64_t hits = 0;
  double us[3] = {};
  uint64_t scored = 0;
  uint64_t terms = 0;
  PostingsWork postings;
  std::vector<float> scores;
};

struct Timed {
  ShardHits hits;
  double us = 1e18;
};

Timed time_mode(const TestIndex& index, const PlanFrame& frame, uint32_t passes) {
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  if (!plan.ok()) fail(plan.status().reason());
  const SearchContext context = index.context();
  Timed out;
  for (uint32_t pass = 0; pass <= passes; pass++) {
    const double start = cpu_us();
    Result<ShardHits> hits = execute_search(context, *plan);
    out.us = std::min(out.us, cpu_us() - start);
    if (!hits.ok()) fail(hits.status().reason());
    if (pass == 0) out.hits = std::move(hits).value();
  }
  return out;
}

Measured measure(const TestIndex& index, PlanFrame frame, const Options& options) {
  Measured out;
  out.queries = 1;
  const bool agg = !frame.aggs.empty();
  std::vector<uint32_t> found;
  for (size_t mode = 0; mode < (agg ? 1 : 3); mode++) {
    if (!agg && !options.mode.empty() && options.mode != kModes[mode].name) continue;
    frame.window = agg ? 0 : kModes[mode].window;
    frame.track_total_hits = agg ? kExactTotal : kModes[mode].track;
    const Timed timed = time_mode(index, frame, options.passes);
    out.us[mode] = timed.us;
    const LegHits& leg = timed.hits.legs[0];
    if (mode == 0) {
      found = leg.docs;
      out.scores = leg.scores;
      out.postings = timed.hits.postings;
      out.terms = timed.hits.terms_visited;
      out.scored = timed.hits.docs_scored;
    }
    if (mode == 1 && options.mode.empty() && leg.docs != found) fail("wrong: pruned hits differ");
    if (mode != 0 || agg) out.hits = timed.hits.total;
  }
  return out;
}

void write_row(std::ofstream& out, const JsonValue& query, const Measured& one) {
  const bool agg = text_of(query, "kind") == "agg";
  out << "{\"id\":\"" << text_of(query, "id") << "\",\"family\":\"" << text_of(query, "family")
      << '"';
  char text[64];
  for (size_t mode = 0; mode < (agg ? 1 : 3); mode++) {
    std::snprintf(text, sizeof text, ",\"%s\":%.1f", kModes[mode].name, one.us[mode]);
    out << text;
  }
  out << ",\"blocks\":" << one.postings.blocks << ",\"positions\":" << one.postings.positions
      << ",\"bytes\":" << one.postings.bytes << ",\"terms\":" << one.terms
      << ",\"scored\":" << one.scored << ",\"hits\":" << one.hits << ",\"scores\":[";
  for (size_t i = 0; i < one.scores.size(); i++) {
    const float score = one.scores[i] == one.scores[i] ? one.scores[i] : 0;
    std::snprintf(text, sizeof text, "%s%.4f", i > 0 ? "," : "",
                  static_cast<double>(score / kSaturation));
    out << text;
  }
  out << "]}\n";
}

void add(const Measured& one, Measured& family) {
  family.queries++;
  family.hits += one.hits;
  for (size_t mode = 0; mode < 3; mode++) family.us[mode] += one.us[mode];
  family.postings.add(one.postings);
  family.terms += one.terms;
  family.scored += one.scored;
}

Options read_options(int argc, char** argv) {
  if (argc < 3) {
    fail(
        "usage: words_bench <corpus.tsv> <workload.ndjson> [--rows FILE] [--only FAMILY] "
        "[--segments N] [--deleted PERCENT] [--passes N] [--mode top10|top10_count|count] "
        "[--kept yes]");
  }
  Options options;
  options.corpus = argv[1];
  options.workload = argv[2];
  for (int i = 3; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::string value = argv[i + 1];
    const auto number = static_cast<uint32_t>(std::strtoul(value.c_str(), nullptr, 10));
    if (name == "--rows") options.rows = value;
    if (name == "--only") options.only = value;
    if (name == "--segments") options.segments = std::max(1U, number);
    if (name == "--deleted") options.deleted = number;
    if (name == "--passes") options.passes = number;
    if (name == "--mode") options.mode = value;
    if (name == "--kept") options.kept = value == "yes";
  }
  return options;
}

void print(const std::map<std::string, Measured>& families) {
  std::printf("%-24s %5s %9s %10s %10s %10s %8s %9s %9s %9s %8s\n", "family", "n", "hits", "top10",
              "+count", "count", "blocks", "scored", "positions", "bytes", "terms");
  for (const auto& [name, family] : families) {
    const auto mean = [n = static_cast<double>(family.queries)](uint64_t sum) {
      return static_cast<double>(sum) / n;
    };
    const auto n = static_cast<double>(family.queries);
    const PostingsWork& work = family.postings;
    std::printf("%-24s %5u %9.0f %10.1f %10.1f %10.1f %8.1f %9.1f %9.1f %9.0f %8.1f\n",
                name.c_str(), family.queries, mean(family.hits), family.us[0] / n, family.us[1] / n,
                family.us[2] / n, mean(work.blocks), mean(family.scored), mean(work.positions),
                mean(work.bytes), mean(family.terms));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  TestIndex index(kMappings);
  const double start = cpu_us();
  load_corpus(options, index);
  FilterCache cache(size_t{64} << 20);
  std::fprintf(stderr, "loaded in %.1f s of CPU\n", (cpu_us() - start) / 1e6);
  std::map<std::string, Measured> families;
  std::ifstream in(options.workload);
  std::ofstream rows(options.rows);
  for (std::string line; std::getline(in, line);) {
    const Result<JsonValue> query = JsonValue::parse(line);
    if (!query.ok() || !text_of(*query, "family").starts_with(options.only)) continue;
    const PlanFrame frame = make_frame(*query);
    if (frame.legs.empty()) continue;
    // Aggregations find term ordinals in the cache, as in a service; filters and word counts are
    // cached only with `kept`.
    index.use_cache(frame.aggs.empty() && !options.kept ? nullptr : &cache);
    const Measured one = measure(index, frame, options);
    add(one, families[text_of(*query, "family")]);
    if (rows.is_open()) write_row(rows, *query, one);
  }
  print(families);
  return 0;
}
