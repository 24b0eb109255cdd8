// A dictionary contains strings that many documents share, respects its maximum length, and is
// deterministic.
#include "store/source_dictionary.h"

#include "base/random.h"
#include "testing/test.h"

namespace quarry::source_dictionary_test {

std::string letters(Random& random, size_t count) {
  std::string out;
  while (out.size() < count) out += static_cast<char>('a' + random.below(26));
  return out;
}

TEST(SourceDictionary, HoldsWhatManyDocumentsSay) {
  Random random(1);
  std::vector<std::string> common;
  for (int i = 0; i < 8; i++) common.push_back(letters(random, 100));
  SourceDictionary dictionary(2048);
  std::vector<std::string> rare;
  for (int i = 0; !dictionary.full(); i++) {
    rare.push_back(letters(random, 60));
    dictionary.add("{\"a\":\"" + rare.back() + "\",\"b\":\"" + common[static_cast<size_t>(i) % 8] +
                   "\"}");
  }
  const std::string text = dictionary.take();
  EXPECT_TRUE(text.size() <= 2048);
  for (const std::string& one : common)
    EXPECT_TRUE(text.find(one.substr(20, 60)) != std::string::npos);
  size_t found = 0;
  for (const std::string& one : rare) found += text.find(one) != std::string::npos ? 1 : 0;
  EXPECT_LT(found * 4, rare.size());
}

TEST(SourceDictionary, IsNoLongerThanRequested) {
  for (const size_t bytes : {size_t{1}, size_t{100}, size_t{128}, size_t{1000}, size_t{65535}}) {
    for (const size_t length : {0, 1, 7, 8, 9, 50, 5000}) {
      Random random(bytes + length);
      SourceDictionary dictionary(bytes);
      SourceDictionary again(bytes);
      for (int i = 0; i < 3000 && !dictionary.full(); i++) {
        const std::string source = letters(random, length) + std::string(random.below(30), 'x');
        dictionary.add(source);
        again.add(source);
      }
      const std::string text = dictionary.take();
      EXPECT_TRUE(text.size() <= bytes);
      EXPECT_TRUE(again.take() == text);
    }
  }
}

TEST(SourceDictionary, LeavesNumbersOfArraysOut) {
  SourceDictionary dictionary(1000);
  dictionary.add(R"({"v":[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9]})");
  EXPECT_EQ(dictionary.take(), std::string("{\"v\":[") + kRunMark + "]}");
}

}  // namespace quarry::source_dictionary_test
