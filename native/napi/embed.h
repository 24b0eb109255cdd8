// The built-in embedder as functions of the addon.
#pragma once

#include <napi.h>

namespace quarry::napi {

/// Creates the embedder of the thread that loads the addon; it is destroyed with the environment of
/// the thread.
void set_up_embedder(Napi::Env env);

/// embed(texts, dims, weights?) -> Float32Array. `texts` are strings or Uint8Arrays of UTF-8.
/// `weights` is an object from word to weight; a missing word has weight 1.
Napi::Value embed(const Napi::CallbackInfo& info);

/// embedTerms(text) -> {word, stem, count}[]: the terms whose weights embed() reads.
Napi::Value embed_terms(const Napi::CallbackInfo& info);

}  // namespace quarry::napi
