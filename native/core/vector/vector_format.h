// The format of the sections of a vector field, shared by writer and reader. All numbers are
// little-endian.
//
// head    0  u32 magic "QVEC"          28 u32 flags: 1 dense, 2 coded, 4 with graph, 8 repeats
//         4  u16 version, 1 or 2       32 u32 sketch_dims: 0, 64, 128, 192 or 256
//         6  u8  similarity            36 f32 full_step        > 0 if coded
//         7  u8  index                 40 f32 sketch_step      > 0 if there is a sketch
//         8  u32 dims, 1..4096         44 f32 max_full_error
//        12  u32 m                     48 f32 max_norm
//        16  u32 ef_construction       52 f32 basis_defect
//        20  u32 size: vectors         56 f32 sketch_survivors
//        24  u32 max_doc: documents    60 u32 zero
//        64  if coded: f32 mean[dims], f32 basis[sketch_dims][dims]; all finite
// docs    u32 doc[size], ascending, below max_doc; empty if dense (size == max_doc, no repeats).
//         If some document has several vectors (repeats, version 2), its ordinals are consecutive.
// rows    f32 row[size][dims] in scored form, then f32 norm[size]
// full    u8  code[size][dims rounded up to 64]; the meaning of codes is in
// vector/sq8/code_planes.h
// sketch  u8  code[size][sketch_dims]
// bounds  vector/sq8/plane_encoder.h; errors are finite and not negative
// graph   vector/hnsw/hnsw_graph.cc
//
// Sections have no header of their own, so that rows of codes start at cache lines; their lengths
// follow from the head.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quarry::vector_format {

inline constexpr uint32_t kMagic = 0x43455651;
inline constexpr uint16_t kVersion = 1;
inline constexpr uint16_t kRepeatsVersion = 2;  // written only if documents repeat
inline constexpr uint32_t kDense = 1;           // flags
inline constexpr uint32_t kCoded = 2;
inline constexpr uint32_t kGraph = 4;
inline constexpr uint32_t kRepeats = 8;
inline constexpr size_t kHeadBytes = 64;

}  // namespace quarry::vector_format
