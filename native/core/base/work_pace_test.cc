// The pace of merges with a clock that advances only by pauses and by the test.
#include "base/work_pace.h"

#include <atomic>
#include <memory>
#include <optional>

#include "testing/test.h"

namespace quarry::work_pace_test {

constexpr int64_t kMilli = 1000000;
constexpr int64_t kSecond = 1000 * kMilli;
constexpr uint64_t kMiB = uint64_t{1} << 20;

class StandingClock final : public Clock {
 public:
  int64_t wall_ms() const override { return 0; }
  int64_t steady_ns() const override { return now_ns; }
  int64_t now_ns = 100 * kSecond;
};

struct World {
  StandingClock clock;
  std::atomic<bool> abort{false};
  int pauses = 0;
  int abort_after = -1;  // pauses
  WorkPace pace;

  explicit World(uint64_t limit, uint32_t busy_searches = 1)
      : pace(
            clock,
            [this](int64_t nanos) {
              clock.now_ns += nanos;
              if (++pauses == abort_after) abort = true;
            },
            limit, busy_searches) {}
  /// Nanoseconds that writing `bytes` in pieces of 1 MiB takes.
  int64_t write(PacedWork& work, uint64_t bytes) {
    const int64_t before = clock.now_ns;
    for (uint64_t done = 0; done < bytes; done += kMiB) work.wrote(kMiB);
    return clock.now_ns - before;
  }
};

void expect_seconds(int64_t nanos, double seconds) {
  EXPECT_TRUE(static_cast<double>(nanos) > (seconds - 0.15) * kSecond);
  EXPECT_TRUE(static_cast<double>(nanos) < (seconds + 0.05) * kSecond);
}

TEST(WorkPace, WithoutALimitNothingWaits) {
  World world(0);
  PacedWork work(world.pace, world.abort, false);
  EXPECT_EQ(world.write(work, 1000 * kMiB), 0);
}

TEST(WorkPace, WhileSearchesRunTheLimitHolds) {
  World world(10 * kMiB, 2);
  const WorkPace::Search one(world.pace);
  PacedWork work(world.pace, world.abort, false);
  const int64_t took = world.write(work, 100 * kMiB);
  expect_seconds(took, 10);
  EXPECT_EQ(work.paused_ns(), took);
}

TEST(WorkPace, TwoMergesShareTheLimit) {
  World world(10 * kMiB, 2);
  const WorkPace::Search one(world.pace);
  PacedWork first(world.pace, world.abort, false);
  PacedWork second(world.pace, world.abort, false);
  int64_t took = 0;
  for (int i = 0; i < 50; i++) took += world.write(first, kMiB) + world.write(second, kMiB);
  expect_seconds(took, 10);
}

TEST(WorkPace, WithoutSearchesForASecondItIsEased) {
  World world(10 * kMiB);
  PacedWork work(world.pace, world.abort, false);
  expect_seconds(world.write(work, 100 * kMiB), 10.0 / WorkPace::kEase);
  std::optional<WorkPace::Search> search(world.pace);
  search.reset();
  expect_seconds(world.write(work, 10 * kMiB), 1);
  world.clock.now_ns += kSecond;
  expect_seconds(world.write(work, 100 * kMiB), 10.0 / WorkPace::kEase);
}

TEST(WorkPace, AShardThatIsBehindIsEasedAndMakesNoWay) {
  World world(10 * kMiB);
  const WorkPace::Search search(world.pace);
  PacedWork work(world.pace, world.abort, true);
  expect_seconds(world.write(work, 100 * kMiB), 10.0 / WorkPace::kEase);
  world.clock.now_ns += kSecond;
  const int pauses = world.pauses;
  EXPECT_TRUE(!work.called_off());
  EXPECT_EQ(world.pauses, pauses);
}

TEST(WorkPace, MergesWaitForCheckpointsButNotForLong) {
  World world(10 * kMiB);
  const WorkPace::Search search(world.pace);
  world.pace.charge(1000 * kMiB);
  EXPECT_EQ(world.pauses, 0);
  PacedWork work(world.pace, world.abort, false);
  expect_seconds(world.write(work, kMiB), 0.35);
}

TEST(WorkPace, ALimitThatIsLiftedEndsTheWait) {
  StandingClock clock;
  const std::atomic<bool> abort{false};
  WorkPace* paced = nullptr;
  int pauses = 0;
  WorkPace pace(
      clock,
      [&](int64_t nanos) {
        clock.now_ns += nanos;
        if (++pauses == 3) paced->set_limit(0);
      },
      1, 1);
  paced = &pace;
  PacedWork work(pace, abort, false);
  work.wrote(kMiB);
  EXPECT_EQ(pauses, 3);
}

TEST(WorkPace, AnAbortedMergeWaitsNoLonger) {
  World world(1);
  world.abort_after = 2;
  PacedWork work(world.pace, world.abort, false);
  work.wrote(kMiB);
  EXPECT_EQ(world.pauses, 2);
  EXPECT_TRUE(work.called_off());
  work.wrote(kMiB);
  EXPECT_EQ(world.pauses, 2);
}

TEST(WorkPace, MergesMakeWayForBusySearchesHalfOfTheTime) {
  World world(0, 2);
  PacedWork work(world.pace, world.abort, false);
  const WorkPace::Search one(world.pace);
  world.clock.now_ns += kSecond;
  EXPECT_TRUE(!work.called_off());
  EXPECT_EQ(world.pauses, 0);  // a thread is free for another search
  const WorkPace::Search two(world.pace);
  EXPECT_TRUE(!work.called_off());
  EXPECT_TRUE(work.paused_ns() > 0);
  EXPECT_TRUE(work.paused_ns() <= 20 * kMilli);  // however long it worked before
  const int64_t before = work.paused_ns();
  for (int i = 0; i < 1000; i++) {
    world.clock.now_ns += kMilli / 2;
    EXPECT_TRUE(!work.called_off());
  }
  const int64_t paused = work.paused_ns() - before;
  EXPECT_TRUE(paused > 400 * kMilli && paused <= 500 * kMilli);
}

}  // namespace quarry::work_pace_test
