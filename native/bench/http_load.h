// HTTP clients of a benchmarked server: connections that stay open, each with one request at a
// time, on one thread. The time that a client spends on a request would be measured as the server's
// time; this one makes two or three system calls and only searches for the end of the response.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace quarry::bench {

/// Returns a file descriptor of a stream to the server, which the caller owns; negative: no
/// connection.
using Connect = std::function<int()>;

struct LoadOrder {
  std::vector<std::string> requests;  // complete bytes, sent in turn and repeatedly
  uint64_t count = 0;                 // requests to start; 0: no limit
  std::chrono::milliseconds span{0};  // time in which requests start; 0: no limit
};

struct LoadResult {
  std::vector<double> microseconds;  // per request, from its first byte sent to its last received
  double seconds = 0;
  uint64_t failed = 0;  // responses with a status of 300 or more
  std::string error;    // the reason for an abort; empty: none
};

/// Connections to one server. They stay open after a run; one that the server closed while it was
/// idle is opened again, once.
class HttpLoad {
 public:
  HttpLoad(uint32_t connections, Connect connect);
  ~HttpLoad();
  HttpLoad(const HttpLoad&) = delete;
  HttpLoad& operator=(const HttpLoad&) = delete;

  /// A server that sends nothing for half a minute, or sends anything but HTTP, aborts the run;
  /// later runs use new connections.
  LoadResult run(const LoadOrder& order);

 private:
  class Connection;
  class Run;

  Connect connect_;
  int epoll_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

}  // namespace quarry::bench
