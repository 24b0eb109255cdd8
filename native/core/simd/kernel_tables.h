// The table of each instruction set, null where this build has none. Whether the processor can run
// one is decided in kernels.cc. Adding an instruction set: a file with its functions, a line here,
// a line there.
#pragma once

#include "simd/kernels.h"

namespace quarry::simd {

const Kernels* scalar_kernels();
const Kernels* avx2_kernels();
const Kernels* avx_vnni_kernels();
const Kernels* avx512_kernels();
const Kernels* neon_kernels();

}  // namespace quarry::simd
