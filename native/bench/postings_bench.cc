// Measures the cost of posting lists and column scans: decoding by block encoding, iterating,
// skipping, positions, term lookup, writing. The data is seeded, and results are checked before
// anything is timed; each line is the best of several passes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "base/random.h"
#include "columns/column.h"
#include "postings/inverted_field.h"
#include "postings/norms.h"

namespace {

using namespace quarry;

constexpr uint32_t kMaxDoc = 1000000;
constexpr int kPasses = 15;

void require(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "wrong answer: %s\n", what);
  std::exit(1);
}

/// Prints nanoseconds of CPU time per unit: `body` runs once to check its result, then kPasses
/// times.
template <typename Body>
void report(const char* name, uint64_t units, uint64_t answer, Body body) {
  require(body() == answer, name);
  double best = 1e300;
  for (int pass = 0; pass < kPasses; ++pass) {
    // Short bodies are repeated, because the clock has a resolution of microseconds.
    const uint64_t repeats = 1 + 20000 / units;
    bool same = true;
    const std::clock_t start = std::clock();
    for (uint64_t i = 0; i < repeats; ++i) same = body() == answer && same;
    const auto took = static_cast<double>(std::clock() - start) * 1e9 / CLOCKS_PER_SEC;
    require(same, name);
    best = std::min(best, took / static_cast<double>(units * repeats));
  }
  std::printf("%-44s %9.3f ns\n", name, best);
}

struct List {
  const char* name;
  uint32_t one_in;  // documents per posting, approximately
  std::vector<uint32_t> docs;
  std::vector<uint32_t> freqs;
  uint64_t sum = 0;
  uint64_t freq_sum = 0;
};

List make_list(const char* name, uint32_t one_in, Random& random) {
  List list{.name = name, .one_in = one_in, .docs = {}, .freqs = {}};
  for (uint32_t doc = 0; doc < kMaxDoc; ++doc) {
    if (one_in > 1 && random.below(one_in) != 0) continue;
    list.docs.push_back(doc);
    list.freqs.push_back(random.below(3) != 0 ? 1 : 1 + static_cast<uint32_t>(random.below(6)));
    list.sum += doc;
    list.freq_sum += list.freqs.back();
  }
  return list;
}

InvertedSections write_lists(const std::vector<List>& lists, const std::vector<uint8_t>& norms) {
  InvertedFieldWriter writer({.freqs = true, .positions = true}, norms);
  std::vector<uint32_t> positions;
  for (const List& list : lists) {
    writer.start_term(list.name);
    for (size_t i = 0; i < list.docs.size(); ++i) {
      positions.clear();
      for (uint32_t k = 0; k < list.freqs[i]; ++k) positions.push_back(list.docs[i] % 37 + 11 * k);
      writer.add(list.docs[i], list.freqs[i], positions);
    }
  }
  return writer.finish();
}

void bench_blocks(const InvertedField& field, uint32_t ordinal, const List& list) {
  const uint64_t units = list.docs.size();
  const std::string name = "1 in " + std::to_string(list.one_in);
  report((name + ": decode_block, per document").c_str(), units, list.sum + list.freq_sum, [&] {
    PostingsCursor cursor = field.postings(ordinal);
    uint64_t sum = 0;
    for (uint32_t from = 0; cursor.shallow_advance(from); from = cursor.block_last_doc() + 1) {
      const PostingsCursor::Block block = cursor.decode_block();
      for (size_t i = 0; i < block.docs.size(); ++i) sum += block.docs[i] + block.freqs[i];
    }
    return sum;
  });
  report((name + ": next, per document").c_str(), units, list.sum, [&] {
    PostingsCursor cursor = field.postings(ordinal);
    uint64_t sum = 0;
    while (cursor.next() != kNoMoreDocs) sum += cursor.doc();
    return sum;
  });
  report((name + ": next + freq, per document").c_str(), units, list.sum + list.freq_sum, [&] {
    PostingsCursor cursor = field.postings(ordinal);
    uint64_t sum = 0;
    while (cursor.next() != kNoMoreDocs) sum += cursor.doc() + cursor.freq();
    return sum;
  });
  report((name + ": next + positions, per position").c_str(), list.freq_sum, list.freq_sum, [&] {
    PostingsCursor cursor = field.postings(ordinal);
    std::vector<uint32_t> positions;
    uint64_t count = 0;
    while (cursor.next() != kNoMoreDocs) {
      positions.clear();
      cursor.positions(positions);
      count += positions.size();
    }
    return count;
  });
}

