// Measures quality, speed, build cost and growth of one segment's vector search: CPU time of one
// thread. Every result is compared with cosines in double precision before anything is timed, and
// exact paths must be exact. bench/vectors runs it on the shared sets; see kUsage for a manual run.
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "bench/built_vectors.h"
#include "bench/hnswlib_peer.h"
#include "bench/interleaved_cases.h"
#include "bench/result_line.h"
#include "bench/vector_set.h"
#include "bench/vector_truth.h"

namespace {

using namespace quarry;
using namespace quarry::bench;

constexpr const char* kUsage =
    "usage: vectors_bench [--data FOLDER --set NAME] [--rows N --dims N] [--probes N]\n"
    "                     [--parts search,peers,deletes,merges,growth] [--rounds N] [--ef N]\n"
    "                     [--json]\n"
    "       vectors_bench --counters\n"
    "A set is FOLDER/NAME.base.f16bin and .query.f16bin; without one, vectors are generated.\n";

struct Arguments {
  std::string data;
  std::string set;
  std::set<std::string> parts = {"search", "peers", "deletes", "merges"};
  uint32_t rows = 60'000;
  uint32_t dims = 384;
  uint32_t probes = 1000;
  uint32_t rounds = 5;
  uint32_t ef_construction = 128;
  bool json = false;
  bool counters = false;
};

[[noreturn]] void give_up(const std::string& reason) {
  std::fprintf(stderr, "%s\n", reason.c_str());
  std::exit(1);
}

std::set<std::string> split(const std::string& list) {
  std::set<std::string> out;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    out.insert(list.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

Arguments read_arguments(int argc, char** argv) {
  Arguments out;
  const std::map<std::string, uint32_t*> numbers = {{"--rows", &out.rows},
                                                    {"--dims", &out.dims},
                                                    {"--probes", &out.probes},
                                                    {"--rounds", &out.rounds},
                                                    {"--ef", &out.ef_construction}};
  for (int i = 1; i < argc; i++) {
    const std::string key = argv[i];
    if (key == "--json" || key == "--counters") {
      (key == "--json" ? out.json : out.counters) = true;
      continue;
    }
    const std::string value = ++i < argc ? argv[i] : "";
    const auto number = numbers.find(key);
    if (number != numbers.end()) {
      *number->second = static_cast<uint32_t>(std::strtoul(value.c_str(), nullptr, 10));
      if (*number->second == 0) give_up(key + " takes a number\n" + kUsage);
    } else if (key == "--data") {
      out.data = value;
    } else if (key == "--set") {
      out.set = value;
    } else if (key == "--parts") {
      out.parts = split(value);
    } else {
      give_up("unknown " + key + "\n" + kUsage);
    }
  }
  return out;
}

VectorSet load(const Arguments& arguments) {
  if (arguments.set.empty()) return make_set(arguments.rows, arguments.dims, arguments.probes);
  VectorSet set = read_set(arguments.data, arguments.set, arguments.probes);
  if (set.rows.empty()) give_up("no set " + arguments.set + " in " + arguments.data);
  return set;
}

std::unique_ptr<BuiltVectors> build(const VectorSet& set, uint32_t rows, const BuildOptions& how) {
  Result<std::unique_ptr<BuiltVectors>> built =
      build_vectors({set.rows.data(), size_t{rows} * set.dims}, how);
  if (!built.ok()) give_up(built.status().reason());
  return std::move(built).value();
}

/// A random subset with the fraction `share` of the rows.
Bitset draw(uint32_t rows, double share, uint64_t seed) {
  Bitset out(rows);
  SeededNumbers numbers(seed);
  const auto limit = static_cast<uint64_t>(share * 1e9);
  for (uint32_t i = 0; i < rows; i++)
    if (numbers.next() % 1'000'000'000 < limit) out.set(i);
  return out;
}

struct Ours {
  const BuiltVectors& built;
  VectorProbe& probe;
  const std::vector<uint32_t>* rows = nullptr;  // by document; null: equal to it
};

SearchCase our_case(const VectorSet& set, Ours ours, std::string part, std::string engine,
                    const Truth& truth, const SearchSpec& spec) {
  SearchCase out;
  out.part = std::move(part);
  out.engine = std::move(engine);
  out.beam = spec.beam;
  out.truth = &truth;
  out.exact =
      spec.filter != nullptr || spec.path == VectorPath::kCascade || spec.path == VectorPath::kRows;
  out.counters = &ours.probe.counters;
  out.run = [&set, ours, spec](uint32_t p, std::vector<uint32_t>& found) {
    std::vector<VectorHit> hits;
    ours.probe.run(ours.built, {set.probe(p), set.dims}, spec, hits);
    found.clear();
    for (const VectorHit& hit : hits)
      found.push_back(ours.rows == nullptr ? hit.doc : (*ours.rows)[hit.doc]);
  };
  return out;
}

void add_walks(InterleavedCases& cases, const VectorSet& set, Ours ours, const std::string& part,
               const Truth& truth, const std::vector<uint32_t>& beams, const Bitset* live) {
  const std::pair<const char*, VectorPath> paths[] = {{"sketch walk", VectorPath::kSketchWalk},
                                                      {"sq8 walk", VectorPath::kFullWalk},
                                                      {"planner", VectorPath::kAuto}};
  for (const auto& [engine, path] : paths) {
    if (path == VectorPath::kSketchWalk && ours.built.sketch_dims() == 0) continue;
    for (const uint32_t beam : beams)
      cases.add(
          our_case(set, ours, part, engine, truth, {path, beam, kNearestVectors, nullptr, live}));
  }
}

void print_build(const Arguments& arguments, const VectorSet& set, const BuiltVectors& built) {
  const VectorSectionViews sections = built.sections.views();
  const double rows = built.column->size();
  ResultLine line(arguments.json);
  line.text("set", set.name).text("part", "build").text("engine", "quarry");
  line.count("rows", built.column->size()).count("dims", set.dims);
  line.count("sketchDims", built.sketch_dims()).text("isa", simd::kernels().name);
  line.number("codesSeconds", built.codes_seconds).number("graphSeconds", built.graph_seconds);
  line.number("rowBytes", static_cast<double>(sections.rows.size()) / rows, 1);
  line.number("fullBytes", static_cast<double>(sections.full.size()) / rows, 1);
  line.number("sketchBytes", static_cast<double>(sections.sketch.size()) / rows, 1);
  line.number("boundBytes", static_cast<double>(sections.bounds.size()) / rows, 1);
  line.number("graphBytes", static_cast<double>(sections.graph.size()) / rows, 1);
  line.number("headBytes", static_cast<double>(sections.head.size()) / rows, 1);
  line.number("hotBytes", static_cast<double>(built.hot_bytes()) / rows, 1);
  line.print();
}

#ifdef QUARRY_HAS_HNSWLIB
void add_hnswlib(InterleavedCases& cases, const Arguments& arguments, const VectorSet& set,
                 const Truth& truth, std::unique_ptr<HnswlibPeer>& peer) {
  if (!HnswlibPeer::can_run()) {
    std::fprintf(stderr, "skipped: hnswlib is compiled for AVX-512 here\n");
    return;
  }
  std::vector<float> rows = set.rows;
  for (uint32_t i = 0; i < set.size(); i++) {
    const double length = std::sqrt(plain_dot(set.row(i), set.row(i), set.dims));
    for (uint32_t d = 0; d < set.dims; d++)
      rows[size_t{i} * set.dims + d] = static_cast<float>(set.row(i)[d] / length);
  }
  const double start = cpu_us();
  peer = std::make_unique<HnswlibPeer>(rows, set.dims, 16, arguments.ef_construction);
  ResultLine line(arguments.json);
  line.text("set", set.name).text("part", "build").text("engine", "hnswlib");
  line.number("graphSeconds", (cpu_us() - start) / 1e6).print();
  for (const uint32_t beam : {10, 16, 24, 32, 48, 64, 96, 128, 192, 256, 400, 800}) {
    SearchCase c;
    c.part = "walk";
    c.engine = "hnswlib";
    c.beam = beam;
    c.truth = &truth;
    c.run = [&set, &peer, beam](uint32_t p, std::vector<uint32_t>& found) {
      peer->search(set.probe(p), kNearestVectors, beam, found);
    };
    cases.add(std::move(c));
  }
}
#endif

/// Gigabytes per second that one thread reads from memory that is not cached: best of several
/// passes over the rows of the set.
double read_bandwidth(const VectorSet& set) {
  constexpr size_t kLanes = 32;
  const size_t count = set.rows.size() / kLanes * kLanes;
  double best = 0;
  for (int pass = 0; pass < 2; pass++) {
    float lanes[kLanes] = {};
    const double start = cpu_us();
    for (size_t at = 0; at < count; at += kLanes)
      for (size_t i = 0; i < kLanes; i++) lanes[i] += set.rows[at + i];
    const double us = cpu_us() - start;
    volatile float sink = lanes[17];
    static_cast<void>(sink);
    best = std::max(best, static_cast<double>(count) * 4 / us / 1000);
  }
  return best;
}

void search_part(const Arguments& arguments, const VectorSet& set, const BuiltVectors& built) {
  const uint32_t rows = set.size();
  const std::pair<const char*, double> shares[] = {
      {"filter 50%", 0.5}, {"filter 10%", 0.1}, {"filter 1%", 0.01}, {"filter 0.1%", 0.001}};
  std::vector<Bitset> filters;
  for (const auto& [name, share] : shares) filters.push_back(draw(rows, share, 5));
  std::vector<Truth> truths(1 + filters.size());
  std::vector<Truth*> wanted;
  for (size_t i = 0; i < truths.size(); i++) {
    truths[i].rows = rows;
    if (i > 0) truths[i].mask = &filters[i - 1];
    wanted.push_back(&truths[i]);
  }
  if (!compute_truths(set, wanted)) give_up("the core's dot product is wrong");

  VectorProbe probe;
  const Ours ours{built, probe};
  InterleavedCases cases(set, arguments.json);
  add_walks(cases, set, ours, "walk", truths[0],
            {10, 16, 24, 32, 48, 64, 96, 128, 192, 256, 400, 800}, nullptr);
  const VectorPath cascade = VectorPath::kCascade;
  cases.add(our_case(set, ours, "exact", "cascade", truths[0], {cascade}));
  cases.add(our_case(set, ours, "exact", "f32 rows", truths[0], {VectorPath::kRows}));
  for (size_t i = 0; i < filters.size(); i++) {
    SearchSpec spec;
    spec.filter = &filters[i];
    cases.add(our_case(set, ours, shares[i].first, "planner", truths[i + 1], spec));
    spec.path = VectorPath::kRows;
    cases.add(our_case(set, ours, shares[i].first, "f32 rows", truths[i + 1], spec));
  }
#ifdef QUARRY_HAS_HNSWLIB
  std::unique_ptr<HnswlibPeer> peer;
  if (arguments.parts.count("peers") > 0) add_hnswlib(cases, arguments, set, truths[0], peer);
#else
  if (arguments.parts.count("peers") > 0)
    std::fprintf(stderr, "skipped: the headers of hnswlib are not there\n");
#endif
  if (!cases.check()) give_up("an exact search is not exact");
  double bandwidth = 0;
  cases.time(arguments.rounds, [&] { bandwidth = std::max(bandwidth, read_bandwidth(set)); });
  ResultLine line(arguments.json);
  line.text("set", set.name).text("part", "memory").text("engine", "read loop");
  line.number("gigabytesPerSecond", bandwidth).print();
  cases.print();
}

/// Deletes 30 % of the rows in the graph, then merges the segment without them.
void deletes_part(const Arguments& arguments, const VectorSet& set, const BuiltVectors& built) {
  const uint32_t rows = set.size();
  const Bitset live = draw(rows, 0.7, 11);
  Truth truth{&live, rows, {}};
  if (!compute_truths(set, {&truth})) give_up("the core's dot product is wrong");
  VectorProbe probe;
  InterleavedCases cases(set, arguments.json);
  add_walks(cases, set, {built, probe}, "30% deleted", truth, {kMinBeam}, &live);
  SearchSpec exact{VectorPath::kCascade};
  exact.live = &live;
  cases.add(our_case(set, {built, probe}, "30% deleted", "cascade", truth, exact));

  BuiltVectors merged;
  std::vector<uint32_t> kept;
  std::vector<uint32_t> ordinals(rows, kNoVector);
  VectorWriter writer(built.column->options());
  for (uint32_t row = live.next(0); row < rows; row = live.next(row + 1)) {
    ordinals[row] = static_cast<uint32_t>(kept.size());
    writer.add_row(ordinals[row], built.column->row(row), built.column->norm(row));
    kept.push_back(row);
  }
  const GraphSeed seed{built.column->graph(), ordinals};
  const Result<double> seconds = finish(writer, &seed, merged);
  if (!seconds.ok()) give_up(seconds.status().reason());
  ResultLine line(arguments.json);
  line.text("set", set.name).text("part", "merge without 30%").text("engine", "quarry");
  line.count("rows", merged.column->size()).number("seconds", *seconds).print();
  add_walks(cases, set, {merged, probe, &kept}, "merged without 30%", truth, {kMinBeam}, nullptr);
  if (!cases.check()) give_up("an exact search is not exact");
  cases.time(arguments.rounds);
  cases.print();
}

/// Starts with half of the rows, followed by ten merges that each add a twentieth and keep the
/// graph.
void merges_part(const Arguments& arguments, const VectorSet& set, const BuildOptions& how) {
  constexpr uint32_t kMerges = 10;
  const uint32_t rows = set.size();
  std::unique_ptr<BuiltVectors> current = build(set, rows / 2, how);
  VectorWriter all(current->column->options());
  all.reserve(rows);
  for (uint32_t i = 0; i < rows; i++) all.add(i, {set.row(i), set.dims});
  const Result<VectorSections> scored = all.finish(rows, VectorEffort::kRows, nullptr, nullptr);
  if (!scored.ok()) give_up(scored.status().reason());
  const auto* scored_rows = reinterpret_cast<const float*>(scored->rows.data());
  const float* norms = scored_rows + size_t{rows} * set.dims;
  double seconds = 0;
  for (uint32_t merge = 1; merge <= kMerges; merge++) {
    const uint32_t target = rows / 2 + (rows - rows / 2) / kMerges * merge;
    const VectorColumn& column = *current->column;
    VectorWriter writer(column.options());
    std::vector<uint32_t> ordinals(column.size());
    for (uint32_t i = 0; i < column.size(); i++) {
      ordinals[i] = i;
      writer.add_row(i, column.row(i), column.norm(i));
    }
    for (uint32_t i = column.size(); i < target; i++) {
      writer.add_row(i, scored_rows + size_t{i} * set.dims, norms[i]);
    }
    const GraphSeed seed{column.graph(), ordinals};
    auto next = std::make_unique<BuiltVectors>();
    const Result<double> finished = finish(writer, &seed, *next);
    if (!finished.ok()) give_up(finished.status().reason());
    seconds += *finished;
    current = std::move(next);
  }
  ResultLine line(arguments.json);
  line.text("set", set.name).text("part", "ten merges").text("engine", "quarry");
  line.count("rows", current->column->size()).number("seconds", seconds).print();
  Truth truth{nullptr, current->column->size(), {}};
  if (!compute_truths(set, {&truth})) give_up("the core's dot product is wrong");
  VectorProbe probe;
  InterleavedCases cases(set, arguments.json);
  add_walks(cases, set, {*current, probe}, "after ten merges", truth, {kMinBeam}, nullptr);
  cases.check();
  cases.time(arguments.rounds);
  cases.print();
}

/// A sixteenth, a quarter and all of the rows.
void growth_part(const Arguments& arguments, const VectorSet& set, const BuildOptions& how) {
  std::vector<std::unique_ptr<BuiltVectors>> built;
  std::vector<Truth> truths;
  for (const uint32_t parts : {16u, 4u, 1u}) {
    built.push_back(build(set, set.size() / parts, how));
    print_build(arguments, set, *built.back());
    truths.push_back({nullptr, set.size() / parts, {}});
  }
  if (!compute_truths(set, {&truths[0], &truths[1], &truths[2]}))
    give_up("the core's dot product is wrong");
  VectorProbe probe;
  InterleavedCases cases(set, arguments.json);
  for (size_t i = 0; i < built.size(); i++) {
    add_walks(cases, set, {*built[i], probe}, "growth", truths[i], {kMinBeam}, nullptr);
    cases.add(
        our_case(set, {*built[i], probe}, "growth", "cascade", truths[i], {VectorPath::kCascade}));
  }
  if (!cases.check()) give_up("an exact search is not exact");
  cases.time(arguments.rounds);
  cases.print();
}

/// Counters of work, to notice when a change of the code raises them: they contain no times and are
/// equal in every run.
void count_work(const Arguments& arguments) {
  VectorSet set = make_set(12'000, 128, 100);
  BuildOptions how{set.dims, 16, 100};
  const std::unique_ptr<BuiltVectors> built = build(set, set.size(), how);
  const Bitset filter = draw(set.size(), 0.1, 5);
  Truth all{nullptr, set.size(), {}};
  Truth some{&filter, set.size(), {}};
  if (!compute_truths(set, {&all, &some})) give_up("the core's dot product is wrong");
  VectorProbe probe;
  InterleavedCases cases(set, arguments.json);
  add_walks(cases, set, {*built, probe}, "walk", all, {16, 64, kMinBeam}, nullptr);
  cases.add(our_case(set, {*built, probe}, "exact", "cascade", all, {VectorPath::kCascade}));
  SearchSpec filtered;
  filtered.filter = &filter;
  cases.add(our_case(set, {*built, probe}, "filter 10%", "planner", some, filtered));
  if (!cases.check()) give_up("an exact search is not exact");
  ResultLine line(arguments.json);
  line.text("set", set.name).text("part", "build").text("engine", "quarry");
  line.count("sketchDims", built->sketch_dims());
  const size_t graph_bytes = built->sections.views().graph.size();
  line.count("graphBytes", graph_bytes);
  line.count("codeBytes", built->hot_bytes() - graph_bytes).print();
  cases.print();
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  if (arguments.counters) {
    count_work(arguments);
    return 0;
  }
  const VectorSet set = load(arguments);
  const BuildOptions how{set.dims, 16, arguments.ef_construction};
  const std::set<std::string>& parts = arguments.parts;
  if (parts.count("search") + parts.count("deletes") > 0) {
    const std::unique_ptr<BuiltVectors> built = build(set, set.size(), how);
    print_build(arguments, set, *built);
    if (parts.count("search") > 0) search_part(arguments, set, *built);
    if (parts.count("deletes") > 0) deletes_part(arguments, set, *built);
  }
  if (parts.count("merges") > 0) merges_part(arguments, set, how);
  if (parts.count("growth") > 0) growth_part(arguments, set, how);
  return 0;
}
