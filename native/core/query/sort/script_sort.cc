// Sort keys that a script computes: numbers or strings.
#include <cmath>
#include <utility>

#include "mapping/values/numeric.h"
#include "query/functions/script.h"
#include "query/sort/sort_key.h"

namespace quarry {
namespace {

int sign_of(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

class ScriptSort : public SortSource {
 public:
  ScriptSort(std::unique_ptr<Script> script, bool descending)
      : script_(std::move(script)), descending_(descending) {}
  bool needs_scores() const override { return script_->needs_score(); }
  void start_leaf(const Leaf& leaf) override { script_->enter(leaf); }
  void set_anchor(Anchor anchor, const SortValue& value) override { anchors_[anchor] = value; }
  int compare(Anchor anchor, uint32_t doc, float score) override {
    return compare_values(value(doc, score), anchors_[anchor]);
  }
  int compare_values(const SortValue& a, const SortValue& b) const override {
    const int order = sign_of(by_value(a, b));
    return descending_ ? -order : order;
  }

 protected:
  virtual int by_value(const SortValue& a, const SortValue& b) const = 0;
  std::unique_ptr<Script> script_;

 private:
  bool descending_;
  SortValue anchors_[kAnchors];
};

class NumberScriptSort final : public ScriptSort {
 public:
  using ScriptSort::ScriptSort;
  SortValue value(uint32_t doc, float score) override {
    const ScriptValue made = script_->run(doc, score);
    if (made.is_text()) script_->fail("a sort of type [number] needs a number");
    return {false, sortable_from_double(made.as_number()), {}};
  }
  Result<SortValue> parse(const Scalar& scalar) const override {
    QUARRY_ASSIGN_OR_RETURN(const double value,
                            search_after_number<double>(scalar.text, "_script"));
    return SortValue{false, sortable_from_double(value), {}};
  }
  SortColumn make_column() const override {
    SortColumn column;
    column.kind = SortColumnKind::kDouble;
    return column;
  }
  void append(const SortValue& value, SortColumn& column) const override {
    column.nulls.push_back(0);
    column.doubles.push_back(double_from_sortable(value.number));
  }

 protected:
  int by_value(const SortValue& a, const SortValue& b) const override {
    return a.number < b.number ? -1 : a.number > b.number ? 1 : 0;
  }
};

/// Bytes of a text to sort by: each of up to ten thousand hits keeps its texts.
constexpr size_t kMostText = 1024;

class TextScriptSort final : public ScriptSort {
 public:
  using ScriptSort::ScriptSort;
  SortValue value(uint32_t doc, float score) override {
    const ScriptValue made = script_->run(doc, score);
    if (!made.is_text()) script_->fail("a sort of type [string] needs a text");
    if (made.text.size() > kMostText) {
      script_->fail("the text to sort by has [" + std::to_string(made.text.size()) +
                    "] bytes, more than [" + std::to_string(kMostText) + "]: make it shorter");
      return {false, 0, {}};
    }
    return {false, 0, std::string(made.text)};
  }
  Result<SortValue> parse(const Scalar& scalar) const override {
    return SortValue{false, 0, scalar.text};
  }
  SortColumn make_column() const override {
    SortColumn column;
    column.kind = SortColumnKind::kString;
    return column;
  }
  void append(const SortValue& value, SortColumn& column) const override {
    column.nulls.push_back(0);
    column.strings.push_back(value.text);
  }

 protected:
  int by_value(const SortValue& a, const SortValue& b) const override {
    return a.text.compare(b.text);
  }
};

}  // namespace

Result<std::unique_ptr<SortSource>> make_script_sort(Compiler& compiler, const SortKey& key) {
  PlanReader reader(key.details, nullptr);
  QUARRY_ASSIGN_OR_RETURN(std::unique_ptr<Script> script, Script::read(reader, compiler));
  if (reader.failed() || !reader.done()) return malformed_clause("script sort");
  if (key.numeric_type == "string")
    return std::unique_ptr<SortSource>(
        std::make_unique<TextScriptSort>(std::move(script), key.descending));
  return std::unique_ptr<SortSource>(
      std::make_unique<NumberScriptSort>(std::move(script), key.descending));
}

}  // namespace quarry
