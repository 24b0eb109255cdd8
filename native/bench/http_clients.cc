// A process of HTTP clients for benchmarks: reads orders from its input and executes each over
// connections that stay open.
//
//   order:     `ADDRESS PORT CLIENTS COUNT MILLISECONDS REQUESTS\n`, and for each request
//              `BYTES\n` and that number of bytes. The address is IPv4. A COUNT or MILLISECONDS
//              of 0 is no limit, but only one of them may be 0.
//   response:  `done REQUESTS SECONDS FAILED\n` and a little-endian double for every request,
//              its microseconds; or `error TEXT\n`.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <iostream>
#include <map>
#include <string>
#include <tuple>

#include "bench/http_load.h"

namespace quarry::bench {
namespace {

struct Server {
  std::string address;
  uint16_t port = 0;
  uint32_t clients = 0;

  bool operator<(const Server& other) const {
    return std::tie(address, port, clients) < std::tie(other.address, other.port, other.clients);
  }
};

int connect_to(const Server& server) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(server.port);
  if (inet_pton(AF_INET, server.address.c_str(), &to.sin_addr) != 1) return -1;
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return fd;
  close(fd);
  return -1;
}

/// False at the end of the input, or if it contains no valid order.
bool read_order(std::istream& in, Server& server, LoadOrder& order) {
  uint64_t milliseconds = 0;
  size_t requests = 0;
  in >> server.address >> server.port >> server.clients >> order.count >> milliseconds >> requests;
  order.span = std::chrono::milliseconds(milliseconds);
  const bool is_bounded = order.count > 0 || milliseconds > 0;
  if (!in || server.clients == 0 || requests == 0 || !is_bounded) return false;
  for (size_t i = 0; i < requests && in; ++i) {
    size_t bytes = 0;
    in >> bytes;
    in.get();
    std::string& request = order.requests.emplace_back(in ? bytes : 0, '\0');
    in.read(request.data(), static_cast<std::streamsize>(request.size()));
  }
  return static_cast<bool>(in);
}

void write_result(std::ostream& out, const LoadResult& result) {
  if (!result.error.empty()) {
    out << "error " << result.error << '\n' << std::flush;
    return;
  }
  const auto& times = result.microseconds;
  out << "done " << times.size() << ' ' << result.seconds << ' ' << result.failed << '\n';
  out.write(reinterpret_cast<const char*>(times.data()),
            static_cast<std::streamsize>(times.size() * sizeof(double)));
  out.flush();
}

int carry_out_orders() {
  std::map<Server, HttpLoad> loads;
  while (std::cin.peek() != std::char_traits<char>::eof()) {
    Server server;
    LoadOrder order;
    if (!read_order(std::cin, server, order)) {
      std::cerr << "this is no order\n";
      return 2;
    }
    const auto connect = [server] { return connect_to(server); };
    HttpLoad& load = loads.try_emplace(server, server.clients, connect).first->second;
    write_result(std::cout, load.run(order));
  }
  return 0;
}

}  // namespace
}  // namespace quarry::bench

int main() {
  std::ios::sync_with_stdio(false);
  return quarry::bench::carry_out_orders();
}
