#include "store/lz4_block.h"

#include <lz4.h>
#include <lz4hc.h>

#include <algorithm>
#include <limits>

namespace quarry {
namespace {

/// LZ4 HC levels are 3 to 12. On sources of documents, level 4 is a quarter faster with 1.6 %
/// larger output, level 9 half as fast with 0.4 % smaller output.
constexpr int kLevel = 6;

/// Calls compress(raw, out, room) with the part of `out` reserved for the block.
template <typename Compress>
bool append_block(Bytes raw, std::vector<uint8_t>& out, Compress compress) {
  if (raw.size() < 2 || raw.size() > LZ4_MAX_INPUT_SIZE) return false;
  const size_t start = out.size();
  const size_t room = raw.size() - 1;  // the block must be smaller than `raw`
  out.resize(start + room);
  const int size = compress(reinterpret_cast<const char*>(raw.data()),
                            reinterpret_cast<char*>(out.data() + start),
                            static_cast<int>(raw.size()), static_cast<int>(room));
  out.resize(start + (size > 0 ? static_cast<size_t>(size) : 0));
  return size > 0;
}

}  // namespace

bool lz4_compress(Bytes raw, std::vector<uint8_t>& out) {
  return append_block(raw, out, LZ4_compress_default);
}

bool lz4_decompress(Bytes block, std::span<uint8_t> out, Bytes dictionary) {
  constexpr size_t kMax = std::numeric_limits<int>::max();
  if (block.empty() || block.size() > kMax || out.size() > kMax || dictionary.size() > kLz4Window)
    return false;
  const int size = LZ4_decompress_safe_usingDict(
      reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(out.data()),
      static_cast<int>(block.size()), static_cast<int>(out.size()),
      reinterpret_cast<const char*>(dictionary.data()), static_cast<int>(dictionary.size()));
  return size >= 0 && static_cast<size_t>(size) == out.size();
}

bool lz4_decompress_start(Bytes block, std::span<uint8_t> out, Bytes dictionary) {
  constexpr size_t kMax = std::numeric_limits<int>::max();
  if (block.empty() || block.size() > kMax || out.size() > kMax || dictionary.size() > kLz4Window)
    return false;
  if (out.empty()) return true;
  const int wanted = static_cast<int>(out.size());
  const int size = LZ4_decompress_safe_partial_usingDict(
      reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(out.data()),
      static_cast<int>(block.size()), wanted, wanted,
      reinterpret_cast<const char*>(dictionary.data()), static_cast<int>(dictionary.size()));
  return size == wanted;
}

struct Lz4Packer::Streams {
  LZ4_streamHC_t loaded;
  LZ4_streamHC_t working;
};

Lz4Packer::Lz4Packer(Bytes dictionary) : streams_(std::make_unique<Streams>()) {
  LZ4_initStreamHC(&streams_->loaded, sizeof(LZ4_streamHC_t));
  LZ4_initStreamHC(&streams_->working, sizeof(LZ4_streamHC_t));
  if (dictionary.empty()) return;
  LZ4_resetStreamHC_fast(&streams_->loaded, kLevel);
  LZ4_loadDictHC(&streams_->loaded, reinterpret_cast<const char*>(dictionary.data()),
                 static_cast<int>(std::min(dictionary.size(), kLz4Window)));
  loaded_ = true;
}

Lz4Packer::~Lz4Packer() = default;

bool Lz4Packer::compress(Bytes raw, std::vector<uint8_t>& out) {
  LZ4_resetStreamHC_fast(&streams_->working, kLevel);
  if (loaded_) LZ4_attach_HC_dictionary(&streams_->working, &streams_->loaded);
  return append_block(raw, out, [this](const char* from, char* to, int size, int room) {
    return LZ4_compress_HC_continue(&streams_->working, from, to, size, room);
  });
}

}  // namespace quarry
