#include "napi/process_engine.h"

#include <mutex>

#include "base/clock.h"
#include "base/file.h"
#include "base/map_faults.h"

namespace quarry::napi {
namespace {

/// The only global of the native side; the library is never unloaded (linked with -z nodelete).
struct Process {
  std::mutex mutex;
  std::unique_ptr<FileSystem> files = make_posix_file_system();
  SystemClock clock;
  std::shared_ptr<Engine> engine;
  Printers printers;
};

Process& process() {
  static Process instance;
  return instance;
}

}  // namespace

Status open_engine(EngineOptions options) {
  Process& shared = process();
  const std::lock_guard lock(shared.mutex);
  if (shared.engine != nullptr) {
    return {ErrorType::kIllegalArgument,
            "the engine of this process is open already, close it first"};
  }
  QUARRY_RETURN_IF_ERROR(catch_map_faults());
  options.file_system = shared.files.get();
  options.clock = &shared.clock;
  QUARRY_ASSIGN_OR_RETURN(std::unique_ptr<Engine> opened, Engine::open(options));
  shared.engine = std::move(opened);
  return {};
}

std::shared_ptr<Engine> engine() {
  Process& shared = process();
  const std::lock_guard lock(shared.mutex);
  return shared.engine;
}

Printers& printers() { return process().printers; }

Status close_engine(int64_t checkpoint_ms) {
  Process& shared = process();
  std::shared_ptr<Engine> closing;
  {
    const std::lock_guard lock(shared.mutex);
    closing.swap(shared.engine);
  }
  return closing == nullptr ? Status() : closing->close(checkpoint_ms);
}

}  // namespace quarry::napi
