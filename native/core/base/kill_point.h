// Points at which a test may end the process. Most moments that matter are calls of the file layer, which a test sees
// by itself; these lie between them. Builds for tests define QUARRY_KILL_POINTS for the files that name points
// (CMakeLists.txt); the addon has none of it.
#pragma once

#ifdef QUARRY_KILL_POINTS

#include <string_view>

namespace quarry {

class FileSystem;

/// Whoever links the tests' file system has it (testing/fault_file_system.cc).
__attribute__((weak)) void kill_point(FileSystem& files, std::string_view name);

}  // namespace quarry

#define QUARRY_KILL_POINT(files, name) \
  static_cast<void>(::quarry::kill_point != nullptr && (::quarry::kill_point(files, name), true))

#else

#define QUARRY_KILL_POINT(files, name) static_cast<void>(0)

#endif
