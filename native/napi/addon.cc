// The export table of the addon: the only place that knows JavaScript. Every entry catches whatever
// the core might throw, because an exception must not cross into Node.
#include <napi.h>

#include <string>

#include "base/status.h"

namespace {

/// errorTypes() -> { type, status }[]: errors.def in order, so that TypeScript can check its own
/// table against it when it loads the addon.
Napi::Value error_types(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const uint16_t count = quarry::error_type_count();
  Napi::Array table = Napi::Array::New(env, count);
  for (uint16_t i = 0; i < count; ++i) {
    const auto type = static_cast<quarry::ErrorType>(i);
    Napi::Object row = Napi::Object::New(env);
    row.Set("type", Napi::String::New(env, std::string(quarry::error_wire_type(type))));
    row.Set("status", Napi::Number::New(env, quarry::error_http_status(type)));
    table.Set(uint32_t{i}, row);
  }
  return table;
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  exports.Set("errorTypes", Napi::Function::New(env, error_types, "errorTypes"));
  return exports;
}

}  // namespace

NODE_API_MODULE(addon, init)
