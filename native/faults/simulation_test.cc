// Runs the simulation for a few seconds; `npm run test:faults` runs new seeds. Seeds that found a
// fault are kept here.
#include "faults/simulation.h"

#include <string>
#include <vector>

#include "faults/kill_walk.h"
#include "testing/test.h"

namespace quarry::faults::simulation_test {

std::string finding_of(uint64_t seed) {
  Plan plan;
  plan.seed = seed;
  const Report report = simulate(plan);
  return report.finding.empty() ? "" : "--seed " + std::to_string(seed) + ": " + report.finding;
}

TEST(Faults, NothingAcknowledgedIsLostInSeededRuns) {
  for (uint64_t seed = 100000; seed < 100060; seed++) EXPECT_EQ(finding_of(seed), "");
}

TEST(Faults, ASeedReplaysStepByStep) {
  Plan plan;
  plan.seed = 7;
  std::vector<std::string> first;
  std::vector<std::string> second;
  plan.trace = [&first](const std::string& what) { first.push_back(what); };
  const Report report = simulate(plan);
  plan.trace = [&second](const std::string& what) { second.push_back(what); };
  EXPECT_EQ(simulate(plan).trace_hash, report.trace_hash);
  EXPECT_TRUE(first == second);
  EXPECT_GT(first.size(), 100);
}

TEST(Faults, TheProcessMayEndAtEveryKindOfOperationAndAgainInTheStartThatFollows) {
  const WalkReport report = walk(22, 97);
  EXPECT_EQ(report.finding, "");
  EXPECT_GT(report.singles, 80);
  EXPECT_GT(report.pairs, 40);
  for (const char* point : {"append log",
                            "sync log",
                            "log rotation",
                            "remove log",
                            "sync dir wal",
                            "checkpoint begun",
                            "append seg.data",
                            "sync seg.ids",
                            "sync dir shard",
                            "before segment publish",
                            "after segment publish",
                            "before manifest switch",
                            "rename MANIFEST.tmp",
                            "after manifest switch",
                            "before merge swap",
                            "after merge swap",
                            "remove seg.data",
                            "old segments deleted",
                            "rename META.tmp",
                            "rename index.new",
                            "sync dir indices"}) {
    if (!report.points.contains(point)) EXPECT_EQ(std::string(point), "met");
  }
}

// Each of these seeds found the fault that the name of the test describes.

TEST(FaultSeeds, AnIndexInADataFolderWhoseOwnNameWasNotSynced) { EXPECT_EQ(finding_of(1), ""); }

TEST(FaultSeeds, AFailedSyncOfAFolderEndsWritesAsOneOfTheLogDoes) {
  EXPECT_EQ(finding_of(128), "");
  EXPECT_EQ(finding_of(239), "");
  EXPECT_EQ(finding_of(446), "");
}

TEST(FaultSeeds, AFolderAboveTheDataThatCannotBeSynced) { EXPECT_EQ(finding_of(1911), ""); }

TEST(FaultSeeds, AnIndexMadeByAProcessThatWasKilledBeforeItHadSyncedItsName) {
  EXPECT_EQ(finding_of(1851), "");
}

TEST(FaultSeeds, AManifestRenamedByAProcessThatWasKilledBeforeItHadSyncedItsName) {
  EXPECT_EQ(finding_of(2338), "");
}

TEST(FaultSeeds, ALogFileWithoutAHeaderThatIsFollowedByAnotherOne) {
  EXPECT_EQ(finding_of(7517), "");
}

}  // namespace quarry::faults::simulation_test
