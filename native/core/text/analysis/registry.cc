// AnalysisRegistry: resolves names (those of the index first, then the built-in names) and builds
// all analyzers once.
#include <utility>

#include "text/analysis/analyzer.h"
#include "text/analysis/chain.h"
#include "text/analysis/factories.h"
#include "text/filters/multiplexer_filter.h"
#include "text/filters/synonym_filter.h"

namespace quarry {
namespace {

using ComponentMap = std::map<std::string, ComponentSpec, std::less<>>;

Status illegal(std::string reason) {
  return Status(ErrorType::kIllegalArgument, std::move(reason));
}
std::string quoted(std::string_view name) { return "[" + std::string(name) + "]"; }

/// The definition of a component: the index's own, or the built-in of that name with default
/// options.
ComponentSpec find_spec(const ComponentMap& own, std::string_view name) {
  const auto at = own.find(name);
  return at != own.end() ? at->second : ComponentSpec{std::string(name), {}};
}

/// The owner of a reference to a component, for the error when the component does not exist.
struct ComponentOwner {
  std::string not_found;  // "Custom Analyzer [x] failed to find" or "failed to find global"
  Status missing(std::string_view kind, std::string_view name) const {
    return illegal(not_found + " " + std::string(kind) + " under name " + quoted(name));
  }
};

/// Limits on the components of one kind in all analyzers of an index, and on the token or char
/// filters of one analyzer. They are far above practical use and keep the cost of the largest
/// possible definition small. Normalizers count as analyzers.
constexpr size_t kMaxIndexComponents = 65536;
constexpr size_t kMaxFilters = 256;
constexpr size_t kMaxAnalyzers = 1000;

/// Whether the filter is not the same in every analyzer, because the rules of synonyms, also those
/// within a multiplexer, depend on the components before it.
bool depends_on_chain(const TokenFilter& filter) {
  return dynamic_cast<const SynonymFilter*>(&filter) != nullptr ||
         dynamic_cast<const MultiplexerFilter*>(&filter) != nullptr;
}

/// Builds chains from component names. Analyzers share identical components.
class ChainBuilder {
 public:
  explicit ChainBuilder(const AnalysisSpec& spec)
      : spec_(spec), limits_{spec.max_ngram_diff, spec.max_shingle_diff, spec.version} {}

  Status add_char_filters(const ComponentOwner& owner, const std::vector<std::string>& names,
                          Chain& chain) {
    QUARRY_RETURN_IF_ERROR(count(names, "char_filter"));
    for (const std::string& name : names) {
      ChainPart<CharFilter>& part = char_filters_[name];
      if (part.component == nullptr) {
        if (!spec_.char_filters.contains(name) && !is_char_filter_type(name)) {
          return owner.missing("char_filter", name);
        }
        const ComponentSpec spec = find_spec(spec_.char_filters, name);
        QUARRY_ASSIGN_OR_RETURN(part.component, make_char_filter(name, spec));
        part.label = component_label("char_filter", name, spec);
      }
      chain.char_filters.push_back(part);
    }
    return {};
  }

  Status set_tokenizer(const ComponentOwner& owner, std::string_view name, Chain& chain) {
    ChainPart<Tokenizer>& part = tokenizers_[std::string(name)];
    if (part.component == nullptr) {
      if (!spec_.tokenizers.contains(name) && !is_tokenizer_type(name)) {
        return owner.missing("tokenizer", name);
      }
      const ComponentSpec spec = find_spec(spec_.tokenizers, name);
      QUARRY_ASSIGN_OR_RETURN(part.component, make_tokenizer(name, spec, limits_));
      part.label = component_label("tokenizer", name, spec);
    }
    chain.tokenizer = part;
    return {};
  }

  Status add_filters(const ComponentOwner& owner, const std::vector<std::string>& names,
                     Chain& chain) {
    QUARRY_RETURN_IF_ERROR(count(names, "filter"));
    for (const std::string& name : names) {
      QUARRY_ASSIGN_OR_RETURN(const ChainPart<TokenFilter> part, find_filter(owner, name, chain));
      chain.filters.push_back(part);
    }
    return {};
  }

