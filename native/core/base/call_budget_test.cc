// When a budget ends, and how seldom the clocks are read for it.
#include "base/call_budget.h"

#include "base/stop_check.h"
#include "testing/test.h"

namespace quarry::call_budget_test {

/// A thread that works for part of the time that passes.
class TwoClocks final : public Clock {
 public:
  int64_t wall_ms() const override { return 0; }
  int64_t steady_ns() const override { return steady_ns_; }
  int64_t thread_processor_ns() const override {
    reads_++;
    return processor_ns_;
  }
  void work(int64_t microseconds) {
    steady_ns_ += microseconds * 1000;
    processor_ns_ += microseconds * 1000;
  }
  void wait(int64_t microseconds) { steady_ns_ += microseconds * 1000; }
  uint32_t reads() const { return reads_; }

 private:
  int64_t steady_ns_ = 5'000'000;
  int64_t processor_ns_ = 70'000;
  mutable uint32_t reads_ = 0;
};

constexpr uint64_t kBudgetUs = 400;

TEST(CallBudget, EndsOnceSoMuchProcessorTimeIsUsed) {
  TwoClocks clock;
  CallBudget budget(clock, kBudgetUs);
  StopCheck stop(&clock, 0, nullptr, {}, &budget);
  for (uint32_t used = 0; used < kBudgetUs; used += 10) {
    EXPECT_FALSE(stop.expired());
    clock.work(10);
  }
  EXPECT_TRUE(stop.expired() && stop.stopped() && stop.out_of_budget() && budget.ended());
  EXPECT_FALSE(stop.timed_out() || stop.cancelled());
}

TEST(CallBudget, AThreadThatWaitsMayTakeFourTimesAsLong) {
  TwoClocks clock;
  CallBudget budget(clock, kBudgetUs);
  StopCheck stop(&clock, 0, nullptr, {}, &budget);
  EXPECT_FALSE(stop.expired());
  for (uint32_t passed = 0; passed < CallBudget::kWaitFactor * kBudgetUs; passed += 50) {
    EXPECT_FALSE(stop.expired());
    clock.work(5);
    clock.wait(45);
  }
  EXPECT_TRUE(stop.expired() && stop.out_of_budget());
}

TEST(CallBudget, ReadsTheProcessorClockSeldom) {
  TwoClocks clock;
  CallBudget budget(clock, kBudgetUs);
  StopCheck stop(&clock, 0, nullptr, {}, &budget);
  for (uint32_t passed = 0; passed < kBudgetUs / 4; passed++) {
    EXPECT_FALSE(stop.expired());
    clock.work(1);
  }
  EXPECT_EQ(clock.reads(), 0);
  while (!stop.expired()) clock.work(1);
  EXPECT_EQ(clock.reads(), 2);
  TwoClocks waiting;
  CallBudget patient(waiting, kBudgetUs);
  StopCheck long_wait(&waiting, 0, nullptr, {}, &patient);
  while (!long_wait.expired()) waiting.wait(1);
  EXPECT_LE(waiting.reads(), 4 * 16);
}

TEST(CallBudget, AllChecksOfACallShareIt) {
  TwoClocks clock;
  CallBudget budget(clock, kBudgetUs);
  StopCheck first(&clock, 0, nullptr, {}, &budget);
  EXPECT_FALSE(first.expired());
  for (uint32_t used = 0; used < 3 * kBudgetUs / 4; used += 10) {
    clock.work(10);
    EXPECT_FALSE(first.expired());
  }
  StopCheck second(&clock, 0, nullptr, {}, &budget);
  clock.work(kBudgetUs / 2);
  EXPECT_TRUE(second.expired());
  EXPECT_TRUE(first.expired() && first.out_of_budget());
}

TEST(CallBudget, APieceThatDoesNotFitIsNotBegun) {
  TwoClocks clock;
  CallBudget budget(clock, kBudgetUs);
  StopCheck stop(&clock, 0, nullptr, {}, &budget);
  EXPECT_FALSE(stop.out_of_budget_within(kBudgetUs * 1000 / 2));
  clock.work(kBudgetUs / 2);
  EXPECT_FALSE(stop.out_of_budget_within(kBudgetUs * 1000 / 4));
  EXPECT_TRUE(stop.out_of_budget_within(kBudgetUs * 1000));
  EXPECT_TRUE(stop.stopped() && budget.ended());
  StopCheck without(&clock, 0);
  EXPECT_FALSE(without.out_of_budget_within(UINT32_MAX));
}

TEST(CallBudget, TimeoutAndTokenApplyInAddition) {
  TwoClocks clock;
  CancelTable cancels;
  CallBudget budget(clock, kBudgetUs);
  StopCheck timed(&clock, 20, &cancels, {7}, &budget);
  StopCheck named(&clock, 0, &cancels, {7}, &budget);
  EXPECT_FALSE(timed.expired() || named.expired());
  clock.work(30);
  EXPECT_TRUE(timed.expired() && timed.timed_out());
  EXPECT_FALSE(named.expired());
  cancels.cancel(7);
  EXPECT_TRUE(named.expired() && named.cancelled());
  EXPECT_FALSE(timed.out_of_budget() || named.out_of_budget() || budget.ended());
}

TEST(CallBudget, TheLargestValueIsNoOverflow) {
  TwoClocks clock;
  CallBudget budget(clock, UINT64_MAX);
  StopCheck stop(&clock, 0, nullptr, {}, &budget);
  EXPECT_FALSE(stop.expired());
  clock.work(1'000'000'000);
  EXPECT_FALSE(stop.expired());
}

}  // namespace quarry::call_budget_test
