#include "base/work_pace.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace quarry {
namespace {

constexpr int64_t kNanosPerMilli = 1000000;
constexpr int64_t kNanosPerSecond = 1000 * kNanosPerMilli;
/// After this time without a search, the faster rate applies.
constexpr int64_t kQuietNs = kNanosPerSecond;
/// The time slice of work between two yields to searches.
constexpr int64_t kTurnNs = kNanosPerMilli;
/// The longest yield, however long the work before it was.
constexpr int64_t kLongestTurnNs = 20 * kNanosPerMilli;
/// The interval at which a yield checks whether it can end (kTurnSliceNs), and at which a wait
/// checks the abort flag and a changed limit (kWaitSliceNs).
constexpr int64_t kTurnSliceNs = kNanosPerMilli;
constexpr int64_t kWaitSliceNs = 20 * kNanosPerMilli;
/// What may be written at once after a pause, in seconds of the limit, so that small merges do not
/// wait.
constexpr double kBurstSeconds = 0.1;
/// The limit of the debt caused by checkpoints, in seconds: merges wait for them no longer than
/// this.
constexpr double kChargedSeconds = 0.25;
/// The limit of the debt caused by merges, in seconds.
constexpr double kOwedSeconds = 3600;

class ReportingFile final : public WritableFile {
 public:
  ReportingFile(std::unique_ptr<WritableFile> file, BytesWritten wrote)
      : file_(std::move(file)), wrote_(std::move(wrote)) {}

  Status append(Bytes bytes) override {
    QUARRY_RETURN_IF_ERROR(file_->append(bytes));
    wrote_(bytes.size());
    return {};
  }
  Status sync() override { return file_->sync(); }
  Status reserve(uint64_t bytes) override { return file_->reserve(bytes); }
  Status close() override { return file_->close(); }
  uint64_t size() const override { return file_->size(); }
  Status overwrite_start(Bytes bytes) override { return file_->overwrite_start(bytes); }

 private:
  std::unique_ptr<WritableFile> file_;
  const BytesWritten wrote_;
};

void sleep_for(int64_t nanos) { std::this_thread::sleep_for(std::chrono::nanoseconds(nanos)); }

}  // namespace

std::unique_ptr<WritableFile> make_reporting_file(std::unique_ptr<WritableFile> file,
                                                  BytesWritten wrote) {
  return std::make_unique<ReportingFile>(std::move(file), std::move(wrote));
}

WorkPace::WorkPace(const Clock& clock, Pause pause, uint64_t bytes_per_sec, uint32_t busy_searches)
    : clock_(clock),
      pause_(pause == nullptr ? Pause(sleep_for) : std::move(pause)),
      busy_searches_(std::max(busy_searches, 1u)),
      limit_(bytes_per_sec),
      last_search_ns_(clock.steady_ns() - kQuietNs),
      paid_ns_(clock.steady_ns()) {}

void WorkPace::end_search() {
  last_search_ns_.store(clock_.steady_ns(), std::memory_order_relaxed);
  searches_.fetch_sub(1, std::memory_order_relaxed);
}

void WorkPace::charge(uint64_t bytes) { static_cast<void>(owe(bytes, false, kChargedSeconds)); }

int64_t WorkPace::owe(uint64_t bytes, bool behind, double most_seconds) {
  const int64_t now = clock_.steady_ns();
  const bool quiet = searches_.load(std::memory_order_relaxed) == 0 &&
                     now - last_search_ns_.load(std::memory_order_relaxed) >= kQuietNs;
  const uint64_t limit = limit_.load(std::memory_order_relaxed);
  const double rate = static_cast<double>(limit) * static_cast<double>(quiet || behind ? kEase : 1);
  const std::lock_guard lock(mutex_);
  const double seconds =
      static_cast<double>(std::max<int64_t>(now - paid_ns_, 0)) / kNanosPerSecond;
  paid_ns_ = std::max(paid_ns_, now);
  if (limit == 0) {
    debt_ = 0;
    return 0;
  }
  debt_ = std::max(debt_ - seconds * rate, -kBurstSeconds * rate);
  const double most = std::max(debt_, most_seconds * rate);
  debt_ = std::min(debt_ + static_cast<double>(bytes), most);
  return debt_ <= 0 ? 0 : static_cast<int64_t>(debt_ / rate * kNanosPerSecond) + 1;
}

PacedWork::PacedWork(WorkPace& pace, const std::atomic<bool>& abort, bool behind)
    : pace_(pace), abort_(abort), behind_(behind), resumed_ns_(pace.clock_.steady_ns()) {}

void PacedWork::pause(int64_t nanos) {
  const int64_t before = pace_.clock_.steady_ns();
  pace_.pause_(nanos);
  resumed_ns_ = pace_.clock_.steady_ns();
  paused_ns_ += resumed_ns_ - before;
}

bool PacedWork::called_off() {
  if (behind_ || aborted() || !pace_.busy()) return aborted();
  const int64_t now = pace_.clock_.steady_ns();
  const int64_t worked = now - resumed_ns_;
  if (worked < kTurnNs) return false;
  const int64_t end = now + std::min(worked, kLongestTurnNs);
  while (pace_.clock_.steady_ns() < end && pace_.busy() && !aborted()) pause(kTurnSliceNs);
  return aborted();
}

void PacedWork::wrote(uint64_t bytes) {
  int64_t wait = pace_.owe(bytes, behind_, kOwedSeconds);
  while (wait > 0 && !aborted()) {
    pause(std::min(wait, kWaitSliceNs));
    wait = pace_.owe(0, behind_, kOwedSeconds);
  }
}

}  // namespace quarry
