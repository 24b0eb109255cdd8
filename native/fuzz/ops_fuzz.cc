// Passes arbitrary bytes to the engine as write operations, as a bulk header, as a bulk body and as
// an update.
#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/item_results.h"
#include "shard/update_request.h"
#include "testing/fault_file_system.h"

namespace {

constexpr const char* kSpec = R"({"name":"i","mappings":{"properties":{
    "body":{"type":"semantic_text","inference_id":"m","embedder":"m"}}}})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quarry;
  testing::FaultFileSystem disk;
  const SystemClock clock;
  EngineOptions options;
  options.data_dir = "/data";
  options.file_system = &disk;
  options.clock = &clock;
  const auto engine = Engine::open(options);
  if (!engine.ok() || !(*engine)->create_index(kSpec).ok()) return 0;
  const Bytes bytes{data, size};
  static_cast<void>((*engine)->pending_texts(bytes, bytes));
  static_cast<void>((*engine)->pending_texts(bytes, {}));
  static_cast<void>((*engine)->write(bytes));
  ByteWriter operation;
  operation.put(kOpsMagic);
  operation.put(uint32_t{1});
  operation.put_bytes(bytes);
  static_cast<void>((*engine)->write(operation.view()));
  static_cast<void>((*engine)->bulk(bytes, bytes));
  ByteWriter header;
  header.put(kBulkMagic);
  header.put(uint32_t{0});
  header.put_string("i");
  header.put(uint8_t{0});
  header.put_string("");
  header.put(uint32_t{1});
  header.put_string("i");
  header.put(uint32_t{1});
  static_cast<void>((*engine)->pending_texts(header.view(), bytes));
  static_cast<void>((*engine)->bulk(header.view(), bytes));
  static_cast<void>(read_update_request(as_text(bytes)));
  static_cast<void>(read_source_spec(as_text(bytes)));
  static_cast<void>((*engine)->analyze(1, as_text(bytes)));
  static_cast<void>((*engine)->put_spec(1, as_text(bytes)));
  static_cast<void>((*engine)->search({{1, 0}}, bytes));
  static_cast<void>((*engine)->refresh({1, 0}));
  static_cast<void>((*engine)->flush({1, 0}));
  return 0;
}
