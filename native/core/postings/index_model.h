// For tests: a model of an inverted field as plain lists, random models, and the sections written
// from them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "postings/inverted_field.h"
#include "postings/norms.h"

namespace quarry::testing {

struct ModelPosting {
  uint32_t doc = 0;
  uint32_t freq = 1;
  std::vector<uint32_t> positions;
};

struct IndexModel {
  InvertedOptions options;
  uint32_t max_doc = 0;
  std::vector<uint8_t> norms;  // empty: none
  std::map<std::string, std::vector<ModelPosting>> terms;
};

/// Returns "<prefix><number>". It appends, because GCC 12 wrongly warns about a literal +
/// std::to_string at -O3.
inline std::string numbered(std::string_view prefix, uint32_t number) {
  std::string name(prefix);
  name += std::to_string(number);
  return name;
}

/// The distribution of the documents and frequencies of a random term.
struct TermShape {
  uint32_t doc_freq = 0;
  uint32_t max_freq = 1;
  bool clustered = false;  // runs of consecutive documents instead of an even distribution
};

/// `doc_freq` distinct documents below `max_doc`, ascending.
inline std::vector<uint32_t> random_docs(uint32_t doc_freq, uint32_t max_doc, bool clustered,
                                         Random& random) {
  std::vector<bool> taken(max_doc);
  uint32_t left = std::min(doc_freq, max_doc);
  while (left > 0) {
    auto doc = static_cast<uint32_t>(random.below(max_doc));
    const uint64_t run = clustered ? 1 + random.below(300) : 1;
    for (uint64_t i = 0; i < run && left > 0 && doc < max_doc; ++i, ++doc) {
      if (taken[doc]) continue;
      taken[doc] = true;
      left--;
    }
  }
  std::vector<uint32_t> docs;
  for (uint32_t doc = 0; doc < max_doc; ++doc) {
    if (taken[doc]) docs.push_back(doc);
  }
  return docs;
}

inline std::vector<ModelPosting> random_postings(const IndexModel& model, const TermShape& shape,
                                                 Random& random) {
  std::vector<ModelPosting> postings;
  for (const uint32_t doc : random_docs(shape.doc_freq, model.max_doc, shape.clustered, random)) {
    ModelPosting posting{doc, 1, {}};
    // Most frequencies are small, a few are large.
    if (random.below(4) == 0) posting.freq = 1 + static_cast<uint32_t>(random.below(3));
    if (random.below(50) == 0)
      posting.freq = 1 + static_cast<uint32_t>(random.below(shape.max_freq));
    if (!model.options.freqs && !model.options.positions) posting.freq = 1;
    uint32_t position = 0;
    for (uint32_t i = 0; i < posting.freq && model.options.positions; ++i) {
      position += static_cast<uint32_t>(random.below(random.below(20) == 0 ? 5000 : 40));
      posting.positions.push_back(position);
    }
    postings.push_back(std::move(posting));
  }
  return postings;
}

inline std::vector<uint8_t> random_norms(uint32_t max_doc, Random& random) {
  std::vector<uint8_t> norms;
  for (uint32_t doc = 0; doc < max_doc; ++doc) {
    norms.push_back(
        encode_norm(1 + static_cast<uint32_t>(random.below(random.below(9) == 0 ? 3000 : 100))));
  }
  return norms;
}

inline InvertedSections write_model(const IndexModel& model) {
  InvertedFieldWriter writer(model.options, model.norms);
  for (const auto& [term, postings] : model.terms) {
    writer.start_term(term);
    for (const ModelPosting& posting : postings)
      writer.add(posting.doc, posting.freq, posting.positions);
  }
  return writer.finish();
}

inline Result<InvertedField> open_sections(const InvertedSections& sections, uint32_t max_doc) {
  return InvertedField::open(sections.terms, sections.blocks, sections.postings, sections.positions,
                             max_doc);
}

}  // namespace quarry::testing