  uint32_t version() const { return limits_.version; }

  /// Checks all components, including those that no analyzer uses.
  Status check_all();

 private:
  /// The filter of a name behind the components of `chain`.
  Result<ChainPart<TokenFilter>> find_filter(const ComponentOwner& owner, const std::string& name,
                                             const Chain& chain) {
    ChainPart<TokenFilter>& known = filters_[name];
    if (known.component != nullptr) return known;
    if (!spec_.filters.contains(name) && !is_token_filter_type(name))
      return owner.missing("filter", name);
    const ComponentSpec spec = find_spec(spec_.filters, name);
    QUARRY_ASSIGN_OR_RETURN(const TokenFilterPtr filter, make_filter(name, spec, chain));
    ChainPart<TokenFilter> part(component_label("filter", name, spec), filter);
    if (!depends_on_chain(*filter)) known = part;
    return part;
  }

  Result<TokenFilterPtr> make_filter(std::string_view name, const ComponentSpec& spec,
                                     const Chain& chain) {
    const FindFilter find = [&](std::string_view other,
                                const Chain& before) -> Result<ChainPart<TokenFilter>> {
      const ComponentSpec inner = find_spec(spec_.filters, other);
      // A filter that names others may be named by none, so definitions cannot be circular.
      if (inner.type == spec.type)
        return illegal("filter " + quoted(name) + " may not name " + quoted(other) +
                       ", which names other filters itself");
      const ComponentOwner owner{"filter " + quoted(name) + " failed to find"};
      return find_filter(owner, std::string(other), before);
    };
    return make_token_filter(name, spec, FilterContext{limits_, chain, synonym_words_, find});
  }

  Status count(const std::vector<std::string>& names, std::string_view kind) {
    components_ += names.size();
    if (names.size() > kMaxFilters) {
      return illegal("an analyzer may have [" + std::to_string(kMaxFilters) + "] of [" +
                     std::string(kind) + "] but one has [" + std::to_string(names.size()) + "]");
    }
    if (components_ <= kMaxIndexComponents) return {};
    return illegal("the analyzers of an index may have [" + std::to_string(kMaxIndexComponents) +
                   "] filters in all, use fewer");
  }

