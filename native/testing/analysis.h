// For tests of analysis: formats tokens as one readable line, and builds analyzers concisely.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testing/test.h"
#include "text/analysis/analyzer.h"

namespace quarry {

/// Terms and positions: "quick@0 brown@1 fox@3".
inline std::string show_tokens(const TokenBuffer& buffer) {
  std::string out;
  for (const Token& token : buffer.tokens) {
    if (!out.empty()) out += ' ';
    out += std::string(token.text) + "@" + std::to_string(token.position);
  }
  return out;
}

/// Terms and offsets: "quick[0-5] fox[6-9]".
inline std::string show_offsets(const TokenBuffer& buffer) {
  std::string out;
  for (const Token& token : buffer.tokens) {
    if (!out.empty()) out += ' ';
    out += std::string(token.text) + "[" + std::to_string(token.start) + "-" +
           std::to_string(token.end) + "]";
  }
  return out;
}

using Options = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Builds an index's analysis section component by component.
class AnalysisBuilder {
 public:
  AnalysisBuilder& analyzer(const std::string& name, const std::string& type,
                            Options options = {}) {
    spec_.analyzers[name] = {type, std::move(options)};
    return *this;
  }
  AnalysisBuilder& normalizer(const std::string& name, Options options) {
    spec_.normalizers[name] = {"custom", std::move(options)};
    return *this;
  }
  AnalysisBuilder& tokenizer(const std::string& name, const std::string& type,
                             Options options = {}) {
    spec_.tokenizers[name] = {type, std::move(options)};
    return *this;
  }
  AnalysisBuilder& filter(const std::string& name, const std::string& type, Options options = {}) {
    spec_.filters[name] = {type, std::move(options)};
    return *this;
  }
  AnalysisBuilder& char_filter(const std::string& name, const std::string& type,
                               Options options = {}) {
    spec_.char_filters[name] = {type, std::move(options)};
    return *this;
  }
  AnalysisSpec& spec() { return spec_; }
  Result<std::shared_ptr<const AnalysisRegistry>> build() const {
    return AnalysisRegistry::create(spec_);
  }
  /// The reason of the error, or "" when there is none.
  std::string refusal() const {
    const auto built = build();
    return built.ok() ? "" : built.status().reason();
  }

 private:
  AnalysisSpec spec_;
};

/// The result of an analyzer on `text`, as printed by show_tokens; the reason if it is refused.
inline std::string shown(const Analyzer& analyzer, std::string_view text) {
  TokenBuffer buffer;
  const Status status = analyzer.analyze(text, buffer);
  return status.ok() ? show_tokens(buffer) : status.reason();
}

/// The result of `tokenizer` and one filter of `type` on `text`, as printed by show_tokens; the
/// reason if it is refused.
inline std::string filtered(const std::string& type, const Options& options, std::string_view text,
                            const std::string& tokenizer = "whitespace") {
  const auto registry = AnalysisBuilder().filter("f", type, options).build();
  if (!registry.ok()) return registry.status().reason();
  const auto analyzer = (*registry)->combine(tokenizer, {}, {"f"});
  if (!analyzer.ok()) return analyzer.status().reason();
  return shown(**analyzer, text);
}

/// The result of one tokenizer of `type` on `text`, as printed by show_offsets; the reason if it is
/// refused.
inline std::string tokenized(const std::string& type, const Options& options,
                             std::string_view text) {
  const auto registry = AnalysisBuilder().tokenizer("t", type, options).build();
  if (!registry.ok()) return registry.status().reason();
  const auto analyzer = (*registry)->combine("t", {}, {});
  if (!analyzer.ok()) return analyzer.status().reason();
  TokenBuffer buffer;
  const Status status = (*analyzer)->analyze(text, buffer);
  if (!status.ok()) return status.reason();
  return show_offsets(buffer);
}

/// The result of a built-in analyzer on `text`, as printed by show_tokens.
inline std::string analyzed(std::string_view analyzer, std::string_view text) {
  TokenBuffer buffer;
  EXPECT_TRUE(builtin_analysis()->analyzer(analyzer)->analyze(text, buffer).ok());
  return show_tokens(buffer);
}

}  // namespace quarry
