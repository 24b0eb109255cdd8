// The bounds of codes are correct: no row's product is outside of the bounds of its codes.
#include "vector/sq8/code_planes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "testing/test.h"
#include "testing/vectors.h"
#include "vector/sq8/plane_encoder.h"
#include "vector/vector_space.h"

namespace quarry::code_planes_test {

using testing::Shape;
using testing::VectorSet;

double dot(const float* a, const float* b, size_t dims) {
  double sum = 0;
  for (size_t i = 0; i < dims; i++) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

/// Space and codes of a set, kept together.
struct Coded {
  std::vector<float> rows;
  VectorSpace space;
  EncodedPlanes encoded;
  CodePlanes planes;

  Coded(std::vector<float> all, uint32_t dims, VectorSimilarity similarity) : rows(std::move(all)) {
    const auto count = static_cast<uint32_t>(rows.size() / dims);
    space = train_space({rows.data(), count, dims}, similarity);
    encoded = *encode_planes(space, {rows.data(), count, dims}, nullptr);
    planes = planes_of(space, encoded);
  }
};

void expect_bounds_hold(const Coded& coded, const std::vector<float>& query) {
  const CodePlanes& planes = coded.planes;
  std::vector<int32_t> dots(planes.size);
  QueryCodes codes;
  codes.prepare(planes, query);
  simd::kernels().dot_codes(planes.full, 0, planes.size, codes.full(), dots.data());
  for (uint32_t i = 0; i < planes.size; i++) {
    const double truth =
        dot(query.data(), coded.rows.data() + size_t{i} * planes.dims, planes.dims);
    const float most = codes.norm * planes.full_error[i] + codes.full_query_error;
    EXPECT_TRUE(std::abs(truth - static_cast<double>(codes.full_estimate(dots[i]))) <=
                static_cast<double>(most));
    int32_t rest = 0;
    simd::kernels().gather_codes(planes.full, &i, 1, codes.full_rest(), &rest);
    const float fine = codes.full_estimate(dots[i]) + codes.full_rest_estimate(rest);
    EXPECT_TRUE(std::abs(truth - static_cast<double>(fine)) <=
                static_cast<double>(most - codes.full_query_error + codes.full_fine_error));
    EXPECT_TRUE(planes.full_error[i] <= planes.max_full_error);
  }
  if (planes.sketch_dims == 0) return;
  simd::kernels().dot_codes(planes.sketch, 0, planes.size, codes.sketch(), dots.data());
  for (uint32_t i = 0; i < planes.size; i++) {
    const double truth =
        dot(query.data(), coded.rows.data() + size_t{i} * planes.dims, planes.dims);
    const float most = codes.sketch_norm * planes.sketch_error[i] +
                       codes.rest_norm * planes.tail[i] + codes.sketch_query_error;
    const auto estimate = static_cast<double>(codes.sketch_estimate(dots[i]));
    EXPECT_TRUE(std::abs(truth - estimate) <= static_cast<double>(most));
    int32_t rest = 0;
    simd::kernels().gather_codes(planes.sketch, &i, 1, codes.sketch_rest(), &rest);
    const double fine = estimate + static_cast<double>(codes.sketch_rest_estimate(rest));
    EXPECT_TRUE(std::abs(truth - fine) <=
                static_cast<double>(most - codes.sketch_query_error + codes.sketch_fine_error));
  }
}

TEST(CodePlanes, BoundsHoldForEveryRowOfEveryShape) {
  for (const Shape shape : testing::kAllShapes) {
    for (const uint32_t dims : {1U, 3U, 65U, 130U, 200U, 384U}) {
      for (const bool unit : {true, false}) {
        VectorSet set(shape, dims, 7 + dims);
        std::vector<float> rows = set.rows(dims == 130 ? 3000 : 300), queries = set.rows(4);
        if (unit) testing::normalise(rows, dims);
        if (unit) testing::normalise(queries, dims);
        const Coded coded(std::move(rows), dims, VectorSimilarity::kDotProduct);
        for (size_t at = 0; at < queries.size(); at += dims) {
          expect_bounds_hold(coded, {queries.begin() + static_cast<ptrdiff_t>(at),
                                     queries.begin() + static_cast<ptrdiff_t>(at + dims)});
        }
        expect_bounds_hold(coded, std::vector<float>(dims, 0.0F));
      }
    }
  }
}

TEST(CodePlanes, TinyAndHugeNumbersKeepTheirBounds) {
  for (const float scale : {1e-38F, 1e-30F, 1e-18F, 1e10F}) {
    VectorSet set(Shape::kAnisotropic, 130, 3);
    std::vector<float> rows = set.rows(3000), query = set.next();
    for (float& value : rows) value *= scale;
    for (float& value : query) value *= scale;
    expect_bounds_hold(Coded(std::move(rows), 130, VectorSimilarity::kL2Norm), query);
  }
}

TEST(CodePlanes, AWarmQueryForgetsTheOneBefore) {
  VectorSet set(Shape::kAnisotropic, 200, 5);
  const Coded coded(set.rows(100), 200, VectorSimilarity::kDotProduct);
  const std::vector<float> first = set.next(), second = set.next();
  QueryCodes warm, fresh;
  warm.prepare(coded.planes, first);
  warm.prepare(coded.planes, second);
  fresh.prepare(coded.planes, second);
  EXPECT_EQ(warm.full_bias, fresh.full_bias);
  EXPECT_EQ(warm.sketch_bias, fresh.sketch_bias);
  EXPECT_TRUE(std::equal(warm.full(), warm.full() + 256, fresh.full()));
}

TEST(VectorSpace, ASketchIsAsWideAsTheSpreadNeeds) {
  VectorSet narrow(Shape::kAnisotropic, 200, 1);
  const std::vector<float> narrow_rows = narrow.rows(3200);
  const VectorSpace few = train_space({narrow_rows.data(), 3200, 200}, {});
  EXPECT_EQ(few.sketch_dims, 64U);
  EXPECT_TRUE(few.basis_defect < 1e-4F);
  EXPECT_TRUE(few.sketch_survivors < 0.25F);
}

TEST(VectorSpace, RowsWithoutStructureGetNoSketch) {
  VectorSet set(Shape::kIsotropic, 200, 1);
  std::vector<float> rows = set.rows(3200);
  testing::normalise(rows, 200);
  EXPECT_EQ(train_space({rows.data(), 3200, 200}, VectorSimilarity::kCosine).sketch_dims, 0U);
}

TEST(VectorSpace, IsTheSameEveryTime) {
  VectorSet set(Shape::kClustered, 130, 2);
  const std::vector<float> rows = set.rows(3500);
  const VectorSpace a = train_space({rows.data(), 3500, 130}, VectorSimilarity::kDotProduct);
  const VectorSpace b = train_space({rows.data(), 3500, 130}, VectorSimilarity::kDotProduct);
  EXPECT_TRUE(a.basis == b.basis);
  EXPECT_TRUE(a.mean == b.mean);
  EXPECT_EQ(a.full_step, b.full_step);
}

std::vector<float> centred(const std::vector<float>& rows, const VectorSpace& space) {
  std::vector<float> out = rows;
  for (size_t i = 0; i < out.size(); i++) out[i] -= space.mean[i % space.dims];
  return out;
}

TEST(VectorSpace, StepsReachAllButOneValueInTenThousand) {
  VectorSet set(Shape::kClustered, 130, 3);
  const std::vector<float> rows = set.rows(2000);
  const VectorSpace space = train_space({rows.data(), 2000, 130}, VectorSimilarity::kDotProduct);
  std::vector<float> sizes = centred(rows, space);
  for (float& size : sizes) size = std::abs(size);
  std::sort(sizes.begin(), sizes.end());
  const auto at = static_cast<size_t>(static_cast<double>(sizes.size() - 1) * 0.9999);
  EXPECT_EQ(space.full_step, sizes[at] / 127);
}

TEST(VectorSpace, WhereMostValuesAreZeroTheStepReachesTheLargest) {
  std::vector<float> rows(2000 * 130, 0.5F);
  rows[77] = 100;  // and the same distance on the other side, so that the mean stays near the
                   // others
  rows[130 + 77] = -99;
  const VectorSpace space = train_space({rows.data(), 2000, 130}, VectorSimilarity::kDotProduct);
  EXPECT_EQ(space.full_step, 99.5F / 127);
}

TEST(PlaneEncoder, SketchesOfKnownCoordinatesAreThoseOfTheRows) {
  VectorSet set(Shape::kAnisotropic, 200, 6);
  const Coded coded(set.rows(3200), 200, VectorSimilarity::kL2Norm);
  const uint32_t width = coded.space.sketch_dims;
  ASSERT_EQ(width, 64U);
  const size_t stride = width + 3;
  const std::vector<float> around = centred(coded.rows, coded.space);
  std::vector<float> coordinates(3200 * stride, 1e9F);
  std::vector<double> norms;
  for (size_t row = 0; row < 3200; row++) {
    const float* x = around.data() + row * 200;
    norms.push_back(norm_around({x, 200}));
    for (size_t i = 0; i < width; i++) {
      coordinates[row * stride + i] =
          simd::kernels().dot(coded.space.basis.data() + i * 200, x, 200);
    }
  }
  const EncodedPlanes sketches = encode_sketches(coded.space, coordinates, stride, norms);
  EXPECT_TRUE(sketches.sketch == coded.encoded.sketch);
  EXPECT_EQ(sketches.max_norm, coded.encoded.max_norm);
  const CodePlanes planes = planes_of(coded.space, sketches);
  EXPECT_TRUE(std::equal(planes.tail, planes.tail + 3200, coded.planes.tail));
  EXPECT_TRUE(
      std::equal(planes.sketch_error, planes.sketch_error + 3200, coded.planes.sketch_error));
}

TEST(PlaneEncoder, IsCalledOff) {
  VectorSet set(Shape::kClustered, 65, 2);
  const std::vector<float> rows = set.rows(10);
  const VectorSpace space = train_space({rows.data(), 10, 65}, VectorSimilarity::kDotProduct);
  const std::atomic<bool> abort = true;
  AbortFlag work(abort);
  const Result<EncodedPlanes> encoded = encode_planes(space, {rows.data(), 10, 65}, &work);
  ASSERT_FALSE(encoded.ok());
  EXPECT_EQ(encoded.status().type(), ErrorType::kRejected);
}

}  // namespace quarry::code_planes_test