void bench_jumps(const InvertedField& field, uint32_t ordinal, const List& list, uint32_t stride) {
  uint64_t jumps = 0;
  uint64_t answer = 0;
  for (auto at = list.docs.begin(); at != list.docs.end();
       at = std::lower_bound(at, list.docs.end(), *at + stride)) {
    answer += *at;
    jumps++;
  }
  const std::string name =
      "1 in " + std::to_string(list.one_in) + ": advance by " + std::to_string(stride);
  report(name.c_str(), jumps, answer, [&] {
    PostingsCursor cursor = field.postings(ordinal);
    uint64_t sum = 0;
    for (uint32_t doc = cursor.advance(0); doc != kNoMoreDocs; doc = cursor.advance(doc + stride))
      sum += doc;
    return sum;
  });
}

/// The cost of positions for a phrase when no two candidates share a block.
void bench_far_positions(const InvertedField& field, uint32_t ordinal, const List& list) {
  constexpr uint32_t kStride = 20000;
  uint64_t jumps = 0;
  uint64_t answer = 0;
  for (auto at = list.docs.begin(); at != list.docs.end();
       at = std::lower_bound(at, list.docs.end(), *at + kStride)) {
    answer += list.freqs[static_cast<size_t>(at - list.docs.begin())];
    jumps++;
  }
  const std::string name = "1 in " + std::to_string(list.one_in) + ": far advance + positions";
  report(name.c_str(), jumps, answer, [&] {
    PostingsCursor cursor = field.postings(ordinal);
    std::vector<uint32_t> positions;
    uint64_t count = 0;
    for (uint32_t doc = cursor.advance(0); doc != kNoMoreDocs;
         doc = cursor.advance(doc + kStride)) {
      positions.clear();
      cursor.positions(positions);
      count += positions.size();
    }
    return count;
  });
}

void bench_terms(Random& random) {
  std::vector<std::string> terms;
  for (int i = 0; i < 500000; ++i) {
    std::string term;
    for (uint64_t left = 3 + random.below(9); left > 0; --left)
      term += static_cast<char>('a' + random.below(26));
    terms.push_back(term);
  }
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  InvertedFieldWriter writer({.freqs = true, .positions = true}, {});
  const std::vector<uint32_t> positions = {5};
  for (uint32_t i = 0; i < terms.size(); ++i) {
    writer.start_term(terms[i]);
    writer.add(i, 1, positions);
    if (i % 3 == 0) writer.add(i + 1, 1, positions);
  }
  const InvertedSections sections = writer.finish();
  const Result<InvertedField> field = InvertedField::open(
      sections.terms, sections.blocks, sections.postings, sections.positions, kMaxDoc);
  require(field.ok(), "open");
  std::printf("bytes per term: terms %.1f, postings %.1f, positions %.1f\n",
              static_cast<double>(sections.terms.size()) / static_cast<double>(terms.size()),
              static_cast<double>(sections.postings.size()) / static_cast<double>(terms.size()),
              static_cast<double>(sections.positions.size()) / static_cast<double>(terms.size()));
  std::vector<uint32_t> order(20000);
  uint64_t answer = 0;
  for (uint32_t& ordinal : order)
    answer += ordinal = static_cast<uint32_t>(random.below(terms.size()));
  report("terms: find, per lookup", order.size(), answer, [&] {
    uint64_t sum = 0;
    for (const uint32_t ordinal : order) sum += field->terms().find(terms[ordinal]).value_or(0);
    return sum;
  });
  report("terms: cursor + first document, in order", terms.size(),
         terms.size() * (terms.size() - 1) / 2, [&] {
           uint64_t sum = 0;
           PostingsCursor cursor;
           for (uint32_t i = 0; i < terms.size(); ++i) {
             cursor.reset(field->source(), field->terms().info(i));
             sum += cursor.next();
           }
           return sum;
         });
  report("terms: open, per term", terms.size(), terms.size(), [&] {
    return InvertedField::open(sections.terms, sections.blocks, sections.postings,
                               sections.positions, kMaxDoc)
        ->terms()
        .size();
  });
}

