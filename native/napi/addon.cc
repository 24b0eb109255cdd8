// The export table of the addon: one function per verb of the engine. Every entry catches whatever the core
// might throw, because an exception must not cross into Node.
#include <napi.h>

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "engine/engine.h"
#include "engine/opcode_table.h"
#include "napi/args.h"
#include "napi/process_engine.h"

namespace quarry::napi {
namespace {

constexpr uint32_t kAbiVersion = 1;

using Call = Napi::CallbackInfo;

std::shared_ptr<Engine> open_or_throw(Napi::Env env) {
  std::shared_ptr<Engine> shared = engine();
  if (shared == nullptr) throw to_error(env, Status(ErrorType::kNotReady, "the engine is not open"));
  return shared;
}

/// Wraps an entry: native exceptions become JavaScript errors.
template <Napi::Value (*Entry)(const Call&)>
Napi::Value guarded(const Call& info) {
  try {
    return Entry(info);
  } catch (const Napi::Error&) {
    throw;
  } catch (const std::exception& error) {
    throw to_error(info.Env(), Status(ErrorType::kInternal, error.what()));
  } catch (...) {
    throw to_error(info.Env(), Status(ErrorType::kInternal, "unknown native exception"));
  }
}

Napi::Value text(Napi::Env env, const std::string& value) { return Napi::String::New(env, value); }

ShardId shard_arg(const Call& info) { return {u32_arg(info, 0), u32_arg(info, 1)}; }

Napi::Value shard_list(Napi::Env env, const std::vector<ShardId>& shards) {
  Napi::Uint32Array pairs = Napi::Uint32Array::New(env, shards.size() * 2);
  for (size_t i = 0; i < shards.size(); i++) {
    pairs[2 * i] = shards[i].index;
    pairs[2 * i + 1] = shards[i].shard;
  }
  return pairs;
}

/// errorTypes() -> {type, status}[]: errors.def in order, for the check of src/errors.ts.
Napi::Value error_types(const Call& info) {
  const Napi::Env env = info.Env();
  const uint16_t count = error_type_count();
  Napi::Array table = Napi::Array::New(env, count);
  for (uint16_t i = 0; i < count; i++) {
    const auto type = static_cast<ErrorType>(i);
    Napi::Object row = Napi::Object::New(env);
    row.Set("type", text(env, std::string(error_wire_type(type))));
    row.Set("status", Napi::Number::New(env, error_http_status(type)));
    table.Set(uint32_t{i}, row);
  }
  return table;
}

Napi::Value opcodes(const Call& info) {
  Napi::Object table = Napi::Object::New(info.Env());
  for (const OpcodeRow& row : opcode_table()) {
    table.Set(std::string(row.name), Napi::Number::New(info.Env(), row.number));
  }
  return table;
}

uint64_t number_option(const Napi::Object& options, const char* name, uint64_t fallback) {
  const Napi::Value value = options.Get(name);
  return value.IsNumber() ? static_cast<uint64_t>(value.ToNumber().Int64Value()) : fallback;
}

/// open(dataDir, optionsJson): keys as in EngineOptions; absent ones keep their defaults.
Napi::Value open(const Call& info) {
  const Napi::Env env = info.Env();
  const auto json = env.Global().Get("JSON").As<Napi::Object>();
  const Napi::Object given = json.Get("parse").As<Napi::Function>().Call(json, {info[1]}).As<Napi::Object>();
  EngineOptions options;
  options.data_dir = text_arg(info, 0);
  options.wal_file_bytes = number_option(given, "wal_file_bytes", options.wal_file_bytes);
  options.wal_flush_bytes = number_option(given, "wal_flush_bytes", options.wal_flush_bytes);
  options.memtable_flush_bytes = number_option(given, "memtable_flush_bytes", options.memtable_flush_bytes);
  options.filter_cache_bytes = number_option(given, "filter_cache_bytes", options.filter_cache_bytes);
  options.disk_reserve_bytes = number_option(given, "disk_reserve_bytes", options.disk_reserve_bytes);
  options.snapshot_retention_ms = static_cast<uint32_t>(
      number_option(given, "snapshot_retention_ms", options.snapshot_retention_ms));
  check(env, open_engine(std::move(options)));
  return env.Undefined();
}

Napi::Value close(const Call& info) {
  check(info.Env(), close_engine());
  return info.Env().Undefined();
}

Napi::Value create_index(const Call& info) {
  const Napi::Env env = info.Env();
  return text(env, unwrap(env, open_or_throw(env)->create_index(text_arg(info, 0))));
}

Napi::Value drop_index(const Call& info) {
  check(info.Env(), open_or_throw(info.Env())->drop_index(u32_arg(info, 0)));
  return info.Env().Undefined();
}

Napi::Value put_mapping(const Call& info) {
  const Napi::Env env = info.Env();
  return text(env, unwrap(env, open_or_throw(env)->put_mapping(u32_arg(info, 0), text_arg(info, 1))));
}

Napi::Value put_spec(const Call& info) {
  const Napi::Env env = info.Env();
  return text(env, unwrap(env, open_or_throw(env)->put_spec(u32_arg(info, 0), text_arg(info, 1))));
}

Napi::Value describe(const Call& info) {
  const Napi::Env env = info.Env();
  return text(env, unwrap(env, open_or_throw(env)->describe(u32_arg(info, 0))));
}

Napi::Value describe_all(const Call& info) {
  return text(info.Env(), open_or_throw(info.Env())->describe_all());
}

Napi::Value index_stats(const Call& info) {
  const Napi::Env env = info.Env();
  return text(env, unwrap(env, open_or_throw(env)->index_stats(u32_arg(info, 0))));
}

Napi::Value node_stats(const Call& info) {
  return text(info.Env(), open_or_throw(info.Env())->node_stats());
}

Napi::Value analyze(const Call& info) {
  const Napi::Env env = info.Env();
  return text(env, unwrap(env, open_or_throw(env)->analyze(u32_arg(info, 0), text_arg(info, 1))));
}

Napi::Value bulk(const Call& info) {
  const Napi::Env env = info.Env();
  return to_buffer(env, unwrap(env, open_or_throw(env)->bulk(bytes_arg(info, 0), bytes_arg(info, 1))).bytes);
}

Napi::Value write(const Call& info) {
  const Napi::Env env = info.Env();
  return to_buffer(env, unwrap(env, open_or_throw(env)->write(bytes_arg(info, 0))).bytes);
}

Napi::Value get(const Call& info) {
  const std::shared_ptr<Engine> shared = open_or_throw(info.Env());
  return to_buffer(info.Env(), shared->get(u32_arg(info, 0), text_arg(info, 1), text_arg(info, 2),
                                           info[3].ToBoolean(), bytes_arg(info, 4)));
}

Napi::Value search(const Call& info) {
  const std::vector<uint32_t> pairs = u32_list_arg(info, 0);
  std::vector<ShardId> shards;
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) shards.push_back({pairs[i], pairs[i + 1]});
  return to_buffer(info.Env(), open_or_throw(info.Env())->search(shards, bytes_arg(info, 1)));
}

Napi::Value fetch(const Call& info) {
  const std::shared_ptr<Engine> shared = open_or_throw(info.Env());
  return to_buffer(info.Env(), shared->fetch(shard_arg(info), u64_arg(info, 2), u32_list_arg(info, 3),
                                             bytes_arg(info, 4)));
}

Napi::Value refresh(const Call& info) {
  const Napi::Env env = info.Env();
  return Napi::Boolean::New(env, unwrap(env, open_or_throw(env)->refresh(shard_arg(info))));
}

Napi::Value flush(const Call& info) {
  check(info.Env(), open_or_throw(info.Env())->flush(shard_arg(info)));
  return info.Env().Undefined();
}

Napi::Value merge(const Call& info) {
  const Napi::Env env = info.Env();
  return Napi::Boolean::New(env, unwrap(env, open_or_throw(env)->merge(shard_arg(info), u32_arg(info, 2))));
}

Napi::Value recover(const Call& info) {
  check(info.Env(), open_or_throw(info.Env())->recover(shard_arg(info)));
  return info.Env().Undefined();
}

Napi::Value needs_recovery(const Call& info) {
  return shard_list(info.Env(), open_or_throw(info.Env())->needs_recovery());
}
Napi::Value dirty_shards(const Call& info) {
  return shard_list(info.Env(), open_or_throw(info.Env())->dirty_shards());
}
Napi::Value flush_candidates(const Call& info) {
  return shard_list(info.Env(), open_or_throw(info.Env())->flush_candidates());
}
Napi::Value merge_candidates(const Call& info) {
  return shard_list(info.Env(), open_or_throw(info.Env())->merge_candidates());
}

/// Syncs the log on a thread of Node's own pool and settles a promise.
class SyncWorker final : public Napi::AsyncWorker {
 public:
  SyncWorker(Napi::Env env, std::shared_ptr<Engine> shared)
      : Napi::AsyncWorker(env), engine_(std::move(shared)), deferred_(Napi::Promise::Deferred::New(env)) {}

