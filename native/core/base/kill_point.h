// Points at which a test can end the process. Tests intercept calls of the file layer without them;
// kill points are for moments between such calls. Test builds define QUARRY_KILL_POINTS for the
// files with kill points (CMakeLists.txt); the addon contains none of them.
#pragma once

#ifdef QUARRY_KILL_POINTS

#include <string_view>

namespace quarry {

class FileSystem;

/// Defined by programs that link the file system of the tests (testing/fault_file_system.cc).
__attribute__((weak)) void kill_point(FileSystem& files, std::string_view name);

}  // namespace quarry

#define QUARRY_KILL_POINT(files, name) \
  static_cast<void>(::quarry::kill_point != nullptr && (::quarry::kill_point(files, name), true))

#else

#define QUARRY_KILL_POINT(files, name) static_cast<void>(0)

#endif
