// Conversion of arguments and results between JavaScript and the engine, by C++ type. Byte
// arguments are borrowed for one call; replies are copied once.
#pragma once

#include <napi.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "engine/engine.h"

namespace quarry::napi {

/// Converts a failure to a JavaScript Error with the number of its type, for calls whose reply
/// cannot contain a status.
inline Napi::Error to_error(Napi::Env env, const Status& status) {
  Napi::Error error = Napi::Error::New(env, status.reason());
  error.Set("errorType", Napi::Number::New(env, static_cast<double>(status.type())));
  if (!status.cause().empty()) error.Set("causedBy", Napi::String::New(env, status.cause()));
  return error;
}

/// Reads a parameter of type T from `kSlots` JavaScript arguments, from `at` on.
template <typename T>
struct Arg;
struct OneSlot {
  static constexpr size_t kSlots = 1;
};

template <>
struct Arg<uint32_t> : OneSlot {
  static uint32_t get(const Napi::CallbackInfo& info, size_t at) { return info[at].ToNumber(); }
};

template <>
struct Arg<uint64_t> : OneSlot {
  static uint64_t get(const Napi::CallbackInfo& info, size_t at) {
    if (!info[at].IsBigInt()) throw Napi::TypeError::New(info.Env(), "expected a bigint");
    bool lossless = false;
    return info[at].As<Napi::BigInt>().Uint64Value(&lossless);
  }
};

template <>
struct Arg<bool> : OneSlot {
  static bool get(const Napi::CallbackInfo& info, size_t at) { return info[at].ToBoolean(); }
};

template <>
struct Arg<std::string_view> : OneSlot {
  static std::string get(const Napi::CallbackInfo& info, size_t at) {
    return info[at].ToString().Utf8Value();
  }
};

/// Index number and shard, as two arguments.
template <>
struct Arg<ShardId> {
  static constexpr size_t kSlots = 2;
  static ShardId get(const Napi::CallbackInfo& info, size_t at) {
    return {Arg<uint32_t>::get(info, at), Arg<uint32_t>::get(info, at + 1)};
  }
};

/// A token, a deadline and a budget in microseconds, as three numbers; 0 or undefined: none.
template <>
struct Arg<CallLimits> {
  static constexpr size_t kSlots = 3;
  static CallLimits get(const Napi::CallbackInfo& info, size_t at) {
    return {whole(info[at]), whole(info[at + 1]), whole(info[at + 2])};
  }

 private:
  static uint64_t whole(const Napi::Value& value) {
    return value.IsNumber() ? static_cast<uint64_t>(value.ToNumber().Int64Value()) : 0;
  }
};

template <typename Array>
Array typed_array(const Napi::CallbackInfo& info, size_t at, napi_typedarray_type type) {
  const bool fits =
      info[at].IsTypedArray() && info[at].As<Napi::TypedArray>().TypedArrayType() == type;
  if (!fits)
    throw Napi::TypeError::New(info.Env(),
                               "argument " + std::to_string(at) + " has the wrong type");
  return info[at].As<Array>();
}

/// A Uint8Array, valid until the call returns; undefined gives empty bytes. Views of a
/// SharedArrayBuffer are allowed.
template <>
struct Arg<Bytes> : OneSlot {
  static Bytes get(const Napi::CallbackInfo& info, size_t at) {
    if (info[at].IsUndefined()) return {};
    const auto array = typed_array<Napi::Uint8Array>(info, at, napi_uint8_array);
    return {array.Data(), array.ByteLength()};
  }
};

template <>
struct Arg<std::vector<uint32_t>> : OneSlot {
  static std::vector<uint32_t> get(const Napi::CallbackInfo& info, size_t at) {
    const auto array = typed_array<Napi::Uint32Array>(info, at, napi_uint32_array);
    return {array.Data(), array.Data() + array.ElementLength()};
  }
};

/// Pairs of index number and shard in one Uint32Array.
template <>
struct Arg<std::vector<ShardId>> : OneSlot {
  static std::vector<ShardId> get(const Napi::CallbackInfo& info, size_t at) {
    const std::vector<uint32_t> pairs = Arg<std::vector<uint32_t>>::get(info, at);
    std::vector<ShardId> shards;
    for (size_t i = 0; i + 1 < pairs.size(); i += 2) shards.push_back({pairs[i], pairs[i + 1]});
    return shards;
  }
};

inline Napi::Value to_js(Napi::Env env, const Status& status) {
  if (!status.ok()) throw to_error(env, status);
  return env.Undefined();
}
inline Napi::Value to_js(Napi::Env env, bool value) { return Napi::Boolean::New(env, value); }
inline Napi::Value to_js(Napi::Env env, uint32_t value) { return Napi::Number::New(env, value); }
inline Napi::Value to_js(Napi::Env env, uint64_t value) { return Napi::BigInt::New(env, value); }
inline Napi::Value to_js(Napi::Env env, const std::string& json) {
  return Napi::String::New(env, json);
}
/// Copies once into an ArrayBuffer that JavaScript owns.
inline Napi::Value to_js(Napi::Env env, const std::vector<uint8_t>& bytes) {
  Napi::ArrayBuffer buffer = Napi::ArrayBuffer::New(env, bytes.size());
  if (!bytes.empty()) std::memcpy(buffer.Data(), bytes.data(), bytes.size());
  return buffer;
}
/// Undefined without a reply: an exception would cost more than many a search.
inline Napi::Value to_js(Napi::Env env, const Engine::AttemptReply& reply) {
  return reply ? to_js(env, *reply) : env.Undefined();
}
inline Napi::Value to_js(Napi::Env env, const std::vector<std::string>& texts) {
  Napi::Array array = Napi::Array::New(env, texts.size());
  for (uint32_t i = 0; i < texts.size(); i++) array.Set(i, to_js(env, texts[i]));
  return array;
}
inline Napi::Value to_js(Napi::Env env, const WriteReply& reply) { return to_js(env, reply.bytes); }
/// {done, total} as numbers, which are far below 2^53.
inline Napi::Value to_js(Napi::Env env, const ReplayProgress& progress) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("done", Napi::Number::New(env, static_cast<double>(progress.done)));
  object.Set("total", Napi::Number::New(env, static_cast<double>(progress.total)));
  return object;
}
inline Napi::Value to_js(Napi::Env env, const std::vector<ShardId>& shards) {
  Napi::Uint32Array pairs = Napi::Uint32Array::New(env, shards.size() * 2);
  for (size_t i = 0; i < shards.size(); i++) {
    pairs[2 * i] = shards[i].index;
    pairs[2 * i + 1] = shards[i].shard;
  }
  return pairs;
}
template <typename T>
Napi::Value to_js(Napi::Env env, const Result<T>& result) {
  if (!result.ok()) throw to_error(env, result.status());
  return to_js(env, *result);
}

}  // namespace quarry::napi
