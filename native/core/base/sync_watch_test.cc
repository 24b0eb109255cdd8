// What counts as a failed sync, and that the first failure is kept.
#include "base/sync_watch.h"

#include <string>

#include "testing/fault_file_system.h"
#include "testing/test.h"

namespace quarry::sync_watch_test {

using testing::DiskOp;
using testing::DiskVerdict;
using testing::FaultFileSystem;

/// The status of the watch after one file and its folder were synced, with `verdict` for the
/// operation `op`.
Status after(DiskOp op, DiskVerdict verdict) {
  FaultFileSystem disk;
  SyncWatch watch(disk);
  EXPECT_OK(watch.create_dirs("/d"));
  disk.set_script([op, verdict](const testing::DiskEvent& event) {
    return event.op == op ? verdict : DiskVerdict::kGo;
  });
  auto file = watch.create("/d/f");
  if (file.ok()) {
    static_cast<void>((*file)->append(as_bytes("text")));
    static_cast<void>((*file)->sync());
  }
  static_cast<void>(watch.sync_file("/d/f"));
  static_cast<void>(watch.sync_dir("/d"));
  return watch.failure();
}

TEST(SyncWatch, KeepsTheFailedSyncOfAFileOrAFolder) {
  EXPECT_NE(after(DiskOp::kSync, DiskVerdict::kFail).reason().find("/d/f"), std::string::npos);
  EXPECT_NE(after(DiskOp::kSyncFile, DiskVerdict::kFail).reason().find("/d/f"), std::string::npos);
  EXPECT_NE(after(DiskOp::kSyncDir, DiskVerdict::kFail).reason().find("/d"), std::string::npos);
  EXPECT_FALSE(after(DiskOp::kSyncDir, DiskVerdict::kFull).ok());
}

TEST(SyncWatch, PassesOverWhatIsNoFailedSync) {
  EXPECT_OK(after(DiskOp::kList, DiskVerdict::kGo));
  EXPECT_OK(after(DiskOp::kSync, DiskVerdict::kFull));
  EXPECT_OK(after(DiskOp::kAppend, DiskVerdict::kFail));
  FaultFileSystem disk;
  SyncWatch watch(disk);
  EXPECT_FALSE(watch.sync_dir("/dropped").ok());
  EXPECT_OK(watch.failure());
}

}  // namespace quarry::sync_watch_test
