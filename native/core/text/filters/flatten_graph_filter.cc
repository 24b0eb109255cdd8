// The algorithm of Lucene's FlattenGraphFilter. The nodes of the input graph are positions; each is
// mapped to an output node, which is the longest path to it from the start. Tokens are released as
// soon as no later token can end at the node they start from, in the order of output nodes.
#include "text/filters/flatten_graph_filter.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace quarry {
namespace {

constexpr int64_t kNoNode = -1;

struct InputNode {
  std::vector<Token> tokens;  // that start here
  bool seen = false;
  int64_t last_end = kNoNode;  // the input nodes at which those tokens end
  int64_t first_end = INT64_MAX;
  int64_t output = kNoNode;
  size_t released = 0;  // of `tokens`
};

struct OutputNode {
  std::vector<int64_t> inputs;
  bool seen = false;
  size_t released = 0;  // of `inputs`
  int64_t start_offset = kNoNode;
  int64_t end_offset = kNoNode;
};

/// The nodes that may still be used, by number.
template <typename Node>
class Nodes {
 public:
  Node& operator[](int64_t at) {
    if (at < first_) return lost_ = Node();
    const auto place = static_cast<size_t>(at - first_);
    if (place >= nodes_.size()) nodes_.resize(place + 1);
    return nodes_[place];
  }
  int64_t last() const { return first_ + static_cast<int64_t>(nodes_.size()) - 1; }
  /// Frees the nodes before `at`; there is always a last one.
  void forget_before(int64_t at) {
    for (; first_ < at && nodes_.size() > 1; ++first_) nodes_.pop_front();
  }

 private:
  std::deque<Node> nodes_;  // references stay valid while it grows at the end
  int64_t first_ = 0;
  Node lost_;  // in place of a freed node, which only a graph with wrong positions uses
};

class Flattener {
 public:
  Flattener(std::vector<Token>& result, AnalysisBudget& budget) : result_(result), budget_(budget) {
    inputs_[0].seen = true;
    inputs_[0].output = 0;
    outputs_[0].seen = true;
    outputs_[0].inputs.push_back(0);
    outputs_[0].start_offset = 0;
  }

  void add(const Token& token) {
    const int64_t increment = token.position - from_;
    from_ = token.position;
    const int64_t to = from_ + token.position_length;
    find_output(token.start, increment);
    InputNode& source = inputs_[from_];
    source.tokens.push_back(token);
    source.last_end = std::max(source.last_end, to);
    source.first_end = std::min(source.first_end, to);
    const int64_t end_node = source.output + 1;
    InputNode& target = inputs_[to];
    target.seen = true;
    if (end_node > target.output) {
      if (target.output != kNoNode) remove_input(outputs_[target.output], to);
      outputs_[end_node].inputs.push_back(to);
      target.output = end_node;
    }
    OutputNode& end = outputs_[target.output];
    // The tokens of the text have the narrowest offsets, which win.
    if (end.end_offset == kNoNode || token.end < end.end_offset) end.end_offset = token.end;
    release(false);
    forget();
  }

  void finish() { release(true); }

 private:
  /// Frees the nodes that no later token leads to or starts from.
  void forget() {
    outputs_.forget_before(output_from_);
    const std::vector<int64_t>& inputs = outputs_[output_from_].inputs;
    if (inputs.empty()) return;
    inputs_.forget_before(std::min(from_, *std::min_element(inputs.begin(), inputs.end())));
  }

  void remove_input(OutputNode& node, int64_t input) {
    budget_.spend(node.inputs.size() / 8);
    const auto at = std::find(node.inputs.begin(), node.inputs.end(), input);
    if (at != node.inputs.end()) node.inputs.erase(at);
  }

  /// Maps the input node of the current token to an output node, and widens that node's offset.
  void find_output(uint32_t start, int64_t increment) {
    if (!inputs_[from_].seen) {
      recover_from_gap(start, increment);
      return;
    }
    const int64_t output = inputs_[from_].output;
    const int64_t before = from_ - increment;
    if (increment > 1 && before >= 0 && output - inputs_[before].output <= 1 &&
        inputs_[before].first_end != from_) {
      // A path that ends in a gap led here too early.
      remove_input(outputs_[output], from_);
      inputs_[from_].output = kNoNode;
      const int64_t end_offset = outputs_[output].end_offset;
      recover_from_gap(start, increment);
      outputs_[inputs_[from_].output].end_offset = end_offset;
    }
    OutputNode& node = outputs_[inputs_[from_].output];
    node.start_offset = std::max(node.start_offset, int64_t{start});
  }

  /// No token ended at the input node, because tokens were removed: places it one node behind what
  /// may lead to it.
  void recover_from_gap(uint32_t start, int64_t increment) {
    int64_t node = 0;
    const int64_t before = from_ - increment;
    if (before < 0) {
      node = outputs_.last() + 1;
    } else if (inputs_[before].first_end < from_) {
      node = inputs_[inputs_[before].first_end].output + 1;
    } else {
      node = outputs_.last();
    }
    InputNode& source = inputs_[from_];
    source.seen = true;
    source.output = node;
    OutputNode& output = outputs_[node];
    output.start_offset = output.seen ? std::max(output.start_offset, int64_t{start}) : start;
    output.seen = true;
    output.inputs.push_back(from_);
  }

  void release(bool all) {
    while (output_from_ < outputs_.last() && !budget_.exceeded()) {
      OutputNode& node = outputs_[output_from_];
      if (node.inputs.empty()) {
        ++output_from_;
        continue;
      }
      budget_.spend(node.inputs.size() / 8);
      int64_t last_end = kNoNode;
      for (const int64_t input : node.inputs) {
        last_end = std::max(last_end, inputs_[input].last_end);
      }
      if (last_end > from_ && !all) return;
      release_node(node);
    }
  }

  /// Releases the tokens of all inputs of a node that no longer changes.
  void release_node(OutputNode& node) {
    for (const int64_t input : std::vector<int64_t>(node.inputs)) {
      for (const Token& token : inputs_[input].tokens) emit(token, input);
    }
    ++output_from_;
  }

  void emit(Token token, int64_t input) {
    const int64_t target = inputs_[input + token.position_length].output;
    last_start_ = std::max(last_start_, outputs_[output_from_].start_offset);
    token.start = static_cast<uint32_t>(last_start_);
    token.end = static_cast<uint32_t>(std::max(last_start_, outputs_[target].end_offset));
    token.position = static_cast<uint32_t>(output_from_);
    token.position_length = static_cast<uint32_t>(std::max<int64_t>(target - output_from_, 1));
    result_.push_back(token);
  }

  std::vector<Token>& result_;
  AnalysisBudget& budget_;
  Nodes<InputNode> inputs_;
  Nodes<OutputNode> outputs_;
  int64_t from_ = -1;  // the input node of the last token
  int64_t output_from_ = 0;
  int64_t last_start_ = 0;
};

}  // namespace

void FlattenGraphFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  if (out.tokens.empty()) return;
  const uint32_t behind = out.end_position - out.tokens.back().position;
  std::vector<Token> result;
  result.reserve(out.tokens.size());
  Flattener flattener(result, budget);
  for (const Token& token : out.tokens) {
    if (budget.exceeded()) return;
    flattener.add(token);
  }
  flattener.finish();
  out.tokens = std::move(result);
  if (!out.tokens.empty()) out.end_position = out.tokens.back().position + behind;
}

}  // namespace quarry
