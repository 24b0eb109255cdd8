// Reads the nodes of partial results column by column.
#include "testing/agg_text.h"

#include <cmath>

#include "query/aggs/frame/agg_reply.h"
#include "testing/test.h"

namespace quarry::testing {
namespace {

/// Reads a section once, from start to end.
class Reader {
 public:
  explicit Reader(Bytes section) : reader_(section) {}

  /// The text of every top-level node.
  std::vector<std::string> read() {
    const auto nodes = reader_.get<uint32_t>();
    reader_.get<uint32_t>();
    std::vector<std::string> out;
    for (uint32_t i = 0; i < nodes && !reader_.failed(); i++) out.push_back(node()[0]);
    EXPECT_FALSE(reader_.failed());
    EXPECT_TRUE(reader_.done());
    return out;
  }

 private:
  struct Head {
    PlanOp op;
    ValueKind kind;
    uint32_t owners;
    uint32_t buckets;
    uint32_t extra;
    size_t end;
  };

  template <typename T>
  std::vector<T> column(size_t count) {
    reader_.align(8);
    std::vector<T> out;
    for (size_t i = 0; i < count && !reader_.failed(); i++) out.push_back(reader_.get<T>());
    return out;
  }
  std::vector<std::string> texts(size_t count) {
    const std::vector<uint32_t> ends = column<uint32_t>(count);
    std::vector<std::string> out;
    uint32_t begin = 0;
    for (const uint32_t end : ends) {
      out.emplace_back(as_text(reader_.get_bytes(end - begin)));
      begin = end;
    }
    return out;
  }
  std::vector<std::string> keys(ValueKind kind, size_t count) {
    std::vector<std::string> out;
    switch (kind) {
      case ValueKind::kUnmapped:
        EXPECT_EQ(count, size_t{0});
        return out;
      case ValueKind::kString:
        return texts(count);
      case ValueKind::kEncoded:
        texts(count);
        return texts(count);
      case ValueKind::kDouble:
        for (const double value : column<double>(count)) out.push_back(number_text(value));
        return out;
      case ValueKind::kUnsigned:
        for (const uint64_t value : column<uint64_t>(count)) out.push_back(std::to_string(value));
        return out;
      default:
        for (const int64_t value : column<int64_t>(count)) out.push_back(std::to_string(value));
        return out;
    }
  }

  Head head() {
    reader_.align(8);
    const size_t start = reader_.position();
    Head out;
    out.op = static_cast<PlanOp>(reader_.get<uint16_t>());
    out.kind = static_cast<ValueKind>(reader_.get<uint8_t>());
    reader_.get<uint8_t>();
    out.owners = reader_.get<uint32_t>();
    out.buckets = reader_.get<uint32_t>();
    out.extra = reader_.get<uint32_t>();
    out.end = start + reader_.get<uint32_t>();
    reader_.get<uint32_t>();
    reader_.get_string();
    return out;
  }

  std::vector<std::string> node() {
    const Head node = head();
    std::vector<std::string> out = columns(node);
    EXPECT_EQ(out.size(), size_t{node.owners});
    reader_.align(8);
    EXPECT_EQ(reader_.position(), node.end);
    out.resize(node.owners == 0 ? 1 : node.owners);
    return out;
  }

  std::vector<std::string> columns(const Head& node) {
    switch (node.op) {
      case PlanOp::kAggStats:
        return stats(node);
      case PlanOp::kAggValueCount:
        return rows({column<double>(node.owners)});
      case PlanOp::kAggWeightedAvg:
        return weighted(node);
      case PlanOp::kAggCardinality:
        return cardinality(node);
      case PlanOp::kAggPercentiles:
        return percentiles(node);
      case PlanOp::kAggTopHits:
        return top_hits(node);
      case PlanOp::kAggComposite:
        return composite(node);
      case PlanOp::kAggMultiTerms:
        return multi_terms(node);
      case PlanOp::kAggTopMetrics:
        return top_metrics(node);
      default:
        return buckets(node);
    }
  }

