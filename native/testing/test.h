// The test harness: TEST(Suite, Name) registers a case, EXPECT_* records a failure and continues,
// ASSERT_* records it and leaves the test. Tests are linked into one binary, core_tests (main.cc).
#pragma once

#include <cmath>
#include <concepts>
#include <functional>
#include <ostream>
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

/// Records "file:line: what", and `detail` if given. Always returns false.
bool failed(const char* file, int line, const char* what);
bool failed(const char* file, int line, const char* what, const std::string& detail);

inline bool check(bool ok, const char* file, int line, const char* what) {
  return ok || failed(file, line, what);
}

/// Formats values in failure messages.
std::string show_signed(long long value);
std::string show_unsigned(unsigned long long value);
std::string show_float(double value);
std::string show_text(std::string_view value);
/// `print` writes the object at `value` to a stream.
std::string show_streamed(void (*print)(std::ostream&, const void*), const void* value);

/// Integers print as numbers (including one-byte ones), enums as their number, all other types with
/// <<.
template <typename T>
std::string show(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return show(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_same_v<T, bool>) {
    return show_text(value ? "true" : "false");
  } else if constexpr (std::signed_integral<T>) {
    return show_signed(value);
  } else if constexpr (std::unsigned_integral<T>) {
    return show_unsigned(value);
  } else if constexpr (std::floating_point<T>) {
    return show_float(static_cast<double>(value));
  } else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T>) {
    return show_streamed([](std::ostream& out, const void* at) { out << at; }, value);
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    return show_text(value);
  } else if constexpr (requires(std::ostream& out) { out << value; }) {
    return show_streamed(
        [](std::ostream& out, const void* at) { out << *static_cast<const T*>(at); }, &value);
  } else {
    return "(" + show_unsigned(sizeof(T)) + " bytes)";
  }
}
inline std::string show(const char* value) { return show_text(value == nullptr ? "null" : value); }

/// Compares integers by value regardless of their signedness, so that EXPECT_EQ(v.size(), 3) needs
/// no cast.
template <typename A, typename B, typename Op>
bool compare(const A& a, const B& b, Op op) {
  constexpr bool kPlainIntegers = std::integral<A> && std::integral<B> &&
                                  !std::is_same_v<A, bool> && !std::is_same_v<B, bool> &&
                                  !std::is_same_v<A, B>;
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

/// Returns whether Op holds, and otherwise records both sides. One function serves all comparisons
/// of two types, so that each use in a test is only a call.
template <typename Op, typename A, typename B>
bool expect(const A& a, const B& b, const char* file, int line, const char* what) {
  return compare(a, b, Op()) || failed(file, line, what, show(a) + " and " + show(b));
}
template <typename Op, typename A>
bool expect(const A& a, const char* b, const char* file, int line, const char* what) {
  return Op()(a, b) || failed(file, line, what, show(a) + " and " + show(b));
}

template <typename A, typename B, typename C>
bool expect_near(const A& a, const B& b, const C& tolerance, const char* file, int line,
                 const char* what) {
  using Common = std::common_type_t<A, B>;
  return std::abs(static_cast<Common>(a) - static_cast<Common>(b)) <= tolerance ||
         failed(file, line, what, show(a) + " and " + show(b));
}

bool expect_ok(const Status& status, const char* file, int line, const char* what);
template <typename T>
bool expect_ok(const Result<T>& result, const char* file, int line, const char* what) {
  return expect_ok(result.status(), file, line, what);
}

}  // namespace quarry::testing

#define TEST(suite, name)                                                      \
  static void suite##_##name##_body();                                         \
  [[maybe_unused]] static const bool suite##_##name##_registered =             \
      ::quarry::testing::register_test(#suite, #name, &suite##_##name##_body); \
  static void suite##_##name##_body()

#define QUARRY_CHECK_(ok, what) ::quarry::testing::check((ok), __FILE__, __LINE__, (what))

#define QUARRY_COMPARE_(a, b, op, Op) \
  ::quarry::testing::expect<Op>((a), (b), __FILE__, __LINE__, #a " " #op " " #b)

#define QUARRY_NEAR_(a, b, tolerance) \
  ::quarry::testing::expect_near((a), (b), (tolerance), __FILE__, __LINE__, #a " is near " #b)

#define QUARRY_OK_(expr) ::quarry::testing::expect_ok((expr), __FILE__, __LINE__, #expr)

#define EXPECT_TRUE(x) static_cast<void>(QUARRY_CHECK_(static_cast<bool>(x), #x " is false"))
#define EXPECT_FALSE(x) static_cast<void>(QUARRY_CHECK_(!static_cast<bool>(x), #x " is true"))
#define EXPECT_EQ(a, b) static_cast<void>(QUARRY_COMPARE_(a, b, ==, std::equal_to<>))
#define EXPECT_NE(a, b) static_cast<void>(QUARRY_COMPARE_(a, b, !=, std::not_equal_to<>))
#define EXPECT_LT(a, b) static_cast<void>(QUARRY_COMPARE_(a, b, <, std::less<>))
#define EXPECT_LE(a, b) static_cast<void>(QUARRY_COMPARE_(a, b, <=, std::less_equal<>))
#define EXPECT_GT(a, b) static_cast<void>(QUARRY_COMPARE_(a, b, >, std::greater<>))
#define EXPECT_GE(a, b) static_cast<void>(QUARRY_COMPARE_(a, b, >=, std::greater_equal<>))
#define EXPECT_NEAR(a, b, tolerance) static_cast<void>(QUARRY_NEAR_(a, b, tolerance))
/// A Status or a Result that must be Ok.
#define EXPECT_OK(expr) static_cast<void>(QUARRY_OK_(expr))

#define QUARRY_OR_RETURN_(ok) \
  do {                        \
    if (!(ok)) return;        \
  } while (false)
#define ASSERT_TRUE(x) QUARRY_OR_RETURN_(QUARRY_CHECK_(static_cast<bool>(x), #x " is false"))
#define ASSERT_FALSE(x) QUARRY_OR_RETURN_(QUARRY_CHECK_(!static_cast<bool>(x), #x " is true"))
#define ASSERT_EQ(a, b) QUARRY_OR_RETURN_(QUARRY_COMPARE_(a, b, ==, std::equal_to<>))
#define ASSERT_NE(a, b) QUARRY_OR_RETURN_(QUARRY_COMPARE_(a, b, !=, std::not_equal_to<>))
#define ASSERT_GT(a, b) QUARRY_OR_RETURN_(QUARRY_COMPARE_(a, b, >, std::greater<>))
#define ASSERT_GE(a, b) QUARRY_OR_RETURN_(QUARRY_COMPARE_(a, b, >=, std::greater_equal<>))
#define ASSERT_OK(expr) QUARRY_OR_RETURN_(QUARRY_OK_(expr))
