// The sorted terms compared with a std::set.
#include "postings/term_dictionary.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "postings/term_dictionary_writer.h"
#include "testing/damage.h"
#include "testing/test.h"

namespace quarry::term_dictionary_test {

using Terms = std::set<std::string>;

std::vector<uint8_t> write(const Terms& terms) {
  TermDictionaryWriter writer(false);
  for (const std::string& term : terms) writer.add(term, {});
  return writer.finish();
}

/// Random terms over a small alphabet (with the bytes 0 and 255), all with the prefix `prefix`.
Terms random_terms(size_t count, const std::string& prefix, Random& random) {
  constexpr char kAlphabet[] = {'\0', 'a', 'b', 'z', '\xff'};
  Terms terms;
  while (terms.size() < count) {
    std::string term = prefix;
    for (uint64_t left = random.below(14); left > 0; --left)
      term += kAlphabet[random.below(sizeof(kAlphabet))];
    terms.insert(term);
  }
  return terms;
}

void expect_search(const TermDictionary& dictionary, const std::vector<std::string>& sorted,
                   const std::string& text) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), text);
  const auto ordinal = static_cast<uint32_t>(at - sorted.begin());
  EXPECT_EQ(dictionary.lower_bound(text), ordinal);
  const bool known = at != sorted.end() && *at == text;
  EXPECT_EQ(dictionary.find(text).has_value(), known);
  if (known) EXPECT_EQ(dictionary.find(text).value_or(0), ordinal);
  const TermDictionary::Range range = dictionary.prefix_range(text);
  EXPECT_EQ(range.begin, ordinal);
  const auto end = std::find_if(at, sorted.end(),
                                [&](const std::string& term) { return !term.starts_with(text); });
  EXPECT_EQ(range.end, static_cast<uint32_t>(end - sorted.begin()));
}

