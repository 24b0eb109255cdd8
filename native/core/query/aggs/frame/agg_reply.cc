// Encodes partial results.
#include "query/aggs/frame/agg_reply.h"

namespace quarry {
namespace {

constexpr size_t kBytesAt = 16;

}  // namespace

size_t AggWriter::begin(const Head& head) {
  out_.align(8);
  const size_t node = out_.size();
  buckets_ += head.buckets;
  if (buckets_ > kMaxPartialBuckets && status_.ok()) {
    status_ = Status(ErrorType::kTooManyBuckets,
                     "Trying to create too many buckets. A shard may answer at most [" +
                         std::to_string(kMaxPartialBuckets) + "] buckets but found more.");
  }
  out_.put(static_cast<uint16_t>(head.op));
  out_.put(static_cast<uint8_t>(head.kind));
  out_.put(static_cast<uint8_t>(head.cut ? 1 : 0));
  out_.put(static_cast<uint32_t>(head.owners));
  out_.put(static_cast<uint32_t>(head.buckets));
  out_.put(head.extra);
  out_.put(uint32_t{0});
  out_.put(uint32_t{0});
  out_.put_string(head.format);
  return node;
}

void AggWriter::end(size_t node) {
  out_.align(8);
  out_.patch(node + kBytesAt, static_cast<uint32_t>(out_.size() - node));
}

void AggWriter::refuse_keys() {
  if (!status_.ok()) return;
  status_ =
      Status(ErrorType::kCircuitBreaking,
             "[request] Data too large: the keys of the buckets of this search take more than [" +
                 std::to_string(kMaxKeyBytes) +
                 "] bytes on one shard, ask for fewer buckets or aggregations");
}

void AggWriter::texts(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) key_bytes_ += text.size();
  if (key_bytes_ > kMaxKeyBytes) return refuse_keys();
  out_.align(8);
  uint32_t end = 0;
  for (const std::string& text : texts) {
    end += static_cast<uint32_t>(text.size());
    out_.put(end);
  }
  for (const std::string& text : texts) out_.put_bytes(text);
}

}  // namespace quarry
