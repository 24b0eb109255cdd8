// Files and folders on the real operating system.
#include "base/file.h"

#include <sys/stat.h>

#include "testing/temp_dir.h"
#include "testing/test.h"

namespace quarry::file_test {

mode_t mode_of(const std::string& path) {
  struct stat info{};
  EXPECT_EQ(::stat(path.c_str(), &info), 0);
  return info.st_mode & 07777;
}

TEST(File, WhatIsMadeIsForItsOwnerAloneWhateverTheUmask) {
  const testing::TempDir dir;
  const auto files = make_posix_file_system();
  const mode_t before = ::umask(0);
  ASSERT_OK(files->create_dirs(dir.file("a/b/c")));
  ASSERT_OK(files->create(dir.file("a/file")).status());
  ASSERT_OK(files->lock(dir.file("a/lock")).status());
  ASSERT_OK(files->write_atomically(dir.file("a/whole"), {}));
  ::umask(before);
  for (const char* folder : {"a", "a/b", "a/b/c"})
    EXPECT_EQ(mode_of(dir.file(folder)), mode_t{0700});
  for (const char* file : {"a/file", "a/lock", "a/whole"})
    EXPECT_EQ(mode_of(dir.file(file)), mode_t{0600});
}

TEST(File, TheModeOfAFolderThatExistsIsLeftAsItIs) {
  const testing::TempDir dir;
  const auto files = make_posix_file_system();
  ASSERT_EQ(::chmod(dir.path().c_str(), 0750), 0);
  ASSERT_OK(files->create_dirs(dir.path()));
  ASSERT_OK(files->create_dirs(dir.path() + "/"));
  EXPECT_EQ(mode_of(dir.path()), mode_t{0750});
}

TEST(File, AFileInTheWayOfAFolderIsAnError) {
  const testing::TempDir dir;
  const auto files = make_posix_file_system();
  ASSERT_OK(files->create(dir.file("file")).status());
  EXPECT_TRUE(!files->create_dirs(dir.file("file")).ok());
  EXPECT_TRUE(!files->create_dirs(dir.file("file/below")).ok());
}

}  // namespace quarry::file_test