void expect_terms(const Terms& terms, const std::string& prefix, Random& random) {
  const std::vector<uint8_t> section = write(terms);
  const Result<TermDictionary> dictionary = TermDictionary::open(section);
  ASSERT_OK(dictionary);
  const std::vector<std::string> sorted(terms.begin(), terms.end());
  ASSERT_EQ(dictionary->size(), sorted.size());
  for (uint32_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(dictionary->term(i), sorted[i]);
  const auto size = static_cast<uint32_t>(sorted.size());
  std::vector<std::string> walked;
  dictionary->each({size / 3, size}, [&](uint32_t ordinal, std::string_view term) {
    EXPECT_EQ(ordinal, size / 3 + static_cast<uint32_t>(walked.size()));
    walked.emplace_back(term);
    return true;
  });
  EXPECT_TRUE(walked == std::vector<std::string>(sorted.begin() + size / 3, sorted.end()));
  uint32_t taken = 0;
  dictionary->each({0, size}, [&](uint32_t, std::string_view) { return ++taken < 2; });
  EXPECT_EQ(taken, std::min(size, 2U));
  for (const std::string& term : terms) {
    expect_search(*dictionary, sorted, term);
    expect_search(*dictionary, sorted, term.substr(0, random.below(term.size() + 1)));
    expect_search(*dictionary, sorted, term + '\0');
  }
  for (const std::string& term : random_terms(100, prefix, random))
    expect_search(*dictionary, sorted, term);
  for (const std::string& term : random_terms(20, "", random))
    expect_search(*dictionary, sorted, term);
}

using NumberedTerms = std::vector<std::pair<uint32_t, std::string>>;

NumberedTerms ending_with(const TermDictionary& dictionary, TermDictionary::Range range,
                          std::string_view tail) {
  NumberedTerms found;
  dictionary.each_ending(range, tail, [&found](uint32_t ordinal, std::string_view term) {
    found.emplace_back(ordinal, term);
    return true;
  });
  return found;
}

TEST(TermDictionary, FindsTermsByTheirSuffix) {
  Random random(33);
  for (const size_t count : {1U, 2U, 3U, 65U, 2000U}) {
    Terms terms = random_terms(count, "", random);
    terms.insert({"a", "b", "ab"});
    const std::vector<std::string> sorted(terms.begin(), terms.end());
    const std::vector<uint8_t> section = write(terms);
    const Result<TermDictionary> dictionary = TermDictionary::open(section);
    ASSERT_OK(dictionary);
    const auto size = static_cast<uint32_t>(sorted.size());
    for (uint32_t i = 0; i < 200; ++i) {
      const std::string& term = sorted[random.below(size)];
      if (term.empty()) continue;
      const std::string tail = term.substr(term.size() - 1 - random.below(term.size()));
      const auto begin = static_cast<uint32_t>(random.below(size + 1));
      const auto end = begin + static_cast<uint32_t>(random.below(size + 1 - begin));
      NumberedTerms expected;
      for (uint32_t at = begin; at < end; ++at) {
        if (sorted[at].ends_with(tail)) expected.emplace_back(at, sorted[at]);
      }
      EXPECT_TRUE(ending_with(*dictionary, {begin, end}, tail) == expected);
    }
  }
}

TEST(TermDictionary, StopsAtTheTermThatIsEnough) {
  const std::vector<uint8_t> section = write({"ax", "bx", "cx", "dy"});
  const Result<TermDictionary> dictionary = TermDictionary::open(section);
  ASSERT_OK(dictionary);
  uint32_t taken = 0;
  dictionary->each_ending({0, 4}, "x",
                          [&taken](uint32_t, std::string_view) { return ++taken < 2; });
  EXPECT_EQ(taken, 2U);
}

TEST(TermDictionary, FindsWhatASortedListFinds) {
  Random random(31);
  for (const size_t count : {0U, 1U, 2U, 63U, 64U, 65U, 128U, 1000U, 5000U}) {
    for (const std::string prefix : {"", "http://example.org/"}) {
      expect_terms(random_terms(count, prefix, random), prefix, random);
    }
  }
}

TEST(TermDictionary, FindsTermsThatDifferLate) {
  Random random(32);
  Terms terms;
  for (uint32_t i = 0; i < 3000; ++i)
    terms.insert("x" + std::string(20, 'y') + std::to_string(random.below(100000)));
  for (uint32_t i = 0; i < 3000; ++i) terms.insert(std::to_string(random.below(100000)));
  expect_terms(terms, "xyyyyyyyyyyyyyyyyyyyy", random);
}

void expect_info(const TermInfo& seen, const TermInfo& wanted) {
  EXPECT_EQ(seen.doc_freq, wanted.doc_freq);
  EXPECT_EQ(seen.total_term_freq, wanted.total_term_freq);
  EXPECT_EQ(seen.postings_offset, wanted.postings_offset);
  EXPECT_EQ(seen.positions_offset, wanted.positions_offset);
  EXPECT_EQ(seen.doc, wanted.doc);
  EXPECT_EQ(seen.norm, wanted.norm);
}

TEST(TermDictionary, KeepsTheRowsOfEveryKind) {
  const std::vector<TermInfo> infos = {
      {},
      {.doc_freq = 1, .total_term_freq = 1, .positions_offset = 77, .doc = 123456789, .norm = 200},
      {.doc_freq = 1, .total_term_freq = 9, .positions_offset = 1000, .doc = 5, .norm = 3},
      {.doc_freq = 1, .total_term_freq = 70000, .positions_offset = 2000, .doc = 6, .norm = 4},
      {.doc_freq = 2, .total_term_freq = 3, .postings_offset = 500, .positions_offset = 3000},
      {.doc_freq = 127, .total_term_freq = 65535, .postings_offset = 600, .positions_offset = 4000},
      {.doc_freq = 3,
       .total_term_freq = 5,
       .postings_offset = 1ULL << 39,
       .positions_offset = 5000},
      {.doc_freq = 3, .total_term_freq = 5, .postings_offset = 700, .positions_offset = 1ULL << 39},
      {.doc_freq = 128,
       .total_term_freq = 1ULL << 40,
       .first_block = 4000000000U,
       .first_group = 3},
  };
  TermDictionaryWriter writer(true);
  for (size_t i = 0; i < infos.size(); ++i)
    writer.add(std::string(1, static_cast<char>('a' + i)), infos[i]);
  const std::vector<uint8_t> section = writer.finish();
  const Result<TermDictionary> dictionary = TermDictionary::open(section);
  ASSERT_OK(dictionary);
  EXPECT_TRUE(dictionary->has_positions());
  for (uint32_t i = 0; i < infos.size(); ++i) {
    const TermInfo seen = dictionary->info(i);
    expect_info(seen, infos[i]);
    EXPECT_EQ(seen.first_block, infos[i].first_block);
    EXPECT_EQ(seen.first_group, infos[i].first_group);
  }
}

/// As for consecutive postings; offsets grow by up to `step`.
TermInfo random_info(Random& random, uint64_t step, TermInfo& ends) {
  TermInfo info;
  info.doc_freq = static_cast<uint32_t>(random.below(random.below(4) == 0 ? 128 : 3));
  if (info.doc_freq == 0) return info;
  info.total_term_freq = info.doc_freq + random.below(random.below(9) == 0 ? 60000 : 3);
  if (info.doc_freq == 1) {
    info.doc = static_cast<uint32_t>(random.next());
    info.norm = static_cast<uint8_t>(random.next());
  } else {
    info.postings_offset = ends.postings_offset += random.below(step);
  }
  info.positions_offset =
      info.total_term_freq < 2 ? random.below(1000) : ends.positions_offset += random.below(step);
  return info;
}

TEST(TermDictionary, KeepsRowsOfAnyWidth) {
  Random random(34);
  for (const bool positions : {false, true}) {
    for (const uint64_t step : {uint64_t{1}, uint64_t{50}, uint64_t{1} << 20, uint64_t{1} << 33}) {
      for (const size_t count : {1U, 63U, 64U, 65U, 1000U}) {
        TermDictionaryWriter writer(positions);
        std::vector<TermInfo> infos;
        TermInfo ends;
        for (size_t i = 0; i < count; i++) {
          infos.push_back(random_info(random, step, ends));
          if (!positions) infos.back().positions_offset = 0;
          writer.add("t" + std::to_string(100000 + i), infos.back());
        }
        const std::vector<uint8_t> section = writer.finish();
        const Result<TermDictionary> dictionary = TermDictionary::open(section);
        ASSERT_OK(dictionary);
        for (uint32_t i = 0; i < count; i++) expect_info(dictionary->info(i), infos[i]);
      }
    }
  }
}

/// Bytes that must not change: two terms as written by version 1.
TEST(TermDictionary, ReadsVersion1) {
  for (const bool positions : {false, true}) {
    ByteWriter out;
    out.put(uint32_t{0x4d525451});
    out.put(uint16_t{1});
    out.put(static_cast<uint16_t>(positions ? 1 : 0));
    for (const uint32_t number : {2U, 0U, 1U, 0U})
      out.put(number);  // terms, wide rows, common prefix
    out.put(uint64_t{4});
    out.align(64);
    out.put(uint64_t{'b'} << 56);
    out.align(16);
    for (const uint64_t start : {0, 4}) out.put(start);
    out.put(uint64_t{1000});
    out.align(16);
    if (positions) out.put(uint64_t{2000});
    out.align(16);
    for (const uint32_t offset : {0, 2}) out.put(offset);
    out.align(16);
    out.put(uint32_t{1 | 200 << 8 | 1 << 16});
    out.put(uint32_t{77});
    if (positions) out.put(uint32_t{5});
    out.put(uint32_t{3 | 9 << 16});
    out.put(uint32_t{40});
    if (positions) out.put(uint32_t{60});
    out.align(16);
    out.put_bytes(std::string_view("abac"));
    const Result<TermDictionary> dictionary = TermDictionary::open(out.view());
    ASSERT_OK(dictionary);
    EXPECT_EQ(dictionary->find("ac").value_or(9), 1U);
    const uint64_t position = positions ? 5 : 0;
    expect_info(dictionary->info(0), {.doc_freq = 1,
                                      .total_term_freq = 1,
                                      .positions_offset = position,
                                      .doc = 77,
                                      .norm = 200});
    const uint64_t offset = positions ? 2060 : 0;
    expect_info(
        dictionary->info(1),
        {.doc_freq = 3, .total_term_freq = 9, .postings_offset = 1040, .positions_offset = offset});
  }
}

/// Opens a copy of exact size and searches it. True: rejected, or in bounds.
bool survives(const std::vector<uint8_t>& section, const Terms& terms) {
  const std::vector<uint8_t> copy = section;
  const Result<TermDictionary> dictionary = TermDictionary::open(copy);
  if (!dictionary.ok()) return dictionary.status().type() == ErrorType::kCorrupt;
  size_t bytes = 0;
  for (uint32_t i = 0; i < dictionary->size(); ++i) {
    for (const char c : dictionary->term(i)) bytes += static_cast<size_t>(c & 1);
    bytes += dictionary->info(i).doc_freq;
  }
  for (const std::string& term : terms) {
    if (dictionary->lower_bound(term) > dictionary->size()) return false;
  }
  return bytes <= ~size_t{0};
}

TEST(TermDictionary, SurvivesTruncationAndDamage) {
  Random random(33);
  const Terms terms = random_terms(70, "p", random);
  const std::vector<uint8_t> whole = write(terms);
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(TermDictionary::open(Bytes(whole).first(size)).ok());
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const uint32_t mask : {0x01U, 0x80U, 0xffU}) {
      std::vector<uint8_t> flipped = whole;
      flipped[at] = static_cast<uint8_t>(flipped[at] ^ mask);
      EXPECT_TRUE(survives(flipped, terms));
    }
  }
  for (int round = 0; round < 3000; ++round) {
    std::vector<uint8_t> damaged = whole;
    testing::damage(damaged, random);
    EXPECT_TRUE(survives(damaged, terms));
  }
}

}  // namespace quarry::term_dictionary_test
