// The printers of answers that are on their way, by number: an answer is printed in pieces, by
// whatever threads are free.
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
  /// Of one answer's pieces. One that is as long is followed by others.
  static constexpr size_t kPieceBytes = 256 * 1024;

  /// See JsonPrinter::create. The caller closes it.
  Result<uint32_t> open(PrintStyle style, std::string_view filter);
  /// Reads `json` and prints a piece. A piece of kPieceBytes: print on, without more `json`, until
  /// one is shorter. `last`: nothing comes behind `json`. kIllegalArgument for a printer that is closed,
  /// kInternal where `json` is none.
  Result<std::vector<uint8_t>> print(uint32_t number, std::string_view json, bool last);
  /// Nothing where it is closed. One that prints just now ends behind it.
  void close(uint32_t number);
  /// That are open.
  size_t count() const;

 private:
  struct Printer {
    std::mutex mutex;
    std::string out;       // was printed, but not handed out
    std::string unread;    // behind what was printed
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
