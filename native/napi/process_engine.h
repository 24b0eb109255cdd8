// The single engine of the process, shared by all threads that load the addon.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "engine/engine.h"
#include "engine/printers.h"

namespace quarry::napi {

/// Opens the engine; fails when it is already open.
Status open_engine(EngineOptions options);
/// Null before open and after close. A caller must hold the pointer during its call, which keeps
/// the engine alive.
std::shared_ptr<Engine> engine();
/// Closes the engine after a checkpoint of at most about `checkpoint_ms`. No call may be running.
Status close_engine(int64_t checkpoint_ms);
/// The printers of the process, for all responses.
Printers& printers();

}  // namespace quarry::napi