  std::vector<std::string> rows(const std::vector<std::vector<double>>& columns) {
    std::vector<std::string> out(columns[0].size());
    for (const auto& column : columns) {
      for (size_t i = 0; i < out.size() && i < column.size(); i++)
        out[i] += (out[i].empty() ? "" : ",") + number_text(column[i]);
    }
    return out;
  }
  std::vector<double> sums(size_t count) {
    std::vector<double> sum = column<double>(count);
    const std::vector<double> delta = column<double>(count);
    for (size_t i = 0; i < sum.size() && i < delta.size(); i++) sum[i] += delta[i];
    return sum;
  }
  std::vector<std::string> stats(const Head& node) {
    const size_t n = node.owners;
    std::vector<std::vector<double>> all{column<double>(n), sums(n)};
    all.push_back(column<double>(n));
    all.push_back(column<double>(n));
    for (size_t i = 0; i < n && i < all[0].size(); i++) {
      if (all[0][i] == 0) all[2][i] = all[3][i] = 0;  // infinite: no value
    }
    if (reader_.position() + 16 * n <= node.end) all.push_back(sums(n));
    return rows(all);
  }
  std::vector<std::string> weighted(const Head& node) {
    std::vector<double> sum = sums(node.owners);
    return rows({std::move(sum), sums(node.owners)});
  }
  std::vector<std::string> cardinality(const Head& node) {
    const std::vector<uint8_t> sketch = column<uint8_t>(node.owners);
    const std::vector<uint32_t> length = column<uint32_t>(node.owners);
    std::vector<std::string> out;
    for (size_t i = 0; i < length.size() && !reader_.failed(); i++) {
      reader_.align(8);
      reader_.get_bytes(size_t{length[i]} * (sketch[i] == 2 ? 0 : sketch[i] == 1 ? 1 : 8));
      out.push_back((sketch[i] == 1 ? "~" : "") + std::to_string(length[i]));
    }
    return out;
  }
  std::vector<std::string> percentiles(const Head& node) {
    const std::vector<uint8_t> exact = column<uint8_t>(node.owners);
    const std::vector<uint32_t> points = column<uint32_t>(node.owners);
    column<double>(node.owners);
    column<double>(node.owners);
    size_t all = 0;
    for (const uint32_t count : points) all += count;
    const std::vector<double> means = column<double>(all);
    const std::vector<double> weights = column<double>(all);
    std::vector<std::string> out;
    size_t at = 0;
    for (size_t i = 0; i < points.size(); i++) {
      std::string& text = out.emplace_back(exact[i] == 1 ? "" : "~");
      for (uint32_t p = 0; p < points[i] && at < weights.size(); p++, at++)
        text += (p == 0 ? "" : " ") + number_text(means[at]) + "x" + number_text(weights[at]);
    }
    return out;
  }
  std::vector<std::string> top_hits(const Head& node) {
    const std::vector<uint32_t> hits = column<uint32_t>(node.owners);
    const std::vector<double> totals = column<double>(node.owners);
    column<double>(node.owners);
    reader_.align(8);
    const auto count = reader_.get<uint32_t>();
    reader_.get<float>();
    column<float>(count);
    const std::vector<uint32_t> docs = column<uint32_t>(count);
    reader_.seek(node.end);
    std::vector<std::string> out;
    size_t at = 0;
    for (size_t i = 0; i < hits.size(); i++) {
      std::string& text = out.emplace_back(number_text(totals[i]) + ":");
      for (uint32_t h = 0; h < hits[i] && at < docs.size(); h++)
        text += " " + std::to_string(docs[at++]);
    }
    return out;
  }

