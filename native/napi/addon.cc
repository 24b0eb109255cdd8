// The export table of the addon: one function per engine call. Every entry catches all C++
// exceptions, because an exception must not propagate into Node.
#include <fcntl.h>
#include <napi.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/hash.h"
#include "base/status.h"
#include "engine/analyze.h"
#include "engine/catalog/index_spec.h"
#include "engine/catalog/opcode_table.h"
#include "engine/date_table.h"
#include "engine/engine.h"
#include "engine/recovery/rename.h"
#include "napi/args.h"
#include "napi/check.h"
#include "napi/embed.h"
#include "napi/process_engine.h"

namespace quarry::napi {
namespace {

constexpr uint32_t kAbiVersion = 1;

using Call = Napi::CallbackInfo;

std::shared_ptr<Engine> open_or_throw(Napi::Env env) {
  std::shared_ptr<Engine> shared = engine();
  if (shared == nullptr)
    throw to_error(env, Status(ErrorType::kNotReady, "the engine is not open"));
  return shared;
}

/// Wraps an entry: C++ exceptions become JavaScript errors.
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

/// A method of the engine as a JavaScript function, with conversions by the types of parameters and
/// result (args.h).
template <auto Verb>
Napi::Value verb(const Call& info) {
  return [&info]<typename R, typename... Args>(R (Engine::*method)(Args...)) {
    size_t at = 0;
    [[maybe_unused]] const auto take = [&at](size_t slots) {
      return std::exchange(at, at + slots);
    };
    // A braced list, so that the arguments are read from left to right.
    const std::tuple args{
        Arg<std::remove_cvref_t<Args>>::get(info, take(Arg<std::remove_cvref_t<Args>>::kSlots))...};
    const std::shared_ptr<Engine> shared = open_or_throw(info.Env());
    const auto run = [&](const auto&... each) { return ((*shared).*method)(each...); };
    return to_js(info.Env(), std::apply(run, args));
  }(Verb);
}

/// errorTypes() -> {type, status}[]: the entries of errors.def in order, checked by src/errors.ts.
Napi::Value error_types(const Call& info) {
  const Napi::Env env = info.Env();
  const uint16_t count = error_type_count();
  Napi::Array table = Napi::Array::New(env, count);
  for (uint16_t i = 0; i < count; i++) {
    const auto type = static_cast<ErrorType>(i);
    Napi::Object row = Napi::Object::New(env);
    row.Set("type", to_js(env, std::string(error_wire_type(type))));
    row.Set("status", Napi::Number::New(env, error_http_status(type)));
    table.Set(uint32_t{i}, row);
  }
  return table;
}

/// opcodes() -> {name: number}
Napi::Value opcodes(const Call& info) {
  Napi::Object table = Napi::Object::New(info.Env());
  for (const OpcodeRow& row : opcode_table()) {
    table.Set(std::string(row.name), Napi::Number::New(info.Env(), row.number));
  }
  return table;
}

/// hash128(bytes) -> 16 bytes; needs no open engine.
Napi::Value hash_128(const Call& info) {
  const Bytes bytes = Arg<Bytes>::get(info, 0);
  const auto hash = hash128({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return to_js(info.Env(), std::vector<uint8_t>(hash.begin(), hash.end()));
}

/// duplicateDescriptor(fd) -> fd: a descriptor of the same open file or connection, to be owned by
/// another thread.
Napi::Value duplicate_descriptor(const Call& info) {
  const int copy = fcntl(info[0].As<Napi::Number>().Int32Value(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) throw to_error(info.Env(), Status(ErrorType::kInternal, std::strerror(errno)));
  return Napi::Number::New(info.Env(), copy);
}

/// sendNow(fd, first, second?) -> the number of bytes of both that were sent without blocking; 0:
/// none, -1: the connection failed.
Napi::Value send_now(const Call& info) {
  const auto part = [&info](size_t at) {
    auto bytes = info[at].As<Napi::Uint8Array>();
    return iovec{bytes.Data(), bytes.ByteLength()};
  };
  std::array<iovec, 2> parts{part(1), iovec{}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = 1;
  if (!info[2].IsUndefined()) parts[message.msg_iovlen++] = part(2);
  const int fd = info[0].As<Napi::Number>().Int32Value();
  ssize_t sent = 0;
  do {
    sent = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) sent = 0;
  return Napi::Number::New(info.Env(), static_cast<double>(sent));
}

/// openPrinter(style, filter) -> number: core/engine/printers.h. This and the printer functions
/// below need no open engine.
Napi::Value open_printer(const Call& info) {
  const std::string style = Arg<std::string_view>::get(info, 0);
  const PrintStyle known = style == "yaml"       ? PrintStyle::kYaml
                           : style == "indented" ? PrintStyle::kIndented
                                                 : PrintStyle::kCompact;
  return to_js(info.Env(), printers().open(known, Arg<std::string_view>::get(info, 1)));
}

/// print(printer, json, last) -> a piece of output
Napi::Value print(const Call& info) {
  const Bytes json = Arg<Bytes>::get(info, 1);
  const std::string_view text(reinterpret_cast<const char*>(json.data()), json.size());
  return to_js(info.Env(),
               printers().print(Arg<uint32_t>::get(info, 0), text, Arg<bool>::get(info, 2)));
}

/// closePrinter(printer)
Napi::Value close_printer(const Call& info) {
  printers().close(Arg<uint32_t>::get(info, 0));
  return info.Env().Undefined();
}

/// openPrinters() -> the number of open printers
Napi::Value open_printers(const Call& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(printers().count()));
}

/// dateTable(request) -> reply, in the formats of engine/date_table.h; needs no open engine.
Napi::Value date_table_of(const Call& info) {
  return to_js(info.Env(), date_table(Arg<Bytes>::get(info, 0)));
}

/// rename(pattern, replacement, name, maxSteps) -> {name, steps}: engine/recovery/rename.h; needs
/// no open engine.
Napi::Value rename_by_pattern(const Call& info) {
  const Napi::Env env = info.Env();
  const Result<Renamed> renamed =
      rename(Arg<std::string_view>::get(info, 0), Arg<std::string_view>::get(info, 1),
             Arg<std::string_view>::get(info, 2), Arg<uint32_t>::get(info, 3));
  if (!renamed.ok()) throw to_error(env, renamed.status());
  Napi::Object out = Napi::Object::New(env);
  out.Set("name", to_js(env, renamed->name));
  out.Set("steps", Napi::Number::New(env, static_cast<double>(renamed->steps)));
  return out;
}

/// checkIndex(specJson): throws the error that creating an index with these settings and mappings
/// would give; needs no open engine.
Napi::Value check_index(const Call& info) {
  return to_js(info.Env(), check_index_spec(Arg<std::string_view>::get(info, 0)));
}

/// analyze(index, requestJson): engine/analyze.h; needs an open engine for an index only.
Napi::Value analyze(const Call& info) {
  if (Arg<uint32_t>::get(info, 0) != UINT32_MAX) return verb<&Engine::analyze>(info);
  return to_js(info.Env(), analyze_json(Arg<std::string_view>::get(info, 1), nullptr, {}));
}

/// open(dataDir, optionsJson): keys as in EngineOptions; absent ones keep their defaults.
Napi::Value open(const Call& info) {
  const Napi::Env env = info.Env();
  const auto json = env.Global().Get("JSON").As<Napi::Object>();
  const auto given =
      json.Get("parse").As<Napi::Function>().Call(json, {info[1]}).As<Napi::Object>();
  EngineOptions options;
  const auto read = [&given]<typename T>(const char* name, T& option) {
    const Napi::Value value = given.Get(name);
    if (value.IsNumber()) option = static_cast<T>(value.ToNumber().Int64Value());
  };
  options.data_dir = Arg<std::string_view>::get(info, 0);
  read("wal_file_bytes", options.wal_file_bytes);
  read("wal_flush_bytes", options.wal_flush_bytes);
  read("memtable_flush_bytes", options.memtable_flush_bytes);
  read("filter_cache_bytes", options.filter_cache_bytes);
  read("disk_reserve_bytes", options.disk_reserve_bytes);
  read("snapshot_retention_ms", options.snapshot_retention_ms);
  read("idle_close_ms", options.idle_close_ms);
  read("held_bytes", options.held_bytes);
  read("merge_bytes_per_sec", options.merge_bytes_per_sec);
  read("busy_searches", options.busy_searches);
  read("max_clauses", options.max_clauses);
  return to_js(env, open_engine(std::move(options)));
}

/// close(checkpointMs)
Napi::Value close(const Call& info) {
  return to_js(info.Env(), close_engine(Arg<uint32_t>::get(info, 0)));
}

/// Syncs the log on a thread of Node's pool and settles a promise.
class SyncWorker final : public Napi::AsyncWorker {
 public:
  SyncWorker(Napi::Env env, std::shared_ptr<Engine> shared)
      : Napi::AsyncWorker(env),
        engine_(std::move(shared)),
        deferred_(Napi::Promise::Deferred::New(env)) {}

  Napi::Promise promise() const { return deferred_.Promise(); }

  void Execute() override {
    const Result<WalSync> synced = engine_->sync_wal();
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
  void OnError(const Napi::Error& error) override { deferred_.Reject(error.Value()); }

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

/// releaseSnapshot(index, shard, generation)
Napi::Value release_snapshot(const Call& info) {
  open_or_throw(info.Env())
      ->release_snapshot(Arg<ShardId>::get(info, 0), Arg<uint64_t>::get(info, 2));
  return info.Env().Undefined();
}

/// cancel(token): does nothing when the engine is not open.
Napi::Value cancel(const Call& info) {
  const std::shared_ptr<Engine> shared = engine();
  if (shared != nullptr) shared->cancel(static_cast<uint64_t>(info[0].ToNumber().Int64Value()));
  return info.Env().Undefined();
}

/// steadyMicros() -> microseconds of the clock that deadlines refer to.
Napi::Value steady_micros(const Call& info) {
  const int64_t now = SystemClock().steady_ns() / 1000;
  return Napi::Number::New(info.Env(), static_cast<double>(now));
}

/// setMergeLimit(bytesPerSecond)
Napi::Value set_merge_limit(const Call& info) {
  const int64_t limit = info[0].ToNumber().Int64Value();
  open_or_throw(info.Env())->set_merge_limit(static_cast<uint64_t>(std::max<int64_t>(limit, 0)));
  return info.Env().Undefined();
}

Napi::Value abort_merges(const Call& info) {
  open_or_throw(info.Env())->abort_merges();
  return info.Env().Undefined();
}

/// Null while writes are accepted, otherwise {errorType, reason}.
Napi::Value write_state(const Call& info) {
  const Napi::Env env = info.Env();
  const Status status = open_or_throw(env)->write_state();
  if (status.ok()) return env.Null();
  Napi::Object state = Napi::Object::New(env);
  state.Set("errorType", Napi::Number::New(env, static_cast<double>(status.type())));
  state.Set("reason", to_js(env, status.reason()));
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
  add<hash_128>(env, exports, "hash128");
  add<open_printer>(env, exports, "openPrinter");
  add<print>(env, exports, "print");
  add<close_printer>(env, exports, "closePrinter");
  add<open_printers>(env, exports, "openPrinters");
  add<date_table_of>(env, exports, "dateTable");
  add<duplicate_descriptor>(env, exports, "duplicateDescriptor");
  add<send_now>(env, exports, "sendNow");
  set_up_embedder(env);
  add<embed>(env, exports, "embed");
  add<embed_terms>(env, exports, "embedTerms");
  add<check>(env, exports, "check");
  add<check_index>(env, exports, "checkIndex");
  add<rename_by_pattern>(env, exports, "rename");
  add<open>(env, exports, "open");
  add<close>(env, exports, "close");
  add<sync_wal>(env, exports, "syncWal");
  add<write_state>(env, exports, "writeState");
  add<verb<&Engine::create_index>>(env, exports, "createIndex");
  add<verb<&Engine::put_mapping>>(env, exports, "putMapping");
  add<verb<&Engine::put_spec>>(env, exports, "putSpec");
  add<verb<&Engine::check_change>>(env, exports, "checkChange");
  add<verb<&Engine::change_indexes>>(env, exports, "changeIndexes");
  add<verb<&Engine::finish_changes>>(env, exports, "finishChanges");
  add<verb<&Engine::put_out_of_service>>(env, exports, "putOutOfService");
  add<verb<&Engine::describe>>(env, exports, "describe");
  add<verb<&Engine::describe_all>>(env, exports, "describeAll");
  add<verb<&Engine::damages>>(env, exports, "damages");
  add<verb<&Engine::index_stats>>(env, exports, "indexStats");
  add<verb<&Engine::node_stats>>(env, exports, "nodeStats");
  add<analyze>(env, exports, "analyze");
  add<verb<&Engine::bulk>>(env, exports, "bulk");
  add<verb<&Engine::write>>(env, exports, "write");
  add<verb<&Engine::pending_texts>>(env, exports, "pendingTexts");
  add<verb<&Engine::get>>(env, exports, "get");
  add<verb<&Engine::search>>(env, exports, "search");
  add<verb<&Engine::fetch>>(env, exports, "fetch");
  add<verb<&Engine::acquire_snapshot>>(env, exports, "acquireSnapshot");
  add<release_snapshot>(env, exports, "releaseSnapshot");
  add<cancel>(env, exports, "cancel");
  add<steady_micros>(env, exports, "steadyMicros");
  add<verb<&Engine::suggest>>(env, exports, "suggest");
  add<verb<&Engine::walk_links>>(env, exports, "walkLinks");
  add<verb<&Engine::count_links>>(env, exports, "countLinks");
  add<verb<&Engine::refresh>>(env, exports, "refresh");
  add<verb<&Engine::flush>>(env, exports, "flush");
  add<verb<&Engine::merge>>(env, exports, "merge");
  add<verb<&Engine::recover>>(env, exports, "recover");
  add<verb<&Engine::pin_index>>(env, exports, "pinIndex");
  add<verb<&Engine::read_pinned>>(env, exports, "readPinned");
  add<verb<&Engine::unpin>>(env, exports, "unpin");
  add<verb<&Engine::prepare_restore>>(env, exports, "prepareRestore");
  add<verb<&Engine::check_restore>>(env, exports, "checkRestore");
  add<verb<&Engine::finish_restore>>(env, exports, "finishRestore");
  add<verb<&Engine::abort_restore>>(env, exports, "abortRestore");
  add<verb<&Engine::needs_recovery>>(env, exports, "needsRecovery");
  add<verb<&Engine::replay_progress>>(env, exports, "replayProgress");
  add<verb<&Engine::dirty_shards>>(env, exports, "dirtyShards");
  add<verb<&Engine::flush_candidates>>(env, exports, "flushCandidates");
  add<verb<&Engine::merge_candidates>>(env, exports, "mergeCandidates");
  add<verb<&Engine::take_warnings>>(env, exports, "takeWarnings");
  add<verb<&Engine::unflushed_shards>>(env, exports, "unflushedShards");
  add<verb<&Engine::close_idle>>(env, exports, "closeIdle");
  add<set_merge_limit>(env, exports, "setMergeLimit");
  add<abort_merges>(env, exports, "abortMerges");
  return exports;
}

}  // namespace
}  // namespace quarry::napi

static Napi::Object init_addon(Napi::Env env, Napi::Object exports) {
  return quarry::napi::init(env, exports);
}

NODE_API_MODULE(addon, init_addon)
