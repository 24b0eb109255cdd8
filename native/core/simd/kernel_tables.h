// The kernel table of each instruction set; null if this build does not have it. kernels.cc decides
// what the processor can run. A new instruction set needs a file with its functions, a line here
// and a line there.
#pragma once

#include "simd/kernels.h"

namespace quarry::simd {

const Kernels* scalar_kernels();
const Kernels* avx2_kernels();
const Kernels* avx_vnni_kernels();
const Kernels* avx512_kernels();
const Kernels* neon_kernels();

}  // namespace quarry::simd
