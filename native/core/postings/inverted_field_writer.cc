// Collects the postings of a term, cuts them into blocks of 128 documents and writes the sections
// of inverted_field_format.h, block_table.cc and term_dictionary_writer.cc.
#include <algorithm>
#include <string>

#include "postings/doc_block.h"
#include "postings/inverted_field.h"
#include "postings/inverted_field_format.h"
#include "postings/position_run.h"
#include "postings/term_dictionary_writer.h"

namespace quarry {
namespace {

/// The set of documents that have a term; it grows with the largest docId.
class SeenDocs {
 public:
  void add(uint32_t doc) {
    if (doc / 64 >= words_.size()) words_.resize(std::max<size_t>(doc / 64 + 1, words_.size() * 2));
    const uint64_t bit = uint64_t{1} << (doc % 64);
    count_ += (words_[doc / 64] & bit) == 0 ? 1 : 0;
    words_[doc / 64] |= bit;
  }
  uint64_t count() const { return count_; }

 private:
  std::vector<uint64_t> words_;
  uint64_t count_ = 0;
};

void put_header(uint32_t magic, uint16_t flags, ByteWriter& out) {
  out.put(magic);
  out.put(inverted_format::kVersion);
  out.put(flags);
  out.put(uint64_t{0});
}

}  // namespace

struct InvertedFieldWriter::State {
  State(InvertedOptions wanted, std::span<const uint8_t> norm_bytes)
      : options{wanted.freqs || wanted.positions, wanted.positions},
        impacts(options.freqs || !norm_bytes.empty()),
        norms(norm_bytes),
        terms(options.positions),
        blocks({options.freqs, options.positions, impacts}) {
    put_header(inverted_format::kPostingsMagic,
               static_cast<uint16_t>((options.freqs ? inverted_format::kFreqs : 0) |
                                     (impacts ? inverted_format::kImpacts : 0)),
               postings);
    if (options.positions) put_header(inverted_format::kPositionsMagic, 0, positions);
  }

  uint8_t norm_of(uint32_t doc) const { return doc < norms.size() ? norms[doc] : uint8_t{1}; }
  void add_position_gaps(std::span<const uint32_t> ascending);
  uint64_t put_positions();
  void collect_impacts();
  void put_block();
  void end_block(BlockEntry entry);
  void put_single_term();
  void end_term();

  const InvertedOptions options;
  const bool impacts;
  const std::span<const uint8_t> norms;
  TermDictionaryWriter terms;
  BlockTableWriter blocks;
  ByteWriter postings;
  ByteWriter positions;
  FieldStats stats;
  SeenDocs seen;

  // The term being written.
  bool open = false;
  std::string text;
  TermInfo info;
  uint32_t before = kNoDocBefore;  // last document of the previous block
  ImpactFront term_front;
  std::vector<uint32_t> group_last_docs;  // by group of 64 blocks
  std::vector<ImpactFront> group_fronts;

  // The block being filled.
  uint32_t count = 0;
  uint32_t docs[kBlockDocs];
  uint32_t freqs[kBlockDocs];
  std::vector<uint32_t> gaps;
  ImpactFront front;
};

void InvertedFieldWriter::State::add_position_gaps(std::span<const uint32_t> ascending) {
  uint32_t previous = 0;
  for (const uint32_t position : ascending) {
    gaps.push_back(position - previous);
    previous = position;
  }
}

uint64_t InvertedFieldWriter::State::put_positions() {
  const uint64_t at = positions.size();
  put_position_run(gaps, positions);
  gaps.clear();
  return at;
}

void InvertedFieldWriter::State::collect_impacts() {
  front.clear();
  if (!impacts) return;
  // Nearly all frequencies are small; of the documents with the same frequency, only the one with
  // the smallest norm can be in the front.
  constexpr uint32_t kSmall = 8;
  uint8_t least[kSmall];
  std::fill(std::begin(least), std::end(least), uint8_t{255});
  uint32_t seen_freqs = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t freq = options.freqs ? freqs[i] : 1;
    const uint8_t norm = norm_of(docs[i]);
    if (freq >= kSmall) {
      front.add({freq, norm});
      continue;
    }
    least[freq] = std::min(least[freq], norm);
    seen_freqs |= uint32_t{1} << freq;
  }
  for (uint32_t freq = kSmall; freq-- > 0;) {
    if ((seen_freqs >> freq & 1) != 0) front.add({freq, least[freq]});
  }
}

