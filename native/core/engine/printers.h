// The open JSON printers by number. A response is printed in pieces, each by whichever worker
// thread is free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "json/printer.h"

namespace quarry {

/// Thread-safe.
class Printers {
 public:
  /// The size of a piece. A piece of this size is followed by another.
  static constexpr size_t kPieceBytes = 256 * 1024;

  /// See JsonPrinter::create. The caller must close the printer.
  Result<uint32_t> open(PrintStyle style, std::string_view filter);
  /// Reads `json` and prints one piece. After a piece of kPieceBytes, call again with empty `json`
  /// until a shorter piece is returned. `last`: no `json` follows. kIllegalArgument for a printer
  /// that is not open, kInternal when `json` is not valid JSON.
  Result<std::vector<uint8_t>> print(uint32_t number, std::string_view json, bool last);
  /// Does nothing when the printer is not open. A running print() completes.
  void close(uint32_t number);
  /// The number of open printers.
  size_t count() const;

 private:
  struct Printer {
    std::mutex mutex;
    std::string out;     // printed, but not returned yet
    std::string unread;  // input that was not printed yet
    std::unique_ptr<JsonPrinter> printer;
    bool finished = false;

    Status advance(std::string_view json, bool last);
    std::vector<uint8_t> take();
  };

  std::shared_ptr<Printer> find(uint32_t number) const;

  mutable std::mutex mutex_;
  uint32_t last_ = 0;
  std::unordered_map<uint32_t, std::shared_ptr<Printer>> printers_;
};

}  // namespace quarry
