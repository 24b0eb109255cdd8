// Arguments and results between JavaScript and the engine: bytes are lent for one call, replies are copied once.
#pragma once

#include <napi.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/coding.h"
#include "base/status.h"

namespace quarry::napi {

/// A failure as a JavaScript Error with the number of its type, for calls whose reply has no place for a status.
inline Napi::Error to_error(Napi::Env env, const Status& status) {
  Napi::Error error = Napi::Error::New(env, status.reason());
  error.Set("errorType", Napi::Number::New(env, static_cast<double>(status.type())));
  if (!status.cause().empty()) error.Set("causedBy", Napi::String::New(env, status.cause()));
  return error;
}

inline void check(Napi::Env env, const Status& status) {
  if (!status.ok()) throw to_error(env, status);
}

template <typename T>
T unwrap(Napi::Env env, Result<T> result) {
  if (!result.ok()) throw to_error(env, result.status());
  return std::move(result).value();
}

/// The bytes of a Uint8Array argument, valid until the call returns. SharedArrayBuffer views work too.
inline Bytes bytes_arg(const Napi::CallbackInfo& info, size_t at) {
  if (!info[at].IsTypedArray()) throw Napi::TypeError::New(info.Env(), "expected a Uint8Array");
  const auto array = info[at].As<Napi::Uint8Array>();
  return {array.Data(), array.ByteLength()};
}

/// A Uint32Array argument, copied.
inline std::vector<uint32_t> u32_list_arg(const Napi::CallbackInfo& info, size_t at) {
  if (!info[at].IsTypedArray()) throw Napi::TypeError::New(info.Env(), "expected a Uint32Array");
  const auto array = info[at].As<Napi::Uint32Array>();
  return {array.Data(), array.Data() + array.ElementLength()};
}

inline std::string text_arg(const Napi::CallbackInfo& info, size_t at) {
  return info[at].ToString().Utf8Value();
}

inline uint32_t u32_arg(const Napi::CallbackInfo& info, size_t at) {
  return info[at].ToNumber().Uint32Value();
}

inline uint64_t u64_arg(const Napi::CallbackInfo& info, size_t at) {
  bool lossless = false;
  return info[at].As<Napi::BigInt>().Uint64Value(&lossless);
}

/// One copy into an ArrayBuffer that JavaScript owns.
inline Napi::Value to_buffer(Napi::Env env, const std::vector<uint8_t>& bytes) {
  Napi::ArrayBuffer buffer = Napi::ArrayBuffer::New(env, bytes.size());
  if (!bytes.empty()) std::memcpy(buffer.Data(), bytes.data(), bytes.size());
  return buffer;
}

}  // namespace quarry::napi
