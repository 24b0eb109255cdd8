#include "engine/printers.h"

#include <algorithm>
#include <utility>

namespace quarry {

Result<uint32_t> Printers::open(PrintStyle style, std::string_view filter) {
  auto opened = std::make_shared<Printer>();
  QUARRY_ASSIGN_OR_RETURN(JsonPrinter printer, JsonPrinter::create(style, filter, opened->out));
  opened->printer = std::make_unique<JsonPrinter>(std::move(printer));
  const std::lock_guard lock(mutex_);
  // The numbers wrap around; numbers of printers that are still open are skipped.
  do {
    ++last_;
  } while (printers_.contains(last_));
  printers_.emplace(last_, std::move(opened));
  return last_;
}

std::shared_ptr<Printers::Printer> Printers::find(uint32_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = printers_.find(number);
  return found == printers_.end() ? nullptr : found->second;
}

Result<std::vector<uint8_t>> Printers::print(uint32_t number, std::string_view json, bool last) {
  const std::shared_ptr<Printer> printer = find(number);
  if (printer == nullptr) {
    return Status(ErrorType::kIllegalArgument,
                  "printer " + std::to_string(number) + " is not open");
  }
  const std::lock_guard lock(printer->mutex);
  // The JSON comes from the service, not from the client: a fault is an internal error.
  if (const Status status = printer->advance(json, last); !status.ok()) {
    return Status(ErrorType::kInternal, "an answer is no JSON: " + status.reason());
  }
  return printer->take();
}

void Printers::close(uint32_t number) {
  const std::lock_guard lock(mutex_);
  printers_.erase(number);
}

size_t Printers::count() const {
  const std::lock_guard lock(mutex_);
  return printers_.size();
}

Status Printers::Printer::advance(std::string_view json, bool last) {
  std::string rest;
  if (!unread.empty()) {
    rest = std::exchange(unread, {}).append(json);
    json = rest;
  }
  QUARRY_ASSIGN_OR_RETURN(const size_t read, printer->print(json, kPieceBytes));
  if (read < json.size()) {
    unread = json.substr(read);
  } else if (last && !finished) {
    finished = true;
    return printer->finish();
  }
  return {};
}

std::vector<uint8_t> Printers::Printer::take() {
  const size_t length = std::min(out.size(), kPieceBytes);
  std::vector<uint8_t> piece(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(length));
  out.erase(0, length);
  return piece;
}

}  // namespace quarry
