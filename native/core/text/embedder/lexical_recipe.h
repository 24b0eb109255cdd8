// The recipes of the built-in embedder (lexical_embedder.h) and the names by which mappings store
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace quarry {

/// The vectors of a recipe never change, and those of two recipes are not compared.
enum class LexicalRecipe : uint8_t { kFirst, kSecond };

inline constexpr std::string_view kLexicalEmbedders[] = {"svc-lex-1", "svc-lex-2"};
/// The recipe of fields that name none.
inline constexpr std::string_view kDefaultEmbedder = kLexicalEmbedders[0];
inline constexpr uint32_t kDefaultLexicalDims = 512;

constexpr std::string_view lexical_embedder_name(LexicalRecipe recipe) {
  return kLexicalEmbedders[static_cast<size_t>(recipe)];
}

/// Nothing for a name that is no recipe's.
constexpr std::optional<LexicalRecipe> find_lexical_recipe(std::string_view name) {
  for (const LexicalRecipe recipe : {LexicalRecipe::kFirst, LexicalRecipe::kSecond}) {
    if (lexical_embedder_name(recipe) == name) return recipe;
  }
  return std::nullopt;
}

}  // namespace quarry
