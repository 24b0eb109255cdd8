// The built-in embedder as functions of the addon.
#pragma once

#include <napi.h>

namespace quarry::napi {

/// Gives the thread that loads the addon its embedder, which dies with the thread's environment.
void set_up_embedder(Napi::Env env);

/// embed(texts, dims, weights?) -> Float32Array: texts are strings or Uint8Arrays of UTF-8; weights
/// is an object from word to weight, a word that it lacks weighs 1.
Napi::Value embed(const Napi::CallbackInfo& info);

/// embedTerms(text) -> {word, stem, count}[]: what weights are asked for.
Napi::Value embed_terms(const Napi::CallbackInfo& info);

}  // namespace quarry::napi