void bench_column(const char* name, uint64_t range, Random& random) {
  ColumnWriter writer(false);
  std::vector<int64_t> values;
  uint64_t sum = 0;
  uint64_t matches = 0;
  const auto high = static_cast<int64_t>(range / 2);
  for (uint32_t doc = 0; doc < kMaxDoc; ++doc) {
    values.push_back(static_cast<int64_t>(random.below(range)));
    writer.add(doc, values.back());
    sum += static_cast<uint64_t>(values.back());
    matches += values.back() <= high && values.back() >= 1 ? 1 : 0;
  }
  const std::vector<uint8_t> section = writer.finish(kMaxDoc);
  const Result<Column> column = Column::open(section, kMaxDoc);
  require(column.ok(), "open");
  report((std::string(name) + ": decode 1024, per document").c_str(), kMaxDoc, sum, [&] {
    std::vector<int64_t> out(kZoneDocs);
    uint64_t total = 0;
    for (uint32_t first = 0; first < kMaxDoc; first += kZoneDocs) {
      const uint32_t count = std::min(kZoneDocs, kMaxDoc - first);
      column->decode(first, count, 0, out.data());
      for (uint32_t i = 0; i < count; ++i) total += static_cast<uint64_t>(out[i]);
    }
    return total;
  });
  report((std::string(name) + ": value, per document").c_str(), kMaxDoc, sum, [&] {
    uint64_t total = 0;
    for (uint32_t doc = 0; doc < kMaxDoc; ++doc) total += static_cast<uint64_t>(column->value(doc));
    return total;
  });
  report((std::string(name) + ": collect_range, per document").c_str(), kMaxDoc, matches, [&] {
    Bitset out(kMaxDoc);
    column->collect_range(1, high, out);
    return uint64_t{out.count()};
  });
}

}  // namespace

int main() {
  Random random(1);
  std::vector<List> lists;
  lists.push_back(make_list("all", 1, random));
  lists.push_back(make_list("dense", 3, random));
  lists.push_back(make_list("mid", 11, random));
  lists.push_back(make_list("sparse", 200, random));
  std::vector<uint8_t> norms;
  for (uint32_t doc = 0; doc < kMaxDoc; ++doc) {
    norms.push_back(encode_norm(1 + static_cast<uint32_t>(random.below(300))));
  }
  uint64_t postings = 0;
  for (const List& list : lists) postings += list.docs.size();
  const InvertedSections sections = write_lists(lists, norms);
  report("write, per posting", postings, sections.postings.size(),
         [&] { return write_lists(lists, norms).postings.size(); });
  std::printf("bytes per posting: postings %.3f, positions %.3f, blocks %.3f\n",
              static_cast<double>(sections.postings.size()) / static_cast<double>(postings),
              static_cast<double>(sections.positions.size()) / static_cast<double>(postings),
              static_cast<double>(sections.blocks.size()) / static_cast<double>(postings));
  const Result<InvertedField> field = InvertedField::open(
      sections.terms, sections.blocks, sections.postings, sections.positions, kMaxDoc);
  require(field.ok(), "open");
  for (uint32_t ordinal = 0; ordinal < lists.size(); ++ordinal) {
    bench_blocks(*field, ordinal, lists[ordinal]);
    bench_far_positions(*field, ordinal, lists[ordinal]);
    for (const uint32_t stride : {20U, 1000U, 50000U})
      bench_jumps(*field, ordinal, lists[ordinal], stride);
  }
  bench_terms(random);
  bench_column("column of 8 bits", 200, random);
  bench_column("column of 16 bits", 60000, random);
  bench_column("column of 32 bits", 1U << 30, random);
  bench_column("column of 64 bits", uint64_t{1} << 40, random);
  return 0;
}
