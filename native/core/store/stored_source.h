// The `_source` of every document, byte for byte, in LZ4 blocks of about 16 KB.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/status.h"

namespace quarry {

/// Sections: `blocks` (compressed, data file) and `index` (block table and document offsets, sidx file).
struct StoredSections {
  std::vector<uint8_t> blocks;
  std::vector<uint8_t> index;
};

class StoredSourceWriter {
 public:
  StoredSourceWriter();
  ~StoredSourceWriter();
  /// Documents in docId order, one call each.
  void add(std::string_view source);
  StoredSections finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reader; the sections' bytes must outlive it. Thread-safe.
class StoredSource {
 public:
  StoredSource() = default;
  static Result<StoredSource> open(Bytes blocks, Bytes index, uint32_t max_doc);
  /// Appends the source of `doc` to `out`. A block that does not decompress is ErrorType::kCorrupt.
  Status get(uint32_t doc, std::string& out) const;
  /// Keeps the last decompressed block, for readers that go through neighbours (merge, fetch of a page).
  class Cursor {
   public:
    explicit Cursor(const StoredSource& stored) : stored_(&stored) {}
    /// The view is valid until the next call.
    Result<std::string_view> get(uint32_t doc);

   private:
    const StoredSource* stored_;
    uint32_t block_ = UINT32_MAX;
    std::vector<uint8_t> bytes_;
  };

 private:
  Bytes blocks_;
  Bytes index_;
  uint32_t max_doc_ = 0;
};

}  // namespace quarry
