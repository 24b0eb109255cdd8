// The embedder is stored in the instance data of the environment, so each thread has its own, with
// its own cache.
#include "napi/embed.h"

#include <cstring>
#include <string>
#include <vector>

#include "engine/embedding.h"
#include "napi/args.h"

namespace quarry::napi {
namespace {

std::string text_of(const Napi::Value& value) {
  if (value.IsString()) return value.As<Napi::String>().Utf8Value();
  const bool bytes =
      value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_uint8_array;
  if (!bytes) throw Napi::TypeError::New(value.Env(), "a text must be a string or a Uint8Array");
  const auto array = value.As<Napi::Uint8Array>();
  return {reinterpret_cast<const char*>(array.Data()), array.ByteLength()};
}

std::vector<std::string> texts_of(const Napi::Value& value) {
  if (!value.IsArray()) throw Napi::TypeError::New(value.Env(), "texts must be an array");
  const auto array = value.As<Napi::Array>();
  std::vector<std::string> texts;
  texts.reserve(array.Length());
  for (uint32_t i = 0; i < array.Length(); i++) texts.push_back(text_of(array.Get(i)));
  return texts;
}

TermWeight weights_of(const Napi::Value& value) {
  if (!value.IsObject()) return {};
  return [weights = value.As<Napi::Object>()](const LexicalTerm& term) {
    const auto word = Napi::String::New(weights.Env(), term.word.data(), term.word.size());
    const Napi::Value weight = weights.Get(word);
    return weight.IsNumber() ? weight.As<Napi::Number>().DoubleValue() : 1.0;
  };
}

/// The recipe that an argument names; the first one if it is left out.
LexicalRecipe recipe_of(const Napi::Value& value) {
  if (value.IsUndefined()) return LexicalRecipe::kFirst;
  const auto recipe = find_lexical_recipe(value.ToString().Utf8Value());
  if (!recipe) throw Napi::TypeError::New(value.Env(), "an embedder must be a built-in one");
  return *recipe;
}

}  // namespace

void set_up_embedder(Napi::Env env) {
  // Deleted with the environment.
  env.SetInstanceData(std::make_unique<LexicalEmbedder>().release());
}

Napi::Value embed(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::vector<std::string> texts = texts_of(info[0]);
  const auto vectors =
      embed_texts(*env.GetInstanceData<LexicalEmbedder>(), texts, Arg<uint32_t>::get(info, 1),
                  weights_of(info[2]), recipe_of(info[3]));
  if (!vectors.ok()) throw to_error(env, vectors.status());
  Napi::Float32Array out = Napi::Float32Array::New(env, vectors->size());
  if (!vectors->empty()) std::memcpy(out.Data(), vectors->data(), vectors->size() * sizeof(float));
  return out;
}

Napi::Value embed_terms(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Napi::Array terms = Napi::Array::New(env);
  const std::string text = text_of(info[0]);
  const auto add = [&](const LexicalTerm& term) {
    Napi::Object row = Napi::Object::New(env);
    row.Set("word", to_js(env, std::string(term.word)));
    row.Set("stem", to_js(env, std::string(term.stem)));
    row.Set("count", Napi::Number::New(env, term.count));
    terms.Set(terms.Length(), row);
  };
  env.GetInstanceData<LexicalEmbedder>()->each_term(text, add, recipe_of(info[1]));
  return terms;
}

}  // namespace quarry::napi
