// Clients of a server that is measured: connections that stay open, each with one request at a time, from one thread. What a client
// spends on a request would be taken for the server's time; this one makes two or three system calls and reads on to the answer's end.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace quarry::bench {

/// A file descriptor of a stream to the server, which the receiver owns; negative: there is no connection to be had.
using Connect = std::function<int()>;

struct LoadOrder {
  std::vector<std::string> requests;  // as they are sent; asked in turn, from the first again behind the last
  uint64_t count = 0;                 // requests that begin; 0: any number
  std::chrono::milliseconds span{0};  // in which they begin; 0: as long as it takes
};

struct LoadResult {
  std::vector<double> microseconds;  // of every request, from before its first byte left until its last had come
  double seconds = 0;
  uint64_t failed = 0;  // answered with a status of 300 or more
  std::string error;    // why it broke off; empty: it did not
};

/// Connections to one server. They outlive a run; one that the server closed while it rested is made anew, once.
class HttpLoad {
 public:
  HttpLoad(uint32_t connections, Connect connect);
  ~HttpLoad();
  HttpLoad(const HttpLoad&) = delete;
  HttpLoad& operator=(const HttpLoad&) = delete;

  /// A server that says nothing for half a minute, or no HTTP, breaks it off; the connections are new ones after that.
  LoadResult run(const LoadOrder& order);

 private:
  class Connection;
  class Run;

  Connect connect_;
  int epoll_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

}  // namespace quarry::bench
