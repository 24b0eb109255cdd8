#include "postings/inverted_field.h"

#include <string>

#include "postings/inverted_field_format.h"

namespace quarry {
namespace {

constexpr uint32_t kMaxDocs = uint32_t{1} << 31;

Status corrupt_inverted_field(const std::string& what) { return {ErrorType::kCorrupt, what}; }

Status check_header(Bytes section, const std::string& name, uint32_t magic, uint16_t flags) {
  ByteReader header(section);
  const auto seen_magic = header.get<uint32_t>();
  const auto version = header.get<uint16_t>();
  const auto seen_flags = header.get<uint16_t>();
  header.get<uint64_t>();
  if (header.failed()) return corrupt_inverted_field(name + " section: shorter than its header");
  if (seen_magic != magic) return corrupt_inverted_field(name + " section: bad magic number");
  if (version != inverted_format::kVersion)
    return corrupt_inverted_field(name + " section: unknown version " + std::to_string(version));
  if (seen_flags != flags)
    return corrupt_inverted_field(name + " section: bad flags " + std::to_string(seen_flags));
  return {};
}

}  // namespace

Result<InvertedField> InvertedField::open(Bytes terms, Bytes blocks, Bytes postings,
                                          Bytes positions, uint32_t max_doc) {
  if (max_doc > kMaxDocs) return corrupt_inverted_field("inverted field: more than 2^31 documents");
  InvertedField field;
  QUARRY_ASSIGN_OR_RETURN(field.terms_, TermDictionary::open(terms));
  QUARRY_ASSIGN_OR_RETURN(field.source_.blocks, BlockTable::open(blocks));
  const BlockTableFlags flags = field.source_.blocks.flags();
  const uint16_t kept = static_cast<uint16_t>((flags.freqs ? inverted_format::kFreqs : 0) |
                                              (flags.impacts ? inverted_format::kImpacts : 0));
  QUARRY_RETURN_IF_ERROR(check_header(postings, "postings", inverted_format::kPostingsMagic, kept));
  if (flags.positions) {
    if (!flags.freqs)
      return corrupt_inverted_field("blocks section: positions without frequencies");
    QUARRY_RETURN_IF_ERROR(
        check_header(positions, "positions", inverted_format::kPositionsMagic, 0));
  }
  if (flags.positions != field.terms_.has_positions()) {
    return corrupt_inverted_field(
        "terms section: does not agree with the blocks section on positions");
  }
  field.source_.postings = postings;
  field.source_.positions = flags.positions ? positions : Bytes{};
  field.source_.max_doc = max_doc;
  field.source_.has_freqs = flags.freqs;
  field.source_.has_positions = flags.positions;
  QUARRY_RETURN_IF_ERROR(field.check_terms());
  return field;
}

Status InvertedField::check_terms() const {
  for (uint32_t ordinal = 0; ordinal < terms_.size(); ++ordinal) {
    const TermInfo info = terms_.info(ordinal);
    bool good = info.doc_freq <= source_.max_doc && info.doc_freq <= info.total_term_freq;
    if (good && info.doc_freq == 1) good = info.doc < source_.max_doc;
    if (good && info.doc_freq >= kMinBlockedDocs) {
      const uint32_t blocks = (info.doc_freq + kBlockDocs - 1) / kBlockDocs;
      good = source_.blocks.check_term(info.first_block, blocks, info.first_group, source_.max_doc);
    }
    if (!good)
      return corrupt_inverted_field("terms section: bad postings of term " +
                                    std::to_string(ordinal));
  }
  return {};
}

}  // namespace quarry
