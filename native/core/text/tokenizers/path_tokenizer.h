// The path_hierarchy tokenizer: "/a/b" gives "/a" and "/a/b", all at one position.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/analysis/components.h"

namespace quarry {

class PathTokenizer final : public Tokenizer {
 public:
  struct Options {
    char delimiter = '/';
    char replacement = '/';
    bool reverse = false;  // "a.b.c" gives "a.b.c", "b.c", "c" (host names)
    uint32_t skip = 0;     // number of leading parts (trailing parts in reverse) to omit
  };
  explicit PathTokenizer(Options options) : options_(options) {}
  void tokenize(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const override;

 private:
  const Options options_;
};

}  // namespace quarry
