// The test harness: TEST(Suite, Name) registers a case, EXPECT_* records a failure and goes on,
// ASSERT_* records it and leaves the test. Tests are linked into one binary, core_tests (main.cc).
#pragma once

#include <cmath>
#include <concepts>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/status.h"

namespace quarry::testing {

struct TestCase {
  std::string_view suite;
  std::string_view name;
  void (*body)();
};

/// Every TEST of the binary, in link order.
inline std::vector<TestCase>& registry() {
  static std::vector<TestCase> cases;
  return cases;
}

/// Failures of the running test: "file:line: what". Cleared by the runner between tests.
inline std::vector<std::string>& failures() {
  static std::vector<std::string> messages;
  return messages;
}

inline bool register_test(std::string_view suite, std::string_view name, void (*body)()) {
  registry().push_back({suite, name, body});
  return true;
}

/// True when `ok`; otherwise records the failure.
inline bool check(bool ok, const char* file, int line, const std::string& what) {
  if (!ok) failures().push_back(std::string(file) + ":" + std::to_string(line) + ": " + what);
  return ok;
}

inline const Status& status_of(const Status& status) { return status; }
template <typename T>
const Status& status_of(const Result<T>& result) {
  return result.status();
}

/// Integers print as numbers (also the one-byte ones), enums as their number, all else by <<.
template <typename T>
std::string show(const T& value) {
  std::ostringstream out;
  if constexpr (std::is_enum_v<T>) {
    out << +static_cast<std::underlying_type_t<T>>(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    out << (value ? "true" : "false");
  } else if constexpr (std::integral<T>) {
    out << +value;
  } else if constexpr (requires { out << value; }) {
    out << value;
  } else {
    out << "(" << sizeof(T) << " bytes)";
  }
  return out.str();
}

/// Compares integers by value whatever their signs, so that EXPECT_EQ(v.size(), 3) needs no cast.
template <typename A, typename B, typename Op>
bool compare(const A& a, const B& b, Op op) {
  constexpr bool kPlainIntegers = std::integral<A> && std::integral<B> && !std::is_same_v<A, bool> &&
                                  !std::is_same_v<B, bool> && !std::is_same_v<A, B>;
  if constexpr (kPlainIntegers) {
    if constexpr (std::is_signed_v<A> && !std::is_signed_v<B>) {
      if (a < 0) return op(-1, 0);
      return op(static_cast<std::make_unsigned_t<A>>(a), b);
    } else if constexpr (!std::is_signed_v<A> && std::is_signed_v<B>) {
      if (b < 0) return op(0, -1);
      return op(a, static_cast<std::make_unsigned_t<B>>(b));
    } else {
      return op(a, b);
    }
  } else {
    return op(a, b);
  }
}

}  // namespace quarry::testing

#define TEST(suite, name)                                                                     \
  static void suite##_##name##_body();                                                        \
  [[maybe_unused]] static const bool suite##_##name##_registered =                            \
      ::quarry::testing::register_test(#suite, #name, &suite##_##name##_body);                \
  static void suite##_##name##_body()

#define QUARRY_CHECK_(ok, what) ::quarry::testing::check((ok), __FILE__, __LINE__, (what))

#define QUARRY_COMPARE_(a, b, op)                                                             \
  [&](const auto& left_, const auto& right_) {                                                \
    const bool holds_ = ::quarry::testing::compare(                                           \
        left_, right_, [](const auto& x_, const auto& y_) -> bool { return x_ op y_; });      \
    return holds_ || QUARRY_CHECK_(false, std::string(#a " " #op " " #b ": ") +               \
                                              ::quarry::testing::show(left_) + " and " +      \
                                              ::quarry::testing::show(right_));               \
  }((a), (b))

#define QUARRY_NEAR_(a, b, tolerance)                                                         \
  QUARRY_CHECK_(std::abs((a) - (b)) <= (tolerance),                                           \
                std::string(#a " is not near " #b ": ") + ::quarry::testing::show(a) +        \
                    " and " + ::quarry::testing::show(b))

#define QUARRY_OK_(expr)                                                                      \
  [&](const auto& outcome_) {                                                                 \
    const ::quarry::Status& status_ = ::quarry::testing::status_of(outcome_);                 \
    return QUARRY_CHECK_(status_.ok(), std::string(#expr " failed: ") + status_.reason());    \
  }((expr))

#define EXPECT_TRUE(x) static_cast<void>(QUARRY_CHECK_(static_cast<bool>(x), #x " is false"))
#define EXPECT_FALSE(x) static_cast<void>(QUARRY_CHECK_(!static_cast<bool>(x), #x " is true"))
#define EXPECT_EQ(a, b) static_cast<void>(QUARRY_COMPARE_(a, b, ==))
#define EXPECT_NE(a, b) static_cast<void>(QUARRY_COMPARE_(a, b, !=))
#define EXPECT_LT(a, b) static_cast<void>(QUARRY_COMPARE_(a, b, <))
#define EXPECT_LE(a, b) static_cast<void>(QUARRY_COMPARE_(a, b, <=))
#define EXPECT_GT(a, b) static_cast<void>(QUARRY_COMPARE_(a, b, >))
#define EXPECT_GE(a, b) static_cast<void>(QUARRY_COMPARE_(a, b, >=))
#define EXPECT_NEAR(a, b, tolerance) static_cast<void>(QUARRY_NEAR_(a, b, tolerance))
/// A Status or a Result that must be Ok.
#define EXPECT_OK(expr) static_cast<void>(QUARRY_OK_(expr))

#define QUARRY_OR_RETURN_(ok) \
  do {                        \
    if (!(ok)) return;        \
  } while (false)
#define ASSERT_TRUE(x) QUARRY_OR_RETURN_(QUARRY_CHECK_(static_cast<bool>(x), #x " is false"))
#define ASSERT_FALSE(x) QUARRY_OR_RETURN_(QUARRY_CHECK_(!static_cast<bool>(x), #x " is true"))
#define ASSERT_EQ(a, b) QUARRY_OR_RETURN_(QUARRY_COMPARE_(a, b, ==))
#define ASSERT_NE(a, b) QUARRY_OR_RETURN_(QUARRY_COMPARE_(a, b, !=))
#define ASSERT_GT(a, b) QUARRY_OR_RETURN_(QUARRY_COMPARE_(a, b, >))
#define ASSERT_GE(a, b) QUARRY_OR_RETURN_(QUARRY_COMPARE_(a, b, >=))
#define ASSERT_OK(expr) QUARRY_OR_RETURN_(QUARRY_OK_(expr))
