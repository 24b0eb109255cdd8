#include "store/source_dictionary.h"

#include <algorithm>
#include <utility>

#include "base/coding.h"

namespace quarry {
namespace {

constexpr size_t kPieceBytes = 160;
constexpr size_t kRunBytes = 8;
constexpr uint32_t kTableBits = 20;
/// A document gives the sample no more than one part in so many of a dictionary.
constexpr size_t kLeastDocuments = 32;
static_assert(kPieceBytes <= UINT8_MAX, "a piece may have one run as often as it has bytes");

/// How often each run of the sample turns up again, by a hash.
class RunCounts {
 public:
  explicit RunCounts(std::string_view sample) : sample_(sample), counts_(size_t{1} << kTableBits), seen_(counts_.size()) {
    for (size_t at = 0; at + kRunBytes <= sample.size(); at++) {
      uint16_t& count = counts_[slot(at)];
      if (count < UINT16_MAX) count++;
    }
    for (uint16_t& count : counts_) count = count > 0 ? static_cast<uint16_t>(count - 1) : uint16_t{0};
  }

  struct Piece {
    size_t begin = 0;
    uint64_t worth = 0;
  };
  /// The piece worth most of those that begin and end in [begin, end).
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
  /// Its runs are worth nothing any more.
  void use(size_t begin, size_t end) {
    for (size_t at = begin; at + kRunBytes <= end; at++) counts_[slot(at)] = 0;
  }

 private:
  size_t slot(size_t at) const {
    return static_cast<size_t>(load<uint64_t>(sample_.data() + at) * 0x9e3779b185ebca87 >> (64 - kTableBits));
  }
  uint64_t leave(size_t at) {
    const size_t run = slot(at);
    return --seen_[run] == 0 ? counts_[run] : 0;
  }

  std::string_view sample_;
  std::vector<uint16_t> counts_;
  std::vector<uint8_t> seen_;  // in the piece at hand
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
  // The sample in as many parts as there are pieces: each gives its best, in turns, so that all of it has a say.
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
  // The first ones are worth most: they stand last, where a block reaches them from its end, too.
  std::string out;
  out.reserve(size);
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) out.append(*piece);
  return out;
}

}  // namespace quarry