  const AnalysisSpec& spec_;
  const AnalysisLimits limits_;
  std::map<std::string, ChainPart<CharFilter>, std::less<>> char_filters_;
  std::map<std::string, ChainPart<Tokenizer>, std::less<>> tokenizers_;
  std::map<std::string, ChainPart<TokenFilter>, std::less<>> filters_;
  size_t components_ = 0;
  size_t synonym_words_ = 0;
};

Status ChainBuilder::check_all() {
  for (const auto& [name, component] : spec_.char_filters) {
    const auto made = make_char_filter(name, component);
    if (!made.ok()) return made.status();
  }
  for (const auto& [name, component] : spec_.tokenizers) {
    const auto made = make_tokenizer(name, component, limits_);
    if (!made.ok()) return made.status();
  }
  Chain words;
  QUARRY_ASSIGN_OR_RETURN(words.tokenizer.component,
                          make_tokenizer("whitespace", ComponentSpec{"whitespace", {}}, limits_));
  for (const auto& [name, component] : spec_.filters) {
    // The words of synonyms count only in the analyzers that use them.
    const size_t synonym_words = std::exchange(synonym_words_, 0);
    const auto made = make_filter(name, component, words);
    synonym_words_ = synonym_words;
    if (!made.ok()) return made.status();
  }
  return {};
}

/// An analyzer of the index: `custom` (also when there is a tokenizer but no type) or a built-in
/// analyzer with options.
Result<Chain> make_analyzer(std::string_view name, const ComponentSpec& spec,
                            ChainBuilder& builder) {
  const bool has_tokenizer = spec.options.contains("tokenizer");
  if (spec.type.empty() && !has_tokenizer) {
    return illegal("analyzer " + quoted(name) +
                   " must specify either an analyzer type, or a tokenizer");
  }
  if (!spec.type.empty() && spec.type != "custom")
    return make_builtin_analyzer(name, spec, builder.version());
  OptionReader options("analyzer", name, spec);
  const std::string tokenizer = options.text("tokenizer", "");
  const auto char_filters = options.list("char_filter");
  const auto filters = options.list("filter");
  Chain chain;
  chain.position_increment_gap = options.number(
      "position_increment_gap", Analyzer::kDefaultPositionIncrementGap, 0, INT32_MAX);
  QUARRY_RETURN_IF_ERROR(options.finish());
  if (tokenizer.empty()) return illegal("Custom Analyzer " + quoted(name) + " needs a [tokenizer]");
  const ComponentOwner owner{"Custom Analyzer " + quoted(name) + " failed to find"};
  QUARRY_RETURN_IF_ERROR(builder.add_char_filters(owner, char_filters, chain));
  QUARRY_RETURN_IF_ERROR(builder.set_tokenizer(owner, tokenizer, chain));
  QUARRY_RETURN_IF_ERROR(builder.add_filters(owner, filters, chain));
  return chain;
}

/// `name` is that of the normalizer; empty: one defined by a request.
Status check_normalizes(std::string_view name, const Chain& chain,
                        const std::vector<std::string>& filters) {
  for (size_t i = 0; i < chain.filters.size(); ++i) {
    if (chain.filters[i].component->normalizes()) continue;
    return illegal("Custom normalizer " + (name.empty() ? "" : quoted(name) + " ") +
                   "may not use filter " + quoted(filters[i]));
  }
  return {};
}

/// A normalizer must yield a single token, so only filters that map characters are allowed.
Result<Chain> make_normalizer(std::string_view name, const ComponentSpec& spec,
                              ChainBuilder& builder) {
  if (!spec.type.empty() && spec.type != "custom" && spec.type != "lowercase") {
    return illegal("Unknown normalizer type " + quoted(spec.type) + " for " + quoted(name));
  }
  OptionReader options("normalizer", name, spec);
  const auto char_filters = options.list("char_filter");
  auto filters = options.list("filter");
  QUARRY_RETURN_IF_ERROR(options.finish());
  if (spec.type == "lowercase") filters.emplace_back("lowercase");
  const ComponentOwner owner{"Custom normalizer " + quoted(name) + " failed to find"};
  Chain chain;
  QUARRY_RETURN_IF_ERROR(builder.add_char_filters(owner, char_filters, chain));
  QUARRY_RETURN_IF_ERROR(builder.set_tokenizer(owner, "keyword", chain));
  QUARRY_RETURN_IF_ERROR(builder.add_filters(owner, filters, chain));
  QUARRY_RETURN_IF_ERROR(check_normalizes(name, chain, filters));
  return chain;
}

class Registry final : public AnalysisRegistry {
 public:
  Registry(AnalysisSpec spec, std::shared_ptr<const AnalysisRegistry> fallback)
      : spec_(std::move(spec)), fallback_(std::move(fallback)) {}

  Status build() {
    ChainBuilder builder(spec_);
    const size_t analyzers = spec_.analyzers.size() + spec_.normalizers.size();
    if (analyzers > kMaxAnalyzers) {
      return illegal("an index may have [" + std::to_string(kMaxAnalyzers) +
                     "] analyzers and normalizers but this one has [" + std::to_string(analyzers) +
                     "]");
    }
    QUARRY_RETURN_IF_ERROR(builder.check_all());
    for (const auto& [name, spec] : spec_.analyzers) {
      QUARRY_ASSIGN_OR_RETURN(Chain chain, make_analyzer(name, spec, builder));
      analyzers_.emplace(name, std::make_unique<ChainAnalyzer>(std::move(chain)));
    }
    for (const auto& [name, spec] : spec_.normalizers) {
      QUARRY_ASSIGN_OR_RETURN(Chain chain, make_normalizer(name, spec, builder));
      normalizers_.emplace(name, std::make_unique<ChainAnalyzer>(std::move(chain)));
    }
    return {};
  }

