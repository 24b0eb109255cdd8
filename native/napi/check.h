// The offline check of a data folder as a function of the addon. Needs no open engine.
#pragma once

#include <napi.h>

namespace quarry::napi {

/// check(dataDir, salvageDir | "", progress(done, total, file)) -> report JSON
/// (engine/check/check.h).
Napi::Value check(const Napi::CallbackInfo& info);

}  // namespace quarry::napi