  Napi::Promise promise() const { return deferred_.Promise(); }

  void Execute() override {
    Result<WalSync> synced = engine_->sync_wal();
    if (synced.ok()) {
      position_ = synced->position;
    } else {
      status_ = synced.status();
    }
    engine_.reset();
  }
  void OnOK() override {
    const Napi::Env env = Env();
    if (status_.ok()) {
      deferred_.Resolve(Napi::BigInt::New(env, position_));
    } else {
      deferred_.Reject(to_error(env, status_).Value());
    }
  }

 private:
  std::shared_ptr<Engine> engine_;
  Napi::Promise::Deferred deferred_;
  uint64_t position_ = 0;
  Status status_;
};

Napi::Value sync_wal(const Call& info) {
  auto* worker = new SyncWorker(info.Env(), open_or_throw(info.Env()));  // deletes itself when done
  Napi::Promise promise = worker->promise();
  worker->Queue();
  return promise;
}

Napi::Value write_state(const Call& info) {
  const Napi::Env env = info.Env();
  const Status status = open_or_throw(env)->write_state();
  if (status.ok()) return env.Null();
  Napi::Object state = Napi::Object::New(env);
  state.Set("errorType", Napi::Number::New(env, static_cast<double>(status.type())));
  state.Set("reason", text(env, status.reason()));
  return state;
}

template <Napi::Value (*Entry)(const Call&)>
void add(Napi::Env env, Napi::Object exports, const char* name) {
  exports.Set(name, Napi::Function::New(env, guarded<Entry>, name));
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  exports.Set("abiVersion", Napi::Number::New(env, kAbiVersion));
  add<error_types>(env, exports, "errorTypes");
  add<opcodes>(env, exports, "opcodes");
  add<open>(env, exports, "open");
  add<close>(env, exports, "close");
  add<create_index>(env, exports, "createIndex");
  add<drop_index>(env, exports, "dropIndex");
  add<put_mapping>(env, exports, "putMapping");
  add<put_spec>(env, exports, "putSpec");
  add<describe>(env, exports, "describe");
  add<describe_all>(env, exports, "describeAll");
  add<index_stats>(env, exports, "indexStats");
  add<node_stats>(env, exports, "nodeStats");
  add<analyze>(env, exports, "analyze");
  add<bulk>(env, exports, "bulk");
  add<write>(env, exports, "write");
  add<get>(env, exports, "get");
  add<search>(env, exports, "search");
  add<fetch>(env, exports, "fetch");
  add<refresh>(env, exports, "refresh");
  add<flush>(env, exports, "flush");
  add<merge>(env, exports, "merge");
  add<recover>(env, exports, "recover");
  add<needs_recovery>(env, exports, "needsRecovery");
  add<dirty_shards>(env, exports, "dirtyShards");
  add<flush_candidates>(env, exports, "flushCandidates");
  add<merge_candidates>(env, exports, "mergeCandidates");
  add<sync_wal>(env, exports, "syncWal");
  add<write_state>(env, exports, "writeState");
  return exports;
}

}  // namespace
}  // namespace quarry::napi

static Napi::Object init_addon(Napi::Env env, Napi::Object exports) {
  return quarry::napi::init(env, exports);
}

NODE_API_MODULE(addon, init_addon)