  const Analyzer* analyzer(std::string_view name) const override {
    const auto at = analyzers_.find(name);
    if (at != analyzers_.end()) return at->second.get();
    return fallback_ == nullptr ? nullptr : fallback_->analyzer(name);
  }
  const Analyzer* normalizer(std::string_view name) const override {
    const auto at = normalizers_.find(name);
    if (at != normalizers_.end()) return at->second.get();
    return fallback_ == nullptr ? nullptr : fallback_->normalizer(name);
  }
  Result<std::unique_ptr<Analyzer>> combine(
      std::string_view tokenizer, const std::vector<std::string>& char_filters,
      const std::vector<std::string>& filters) const override {
    ChainBuilder builder(spec_);
    const ComponentOwner owner{"failed to find global"};
    Chain chain;
    QUARRY_RETURN_IF_ERROR(builder.add_char_filters(owner, char_filters, chain));
    const bool normalizes = tokenizer.empty();
    QUARRY_RETURN_IF_ERROR(builder.set_tokenizer(owner, normalizes ? "keyword" : tokenizer, chain));
    QUARRY_RETURN_IF_ERROR(builder.add_filters(owner, filters, chain));
    if (normalizes) QUARRY_RETURN_IF_ERROR(check_normalizes({}, chain, filters));
    return std::unique_ptr<Analyzer>(std::make_unique<ChainAnalyzer>(std::move(chain)));
  }

 private:
  using AnalyzerMap = std::map<std::string, std::unique_ptr<const Analyzer>, std::less<>>;

  const AnalysisSpec spec_;
  const std::shared_ptr<const AnalysisRegistry> fallback_;
  AnalyzerMap analyzers_;
  AnalyzerMap normalizers_;
};

/// Every built-in analyzer, defined in the same way as those of an index.
std::shared_ptr<const AnalysisRegistry> make_builtin(uint32_t version) {
  AnalysisSpec spec;
  spec.version = version;
  for (const std::string_view name : builtin_analyzer_names()) {
    spec.analyzers.emplace(name, ComponentSpec{std::string(name), {}});
  }
  spec.normalizers.emplace("lowercase", ComponentSpec{"lowercase", {}});
  auto registry = std::make_shared<Registry>(std::move(spec), nullptr);
  const Status status = registry->build();
  assert(status.ok());
  static_cast<void>(status);
  return registry;
}

}  // namespace

Result<std::shared_ptr<const AnalysisRegistry>> AnalysisRegistry::create(const AnalysisSpec& spec) {
  auto registry = std::make_shared<Registry>(spec, builtin_analysis(spec.version));
  QUARRY_RETURN_IF_ERROR(registry->build());
  return std::shared_ptr<const AnalysisRegistry>(std::move(registry));
}

std::shared_ptr<const AnalysisRegistry> builtin_analysis(uint32_t version) {
  // Immutable, built on first use (initialization is thread-safe), shared by all indexes.
  if (version >= kAnalysisVersion) {
    static const std::shared_ptr<const AnalysisRegistry> kBuiltin = make_builtin(kAnalysisVersion);
    return kBuiltin;
  }
  if (version == 3) {
    static const std::shared_ptr<const AnalysisRegistry> kThird = make_builtin(3);
    return kThird;
  }
  if (version == 2) {
    static const std::shared_ptr<const AnalysisRegistry> kSecond = make_builtin(2);
    return kSecond;
  }
  static const std::shared_ptr<const AnalysisRegistry> kFirst = make_builtin(1);
  return kFirst;
}

}  // namespace quarry
