#include "napi/check.h"

#include <memory>
#include <string>

#include "base/map_faults.h"
#include "engine/check/check.h"
#include "napi/args.h"

namespace quarry::napi {

Napi::Value check(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (const Status caught = catch_map_faults(); !caught.ok()) throw to_error(env, caught);
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  const auto progress = info[2].As<Napi::Function>();
  CheckOptions options;
  options.data_dir = Arg<std::string_view>::get(info, 0);
  options.salvage_dir = Arg<std::string_view>::get(info, 1);
  options.file_system = files.get();
  options.progress = [&](uint64_t done, uint64_t total, const std::string& file) {
    const Napi::HandleScope scope(env);
    progress.Call({Napi::Number::New(env, static_cast<double>(done)),
                   Napi::Number::New(env, static_cast<double>(total)), to_js(env, file)});
  };
  return to_js(env, check_data_folder(options));
}

}  // namespace quarry::napi
