#include "store/source_dictionary.h"

#include <algorithm>
#include <utility>

#include "base/coding.h"

namespace quarry {
namespace {

constexpr size_t kPieceBytes = 160;
constexpr size_t kRunBytes = 8;
constexpr uint32_t kTableBits = 20;
/// A document contributes at most this fraction of the size of the dictionary to the sample.
constexpr size_t kLeastDocuments = 32;
static_assert(kPieceBytes <= UINT8_MAX, "a piece may have one run as often as it has bytes");

/// The number of repetitions of each run of the sample, by hash.
class RunCounts {
 public:
  explicit RunCounts(std::string_view sample)
      : sample_(sample), counts_(size_t{1} << kTableBits), seen_(counts_.size()) {
    for (size_t at = 0; at + kRunBytes <= sample.size(); at++) {
      uint16_t& count = counts_[slot(at)];
      if (count < UINT16_MAX) count++;
    }
    for (uint16_t& count : counts_)
      count = count > 0 ? static_cast<uint16_t>(count - 1) : uint16_t{0};
  }

  struct Piece {
    size_t begin = 0;
    uint64_t worth = 0;
  };
  /// The most valuable piece within [begin, end).
  Piece best(size_t begin, size_t end) {
    Piece found;
    uint64_t worth = 0;
    size_t first = begin;
    for (size_t at = begin; at + kRunBytes <= end; at++) {
      if (at + kRunBytes - first > kPieceBytes) worth -= leave(first++);
      const size_t run = slot(at);
      if (seen_[run]++ == 0) worth += counts_[run];
      if (worth > found.worth) found = {first, worth};
    }
    for (; first + kRunBytes <= end; first++) leave(first);
    return found;
  }
  /// Sets the value of the runs in [begin, end) to 0.
  void use(size_t begin, size_t end) {
    for (size_t at = begin; at + kRunBytes <= end; at++) counts_[slot(at)] = 0;
  }

 private:
  size_t slot(size_t at) const {
    return static_cast<size_t>(load<uint64_t>(sample_.data() + at) * 0x9e3779b185ebca87 >>
                               (64 - kTableBits));
  }
  uint64_t leave(size_t at) {
    const size_t run = slot(at);
    return --seen_[run] == 0 ? counts_[run] : 0;
  }

  std::string_view sample_;
  std::vector<uint16_t> counts_;
  std::vector<uint8_t> seen_;  // counts in the current piece
};

}  // namespace

void SourceDictionary::add(std::string_view source) {
  const size_t before = sample_.size();
  packer_.pack(source, sample_, runs_);
  runs_.clear();
  const size_t most = before + std::max(bytes_ / kLeastDocuments, kPieceBytes);
  if (sample_.size() > most) sample_.resize(most);
}

std::string SourceDictionary::take() {
  const std::string sample = std::move(sample_);
  if (sample.size() <= bytes_) return sample;
  RunCounts runs(sample);
  // The sample is divided into as many parts as there are pieces; the parts contribute their best
  // pieces in rotation, so that all of the sample is represented.
  const size_t parts = std::max<size_t>(bytes_ / kPieceBytes, 1);
  std::vector<std::string_view> pieces;
  size_t size = 0;
  for (size_t part = 0, idle = 0; size < bytes_ && idle < parts; part = (part + 1) % parts) {
    const size_t end = sample.size() * (part + 1) / parts;
    const auto [begin, worth] = runs.best(sample.size() * part / parts, end);
    idle = worth == 0 ? idle + 1 : 0;
    if (worth == 0) continue;
    const size_t length = std::min({kPieceBytes, end - begin, bytes_ - size});
    runs.use(begin, begin + length);
    pieces.push_back(std::string_view(sample).substr(begin, length));
    size += length;
  }
  // The first pieces are the most valuable. They are placed last, closest to the block, so that
  // they stay within its window the longest.
  std::string out;
  out.reserve(size);
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) out.append(*piece);
  return out;
}

}  // namespace quarry
