// The one engine of the process, shared by every thread that loads the addon.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "engine/engine.h"
#include "engine/printers.h"

namespace quarry::napi {

/// Opens the engine of this process; a second open without a close in between is refused.
Status open_engine(EngineOptions options);
/// Null before open and after close. A caller that holds the pointer keeps the engine alive for the length of its call.
std::shared_ptr<Engine> engine();
/// Closes it after a checkpoint of about `checkpoint_ms` at most: no call may be running.
Status close_engine(int64_t checkpoint_ms);
/// Of all answers that are on their way.
Printers& printers();

}  // namespace quarry::napi
