// The postings and positions sections of a field, version 1, shared by inverted_field_writer.cc and
// inverted_field.cc. Each begins with 16 bytes:
//   u32 magic ("QPST" or "QPOS"), u16 version, u16 flags (postings: 1 freqs, 2 impacts; positions:
//   0), u64 zero
//
// Offsets (in the term dictionary and the block table) are relative to the start of the section. At
// a postings offset is one of
//   a full block     its documents (doc_block.h), then, with freqs, 128 x (frequency - 1) as a
//                    patched pack, whose shape is in the block table
//   a short block    the last df % 128 documents of a term, as varints with their frequencies
//                    (doc_block.h)
//   a small term     a whole term of 2 to 127 documents: with impacts u8 count (1 to 4) and count x
//                    (u8 norm, varint frequency); then a short block
// A term with one document has no data here; the term dictionary holds it. At a positions offset is
// the position run of one block (position_run.h), or that of all documents of a term of 1 to 127
// documents, unless it occurs only once: then the term dictionary holds its position.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quarry::inverted_format {

inline constexpr uint32_t kPostingsMagic = 0x54535051;   // "QPST"
inline constexpr uint32_t kPositionsMagic = 0x534f5051;  // "QPOS"
inline constexpr uint16_t kVersion = 1;
inline constexpr uint16_t kFreqs = 1;
inline constexpr uint16_t kImpacts = 2;
inline constexpr size_t kHeaderBytes = 16;

}  // namespace quarry::inverted_format