/// Appends the 128 collected documents as a full block.
void InvertedFieldWriter::State::put_block() {
  collect_impacts();
  BlockEntry entry;
  entry.postings_offset = postings.size();
  entry.encoding = put_full_block(docs, before, postings);
  if (options.freqs) {
    for (uint32_t& freq : freqs) freq--;
    entry.freqs = put_patched(freqs, postings);
  }
  end_block(entry);
}

void InvertedFieldWriter::State::end_block(BlockEntry entry) {
  entry.last_doc = docs[count - 1];
  if (options.positions) entry.positions_offset = put_positions();
  const uint32_t block_of_term = blocks.block_count() - info.first_block;
  if (block_of_term % kGroupBlocks == 0) {
    group_last_docs.push_back(entry.last_doc);
    group_fronts.emplace_back();
  }
  group_last_docs.back() = entry.last_doc;
  group_fronts.back().add(front);
  term_front.add(front);
  front.shorten(kMaxImpacts);
  blocks.add_block(entry, front.pairs());
  before = entry.last_doc;
  count = 0;
}

/// Writes a term of fewer than 128 documents: no block, all data in one piece.
void InvertedFieldWriter::State::put_single_term() {
  if (count == 1) {
    info.doc = docs[0];
    info.norm = norm_of(docs[0]);
  } else {
    collect_impacts();
    front.shorten(kMaxImpacts);
    info.postings_offset = postings.size();
    if (impacts) postings.put(static_cast<uint8_t>(front.pairs().size()));
    for (const Impact& impact : front.pairs()) {
      postings.put(impact.norm);
      postings.put_varint(impact.freq);
    }
    const std::span<const uint32_t> kept(freqs, options.freqs ? count : 0);
    put_short_block({docs, count}, kept, kNoDocBefore, postings);
  }
  if (!options.positions) return;
  if (info.total_term_freq == 1) {
    info.positions_offset = gaps[0];
    gaps.clear();
  } else {
    info.positions_offset = put_positions();
  }
}

void InvertedFieldWriter::State::end_term() {
  if (!open) return;
  open = false;
  stats.sum_doc_freq += info.doc_freq;
  stats.sum_total_term_freq += info.total_term_freq;
  if (info.doc_freq >= kMinBlockedDocs) {
    if (count > 0) {
      collect_impacts();
      BlockEntry entry;
      entry.postings_offset = postings.size();
      entry.encoding = block_encoding::kVarints;
      put_short_block({docs, count}, {freqs, options.freqs ? count : 0}, before, postings);
      end_block(entry);
    }
    term_front.shorten(kMaxImpacts);
    blocks.add_group(before, term_front.pairs());
    for (size_t i = 0; i < group_fronts.size() && group_fronts.size() > 1; ++i) {
      group_fronts[i].shorten(kMaxImpacts);
      blocks.add_group(group_last_docs[i], group_fronts[i].pairs());
    }
  } else if (count > 0) {
    put_single_term();
  }
  terms.add(text, info);
}

InvertedFieldWriter::InvertedFieldWriter(InvertedOptions options, std::span<const uint8_t> norms)
    : state_(std::make_unique<State>(options, norms)) {}

InvertedFieldWriter::~InvertedFieldWriter() = default;

void InvertedFieldWriter::start_term(std::string_view term) {
  State& state = *state_;
  state.end_term();
  state.open = true;
  state.text.assign(term);
  state.info = {};
  state.info.first_block = state.blocks.block_count();
  state.info.first_group = state.blocks.group_count();
  state.before = kNoDocBefore;
  state.term_front.clear();
  state.group_fronts.clear();
  state.group_last_docs.clear();
  state.count = 0;
  state.gaps.clear();
}

void InvertedFieldWriter::add(uint32_t doc, uint32_t freq, std::span<const uint32_t> positions) {
  State& state = *state_;
  if (!state.options.freqs) freq = 1;
  state.seen.add(doc);
  state.docs[state.count] = doc;
  state.freqs[state.count] = freq;
  state.info.doc_freq++;
  state.info.total_term_freq += freq;
  if (state.options.positions) state.add_position_gaps(positions);
  if (++state.count == kBlockDocs) state.put_block();
}

InvertedSections InvertedFieldWriter::finish() {
  State& state = *state_;
  state.end_term();
  state.stats.doc_count = state.seen.count();
  InvertedSections sections;
  sections.terms = state.terms.finish();
  sections.blocks = state.blocks.finish(state.stats);
  sections.postings = state.postings.take();
  sections.positions = state.positions.take();
  return sections;
}

}  // namespace quarry
