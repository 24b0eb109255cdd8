// Status and Result<T>: how the core reports expected failures. Exceptions never cross a module
// border. The closed list of error types is in errors.def and is exported to TypeScript.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace quarry {

enum class ErrorType : uint16_t {
#define ERROR_TYPE(id, wire, http, fault) k##id,
#include "base/errors.def"
#undef ERROR_TYPE
};

/// The error type name in REST responses ("illegal_argument_exception") and the HTTP status of a
/// type.
std::string_view error_wire_type(ErrorType type);
uint16_t error_http_status(ErrorType type);
/// Number of entries of errors.def; valid numbers are 0 .. count-1.
uint16_t error_type_count();

/// The outcome of an operation without a value. A default Status is Ok. The reason names the
/// object, the value and the remedy.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(ErrorType type, std::string reason) : type_(type), reason_(std::move(reason)) {}

  bool ok() const { return type_ == ErrorType::kOk; }
  ErrorType type() const { return type_; }
  const std::string& reason() const { return reason_; }
  /// An optional inner cause, printed as `caused_by` in REST responses; empty when there is none.
  const std::string& cause() const { return cause_; }
  Status& with_cause(std::string cause) {
    cause_ = std::move(cause);
    return *this;
  }

 private:
  ErrorType type_ = ErrorType::kOk;
  std::string reason_;
  std::string cause_;
};

/// The two most frequent errors of requests and mappings.
inline Status illegal_argument(std::string reason) {
  return {ErrorType::kIllegalArgument, std::move(reason)};
}
inline Status mapper_parsing(std::string reason) {
  return {ErrorType::kMapperParsing, std::move(reason)};
}

/// A value or a Status that is not Ok.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Status status) : state_(std::in_place_index<1>, std::move(status)) {
    assert(!std::get<1>(state_).ok());
  }

  bool ok() const { return state_.index() == 0; }
  const Status& status() const {
    static const Status kOkStatus;
    return ok() ? kOkStatus : std::get<1>(state_);
  }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }

 private:
  std::variant<T, Status> state_;
};

#define QUARRY_CONCAT_(a, b) a##b
#define QUARRY_CONCAT(a, b) QUARRY_CONCAT_(a, b)
/// Returns the Status of `expr` from the enclosing function unless it is Ok.
#define QUARRY_RETURN_IF_ERROR(expr)                                      \
  do {                                                                    \
    if (::quarry::Status quarry_status_ = (expr); !quarry_status_.ok()) { \
      return quarry_status_;                                              \
    }                                                                     \
  } while (false)
/// `QUARRY_ASSIGN_OR_RETURN(auto x, make_x());` binds the value or returns the Status.
#define QUARRY_ASSIGN_OR_RETURN(decl, expr) \
  QUARRY_ASSIGN_OR_RETURN_(QUARRY_CONCAT(quarry_result_, __LINE__), decl, expr)
#define QUARRY_ASSIGN_OR_RETURN_(tmp, decl, expr) \
  auto tmp = (expr);                              \
  if (!tmp.ok()) return tmp.status();             \
  decl = std::move(tmp).value()

}  // namespace quarry
