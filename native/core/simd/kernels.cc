// Selects the table of kernels that this processor can run.
#include "simd/kernels.h"

#include <initializer_list>

#include "simd/kernel_tables.h"

namespace quarry::simd {
namespace {

#if defined(__x86_64__)
bool has_avx2() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

bool can_run(Isa isa) {
  __builtin_cpu_init();
  switch (isa) {
    case Isa::kScalar:
      return true;
    case Isa::kAvx2:
      return has_avx2();
    case Isa::kAvxVnni:
      return has_avx2() && __builtin_cpu_supports("avxvnni") != 0;
    case Isa::kAvx512:
      return has_avx2() && __builtin_cpu_supports("avx512f") != 0 &&
             __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
             __builtin_cpu_supports("avx512vnni") != 0;
    case Isa::kNeon:
      return false;
  }
  return false;
}
#else
// NEON is part of every 64-bit ARM processor; on others its table is null.
bool can_run(Isa isa) { return isa == Isa::kScalar || isa == Isa::kNeon; }
#endif

const Kernels* table_of(Isa isa) {
  switch (isa) {
    case Isa::kScalar:
      return scalar_kernels();
    case Isa::kAvx2:
      return avx2_kernels();
    case Isa::kAvxVnni:
      return avx_vnni_kernels();
    case Isa::kAvx512:
      return avx512_kernels();
    case Isa::kNeon:
      return neon_kernels();
  }
  return nullptr;
}

const Kernels& pick() {
  for (const Isa isa : {Isa::kAvx512, Isa::kAvxVnni, Isa::kAvx2, Isa::kNeon}) {
    if (const Kernels* table = kernels_of(isa); table != nullptr) return *table;
  }
  return *scalar_kernels();
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& best = pick();
  return best;
}

const Kernels* kernels_of(Isa isa) { return can_run(isa) ? table_of(isa) : nullptr; }

}  // namespace quarry::simd
