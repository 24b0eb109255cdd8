// When work has to stop: by its timeout, by a deadline, by a cancelled token.
#include "base/stop_check.h"

#include "testing/counting_clock.h"
#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::stop_check_test {

using testing::CountingClock;
using testing::ManualClock;

TEST(StopCheck, StepsLookOnceForManyOfThem) {
  const CountingClock clock;
  StopCheck stop(&clock, CountingClock::kTimeoutUs);
  const uint64_t before = clock.looks();
  for (uint32_t i = 0; i < 10 * StopCheck::kStepsPerLook; i++) EXPECT_FALSE(stop.step());
  EXPECT_EQ(clock.looks() - before, 10);
  EXPECT_FALSE(stop.step(5 * StopCheck::kStepsPerLook));
  EXPECT_EQ(clock.looks() - before, 11);
}

TEST(StopCheck, WhatItHasFoundStays) {
  const CountingClock clock(1);
  StopCheck stop(&clock, CountingClock::kTimeoutUs);
  EXPECT_FALSE(stop.stopped());
  EXPECT_TRUE(stop.expired());
  const uint64_t looks = clock.looks();
  EXPECT_TRUE(stop.step() && stop.expired() && stop.stopped() && stop.timed_out());
  EXPECT_FALSE(stop.cancelled());
  EXPECT_EQ(clock.looks(), looks);
}

TEST(StopCheck, TheEarlierOfTimeoutAndDeadlineCounts) {
  ManualClock clock;
  const auto now_us = static_cast<uint64_t>(clock.steady_ns() / 1000);
  CancelTable cancels;
  StopCheck by_timeout(&clock, 5000, &cancels, {0, now_us + 9000});
  StopCheck by_deadline(&clock, 9000, &cancels, {0, now_us + 5000});
  StopCheck no_limit(&clock, 0, &cancels, {});
  EXPECT_FALSE(by_timeout.expired() || by_deadline.expired());
  clock.advance_ms(6);
  EXPECT_TRUE(by_timeout.expired() && by_deadline.expired());
  EXPECT_FALSE(no_limit.expired());
}

TEST(StopCheck, OnlyItsOwnTokenCancelsIt) {
  CancelTable cancels;
  const ManualClock clock;
  StopCheck one(&clock, 0, &cancels, {7, 0});
  StopCheck other(&clock, 0, &cancels, {8, 0});
  StopCheck unnamed(&clock, 0, &cancels, {});
  cancels.cancel(7);
  EXPECT_TRUE(one.expired() && one.cancelled());
  EXPECT_FALSE(one.timed_out());
  EXPECT_FALSE(other.expired() || unnamed.expired());
}

TEST(StopCheck, ATokenThatSharesItsSlotIsForgottenByALaterOne) {
  CancelTable cancels;
  cancels.cancel(7);
  cancels.cancel(7 + CancelTable::kSlots);
  EXPECT_FALSE(cancels.is_cancelled(7));
  EXPECT_TRUE(cancels.is_cancelled(7 + CancelTable::kSlots));
}

}  // namespace quarry::stop_check_test
