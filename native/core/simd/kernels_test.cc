// Every instruction set compared with the scalar reference: all short lengths, some long ones,
// unaligned.
#include "simd/kernels.h"

#include <cmath>
#include <vector>

#include "base/random.h"
#include "testing/test.h"

namespace quarry::simd::kernels_test {

constexpr Isa kAll[] = {Isa::kScalar, Isa::kAvx2, Isa::kAvxVnni, Isa::kAvx512, Isa::kNeon};

std::vector<size_t> lengths() {
  std::vector<size_t> all;
  for (size_t length = 0; length <= 67; length++) all.push_back(length);
  for (const size_t length :
       {100U, 127U, 128U, 129U, 200U, 384U, 385U, 768U, 1024U, 1536U, 4096U}) {
    all.push_back(length);
  }
  return all;
}

float uniform(Random& random) {
  return static_cast<float>(static_cast<double>(random.below(2'000'001)) / 1e6 - 1);
}

/// Exactly the requested length, so that ASan detects a read past the end; misaligned by one float.
std::vector<float> floats(Random& random, size_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = uniform(random);
  return values;
}

TEST(Kernels, TheBestTableIsOneOfThem) {
  EXPECT_TRUE(kernels_of(Isa::kScalar) != nullptr);
  EXPECT_TRUE(&kernels() == kernels_of(kernels().isa));
  for (const Isa isa : kAll) {
    const Kernels* table = kernels_of(isa);
    if (table != nullptr) EXPECT_EQ(table->isa, isa);
  }
}

TEST(Kernels, FloatSumsAreThoseOfTheReference) {
  const Kernels& reference = *kernels_of(Isa::kScalar);
  Random random(1);
  for (const Isa isa : kAll) {
    const Kernels* table = kernels_of(isa);
    if (table == nullptr) continue;
    for (const size_t dims : lengths()) {
      const std::vector<float> a = floats(random, dims + 1), b = floats(random, dims + 1);
      const float* x = a.data() + 1;  // misaligned, and up to the very end
      const float* y = b.data() + 1;
      const double dot = reference.dot_exact(x, y, dims), l2 = reference.l2_exact(x, y, dims);
      const double most = 1e-6 * static_cast<double>(dims + 1);
      EXPECT_TRUE(std::abs(table->dot(x, y, dims) - dot) <= most);
      EXPECT_TRUE(std::abs(table->l2(x, y, dims) - l2) <= 2 * most);
      EXPECT_TRUE(std::abs(table->dot_exact(x, y, dims) - dot) <= 1e-7 * most);
      EXPECT_TRUE(std::abs(table->l2_exact(x, y, dims) - l2) <= 1e-7 * most);
    }
  }
}

TEST(Kernels, AddScaledIsThatOfTheReference) {
  Random random(2);
  for (const Isa isa : kAll) {
    const Kernels* table = kernels_of(isa);
    if (table == nullptr) continue;
    for (const size_t dims : lengths()) {
      const std::vector<float> x = floats(random, dims), before = floats(random, dims);
      std::vector<float> after = before;
      table->add_scaled(0.37F, x.data(), after.data(), dims);
      for (size_t i = 0; i < dims; i++) {
        EXPECT_TRUE(std::abs(after[i] - (before[i] + 0.37F * x[i])) <= 2e-7F);
      }
    }
  }
}

/// Rows and a query of `stride` bytes with every byte value that a client or a damaged file can
/// contain; the worst case for saturation first.
struct CodeCase {
  size_t stride;
  std::vector<uint8_t> bytes;
  std::vector<int8_t> query;
  CodeCase(Random& random, size_t row_stride, uint32_t rows) : stride(row_stride) {
    bytes.resize(rows * stride + 1, 255);
    query.resize(stride + 1, 127);
    for (size_t i = stride + 1; i < bytes.size(); i++)
      bytes[i] = static_cast<uint8_t>(random.next());
    if (random.below(2) == 0) return;
    for (int8_t& code : query) {
      code = static_cast<int8_t>(static_cast<int64_t>(random.below(255)) - 127);
    }
  }
  CodeRows rows() const { return {bytes.data() + 1, stride}; }
  std::vector<int32_t> expected(uint32_t first, uint32_t count) const {
    std::vector<int32_t> sums(count);
    for (uint32_t i = 0; i < count; i++) {
      for (size_t j = 0; j < stride; j++) sums[i] += rows().row(first + i)[j] * query[j + 1];
    }
    return sums;
  }
};

TEST(Kernels, CodeSumsAreEqualOnEveryInstructionSet) {
  Random random(3);
  for (size_t stride = 64; stride <= 1024; stride += 64) {
    for (int round = 0; round < 4; round++) {
      const uint32_t count = static_cast<uint32_t>(random.below(70));
      const CodeCase codes(random, stride, count + 3);
      const std::vector<int32_t> expected = codes.expected(3, count);
      for (const Isa isa : kAll) {
        const Kernels* table = kernels_of(isa);
        if (table == nullptr) continue;
        std::vector<int32_t> sums(count);
        table->dot_codes(codes.rows(), 3, count, codes.query.data() + 1, sums.data());
        EXPECT_TRUE(sums == expected);
      }
    }
  }
}

TEST(Kernels, GatheredCodeSumsAreThoseOfTheRows) {
  constexpr uint32_t kRows = 50;
  Random random(4);
  for (const size_t stride : {64U, 128U, 192U, 256U, 320U, 384U, 768U, 4096U}) {
    const CodeCase codes(random, stride, kRows);
    const std::vector<int32_t> all = codes.expected(0, kRows);
    for (uint32_t count = 0; count <= 67; count++) {
      std::vector<uint32_t> ordinals(count);
      std::vector<int32_t> expected(count);
      for (uint32_t i = 0; i < count; i++) {
        ordinals[i] = static_cast<uint32_t>(random.below(kRows));
        expected[i] = all[ordinals[i]];
      }
      for (const Isa isa : kAll) {
        const Kernels* table = kernels_of(isa);
        if (table == nullptr) continue;
        std::vector<int32_t> sums(count);
        table->gather_codes(codes.rows(), ordinals.data(), count, codes.query.data() + 1,
                            sums.data());
        EXPECT_TRUE(sums == expected);
      }
    }
  }
}

/// Bounds whose sums are exact in float arithmetic, in any order.
TEST(Kernels, SelectionIsThatOfTheReference) {
  constexpr uint32_t kRows = 300;
  Random random(5);
  std::vector<float> errors(kRows), tails(kRows), norms(kRows);
  std::vector<int32_t> sums(kRows);
  for (uint32_t i = 0; i < kRows; i++) {
    errors[i] = static_cast<float>(random.below(16));
    tails[i] = static_cast<float>(random.below(16));
    norms[i] = static_cast<float>(random.below(4));
    sums[i] = static_cast<int32_t>(random.below(200)) - 100;
  }
  for (uint32_t round = 0; round < 300; round++) {
    const RowBound bound = {7,     0.5F,
                            3,     errors.data(),
                            2,     (round & 1) != 0 ? tails.data() : nullptr,
                            0.25F, (round & 2) != 0 ? norms.data() : nullptr,
                            -0.5F};
    const uint32_t count = round % 70, first = static_cast<uint32_t>(random.below(kRows - count));
    const float limit = static_cast<float>(random.below(100)) - 50;
    std::vector<uint32_t> ordinals(count), expected, expected_gathered;
    for (uint32_t i = 0; i < count; i++) {
      ordinals[i] = static_cast<uint32_t>(random.below(kRows));
      if (bound_of(bound, first + i, sums[i]) >= limit) expected.push_back(i);
      if (bound_of(bound, ordinals[i], sums[i]) >= limit) expected_gathered.push_back(i);
    }
    for (const Isa isa : kAll) {
      const Kernels* table = kernels_of(isa);
      if (table == nullptr) continue;
      std::vector<uint32_t> places(count + 16);
      places.resize(table->select(bound, limit, first, count, sums.data(), places.data()));
      EXPECT_TRUE(places == expected);
      places.resize(count + 16);
      places.resize(
          table->gather_select(bound, limit, ordinals.data(), count, sums.data(), places.data()));
      EXPECT_TRUE(places == expected_gathered);
    }
  }
}

}  // namespace quarry::simd::kernels_test
