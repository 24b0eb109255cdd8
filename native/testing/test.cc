// Formats the messages of failed expectations.
#include "testing/test.h"

#include <sstream>

namespace quarry::testing {

bool failed(const char* file, int line, const char* what) {
  failures().push_back(std::string(file) + ":" + std::to_string(line) + ": " + what);
  return false;
}

bool failed(const char* file, int line, const char* what, const std::string& detail) {
  failed(file, line, what);
  failures().back() += ": " + detail;
  return false;
}

bool expect_ok(const Status& status, const char* file, int line, const char* what) {
  return status.ok() || failed(file, line, what, "failed: " + status.reason());
}

std::string show_signed(long long value) { return std::to_string(value); }
std::string show_unsigned(unsigned long long value) { return std::to_string(value); }
std::string show_text(std::string_view value) { return std::string(value); }

std::string show_float(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

std::string show_streamed(void (*print)(std::ostream&, const void*), const void* value) {
  std::ostringstream out;
  print(out, value);
  return out.str();
}

}  // namespace quarry::testing