  /// The children of a bucket node up to its end, joined by bucket.
  std::vector<std::string> children(const Head& node) {
    std::vector<std::string> out(node.buckets);
    reader_.align(8);
    while (reader_.position() < node.end && !reader_.failed()) {
      const std::vector<std::string> child = this->node();
      for (size_t i = 0; i < out.size() && i < child.size(); i++)
        out[i] += (out[i].empty() ? "" : ";") + child[i];
      reader_.align(8);
    }
    return out;
  }
  std::vector<std::string> join(const Head& node, const std::vector<uint32_t>& sizes,
                                const std::vector<std::string>& keys,
                                const std::vector<double>& counts) {
    const std::vector<std::string> below = children(node);
    std::vector<std::string> out;
    size_t at = 0;
    for (const uint32_t size : sizes) {
      std::string& text = out.emplace_back("[");
      for (uint32_t i = 0; i < size && at < keys.size() && at < counts.size(); i++, at++) {
        text += (i == 0 ? "" : " ") + keys[at] + "=" + number_text(counts[at]);
        if (!below[at].empty()) text += "{" + below[at] + "}";
      }
      text += "]";
    }
    return out;
  }
  std::vector<std::string> buckets(const Head& node) {
    const size_t n = node.owners;
    std::vector<std::string> keys;
    std::vector<uint32_t> sizes(n, static_cast<uint32_t>(n == 0 ? 0 : node.buckets / n));
    std::vector<double> counts;
    std::vector<std::string> tail(n);
    if (node.op == PlanOp::kAggTerms) {
      sizes = column<uint32_t>(n);
      const std::vector<double> other = column<double>(n);
      const std::vector<double> error = column<double>(n);
      for (size_t i = 0; i < n && i < error.size(); i++) {
        if (other[i] != 0 || error[i] != 0)
          tail[i] = "+" + number_text(other[i]) + "/" + number_text(error[i]);
      }
      keys = this->keys(node.kind, node.buckets);
      counts = column<double>(node.buckets);
    } else if (node.op == PlanOp::kAggHistogram || node.op == PlanOp::kAggDateHistogram ||
               node.op == PlanOp::kAggAutoDateHistogram) {
      if (node.op == PlanOp::kAggDateHistogram) column<double>(4);
      if (node.op == PlanOp::kAggAutoDateHistogram) column<uint8_t>(n);
      sizes = column<uint32_t>(n);
      for (const double key : column<double>(node.buckets)) keys.push_back(number_text(key));
      counts = column<double>(node.buckets);
    } else {
      if (node.op == PlanOp::kAggRange) read_bounds(node);
      for (uint32_t i = 0; i < node.buckets; i++)
        keys.push_back(std::to_string(n == 0 ? 0 : i % (node.buckets / n)));
      counts = column<double>(node.buckets);
    }
    std::vector<std::string> out = join(node, sizes, keys, counts);
    for (size_t i = 0; i < out.size(); i++) out[i] += tail[i];
    return out;
  }
  void read_bounds(const Head& node) {
    if (node.kind == ValueKind::kEncoded) {
      texts(node.extra);
      texts(node.extra);
    } else {
      column<double>(node.extra);
      column<double>(node.extra);
    }
  }
  std::vector<std::string> composite(const Head& node) {
    const std::vector<uint32_t> sizes = column<uint32_t>(node.owners);
    const std::vector<double> counts = column<double>(node.buckets);
    return join(node, sizes, tuples(node), counts);
  }
  std::vector<std::string> multi_terms(const Head& node) {
    const std::vector<uint32_t> sizes = column<uint32_t>(node.owners);
    const std::vector<double> other = column<double>(node.owners);
    const std::vector<double> error = column<double>(node.owners);
    const std::vector<double> counts = column<double>(node.buckets);
    std::vector<std::string> out = join(node, sizes, tuples(node), counts);
    for (size_t i = 0; i < out.size() && i < error.size(); i++) {
      if (other[i] != 0 || error[i] != 0)
        out[i] += "+" + number_text(other[i]) + "/" + number_text(error[i]);
    }
    return out;
  }
  /// The documents with their metrics.
  std::vector<std::string> top_metrics(const Head& node) {
    const std::vector<uint32_t> sizes = column<uint32_t>(node.owners);
    reader_.align(8);
    const auto count = reader_.get<uint32_t>();
    reader_.get<float>();
    column<float>(count);
    const std::vector<uint32_t> docs = column<uint32_t>(count);
    column<uint64_t>(count);
    skip_number_sort(count);
    const std::vector<std::string> metrics = tuples(node);
    std::vector<std::string> out;
    size_t at = 0;
    for (const uint32_t size : sizes) {
      std::string& text = out.emplace_back();
      for (uint32_t i = 0; i < size && at < docs.size() && at < metrics.size(); i++, at++)
        text += (i == 0 ? "" : " ") + std::to_string(docs[at]) + ":" + metrics[at];
    }
    return out;
  }
  void skip_number_sort(uint32_t count) {
    reader_.align(8);
    reader_.get<uint8_t>();
    column<uint8_t>(count);
    column<int64_t>(count);
  }
  /// Columns of values, some of which are absent, row by row.
  std::vector<std::string> tuples(const Head& node) {
    std::vector<std::string> all(node.buckets);
    for (uint32_t source = 0; source < node.extra && !reader_.failed(); source++) {
      reader_.align(8);
      const auto kind = static_cast<ValueKind>(reader_.get<uint8_t>());
      reader_.align(8);
      reader_.get_string();
      const std::vector<uint8_t> nulls = column<uint8_t>(node.buckets);
      const std::vector<std::string> own = kind == ValueKind::kUnmapped
                                               ? std::vector<std::string>(node.buckets)
                                               : keys(kind, node.buckets);
      for (size_t i = 0; i < all.size() && i < own.size(); i++)
        all[i] += (source == 0 ? "" : "|") + (nulls[i] != 0 ? std::string("null") : own[i]);
    }
    return all;
  }

  ByteReader reader_;
};

}  // namespace

std::string number_text(double value) {
  if (std::isnan(value)) return "-";
  if (value == std::floor(value) && std::fabs(value) < 1e15)
    return std::to_string(static_cast<int64_t>(value));
  std::string text = std::to_string(value);
  return text;
}

std::vector<std::string> read_aggs(Bytes section) { return Reader(section).read(); }

}  // namespace quarry::testing
