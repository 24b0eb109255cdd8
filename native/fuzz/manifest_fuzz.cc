// Parses arbitrary bytes as a manifest, with their own checksum and with a valid one.
#include <cstdint>
#include <vector>

#include "base/crc32c.h"
#include "shard/manifest.h"

namespace {

void read(quarry::Bytes bytes) {
  const auto manifest = quarry::decode_manifest(bytes);
  if (!manifest.ok()) return;
  uint64_t live = 0;
  for (const quarry::ManifestSegment& segment : manifest->segments) {
    live += segment.live == nullptr ? segment.docs : segment.live->count();
  }
  volatile uint64_t sink = live + quarry::encode_manifest(*manifest).size();
  static_cast<void>(sink);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  read({data, size});
  quarry::ByteWriter fitting;
  fitting.put(quarry::kManifestMagic);
  fitting.put(quarry::kManifestVersion);
  fitting.put_bytes(quarry::Bytes{data, size});
  fitting.put(quarry::crc32c(fitting.view()));
  read(fitting.view());
  return 0;
}
