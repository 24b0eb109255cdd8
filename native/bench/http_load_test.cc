// Tests of the benchmark clients: finding the end of a response regardless of its arrival in
// pieces, and reconnecting after the server closes a connection.
#include "bench/http_load.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/http_answer.h"
#include "testing/test.h"

namespace quarry::bench::http_load_test {

using State = AnswerReader::State;

constexpr std::string_view kPlain = "HTTP/1.1 201 Created\r\nContent-Length:  4 \r\n\r\nbody";
constexpr std::string_view kChunks =
    "HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n"
    "4;x=1\r\nbody\r\n5\r\n0\r\n\r\n\r\n0\r\n\r\n";

struct Answer {
  std::string text;
  bool hangs_up = false;
};

/// Answers each request of `request` bytes with one of `answers` in turn, byte by byte.
class Server {
 public:
  Server(size_t request, std::vector<Answer> answers)
      : request_(request), answers_(std::move(answers)) {}
  ~Server() {
    for (std::thread& thread : threads_) thread.join();
  }

  int connect() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return -1;
    ++connections;
    threads_.emplace_back([this, fd = ends[1]] { answer(fd); });
    return ends[0];
  }

  std::atomic<int> connections = 0;

 private:
  void answer(int fd) {
    std::string buffer(request_, '\0');
    size_t have = 0;
    while (true) {
      const ssize_t n = read(fd, buffer.data(), request_ - have);
      if (n <= 0) break;
      have += static_cast<size_t>(n);
      if (have < request_) continue;
      have = 0;
      const Answer& answer = answers_[next_++ % answers_.size()];
      for (const char c : answer.text) {
        if (send(fd, &c, 1, MSG_NOSIGNAL) != 1) break;
      }
      if (answer.hangs_up) break;
    }
    close(fd);
  }

  size_t request_;
  std::vector<Answer> answers_;
  std::atomic<size_t> next_ = 0;
  std::vector<std::thread> threads_;
};

LoadOrder order_of(std::vector<std::string> requests, uint64_t count) {
  LoadOrder order;
  order.requests = std::move(requests);
  order.count = count;
  return order;
}

TEST(HttpAnswer, EndsWhereItsLengthOrItsLastChunkDoes) {
  for (const auto& [text, status] : {std::pair{kPlain, 201}, std::pair{kChunks, 404}}) {
    AnswerReader reader;
    for (size_t cut = 0; cut < text.size(); ++cut) {
      reader.reset();
      EXPECT_TRUE(reader.empty());
      if (cut > 0) EXPECT_TRUE(reader.take(text.substr(0, cut)) == State::kMore);
      EXPECT_TRUE(reader.take(text.substr(cut)) == State::kWhole);
      EXPECT_EQ(reader.status(), status);
    }
    reader.reset();
    for (size_t at = 0; at + 1 < text.size(); ++at) {
      EXPECT_TRUE(reader.take(text.substr(at, 1)) == State::kMore);
    }
    EXPECT_TRUE(reader.take(text.substr(text.size() - 1)) == State::kWhole);
    EXPECT_TRUE(reader.take("x") == State::kBroken);
  }
}

TEST(HttpAnswer, WithoutABodyEndsWithItsHead) {
  AnswerReader reader;
  EXPECT_TRUE(reader.take("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n") == State::kWhole);
}

TEST(HttpAnswer, ThatIsNoneIsBroken) {
  for (const std::string_view text : {
           std::string_view("SSH-2.0-OpenSSH\r\n\r\n"),
           std::string_view("HTTP/1.1 2x0 OK\r\ncontent-length: 1\r\n\r\n"),
           std::string_view("HTTP/1.1 100 Continue\r\n\r\n"),
           std::string_view("HTTP/1.1 200 OK\r\n\r\n"),
           std::string_view("HTTP/1.1 200 OK\r\ncontent-length: 4x\r\n\r\n"),
           std::string_view("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\r\n"),
           std::string_view("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n"),
           std::string_view("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\na\r\n"),
           std::string_view("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nab"),
       }) {
    AnswerReader reader;
    EXPECT_TRUE(reader.take(text) == State::kBroken);
    EXPECT_TRUE(reader.take("x") == State::kBroken);
  }
  AnswerReader reader;
  EXPECT_TRUE(reader.take(std::string(70'000, 'x')) == State::kBroken);
}

TEST(HttpLoad, AsksAllRequestsAsOftenAndCountsRefusals) {
  Server server(3, {{std::string(kPlain)}, {std::string(kChunks)}});
  HttpLoad load(4, [&] { return server.connect(); });
  for (int run = 0; run < 2; ++run) {
    const LoadResult result = load.run(order_of({"abc", "def"}, 10));
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(result.microseconds.size(), size_t{10});
    EXPECT_EQ(result.failed, uint64_t{5});
    EXPECT_TRUE(result.seconds > 0);
  }
  EXPECT_EQ(server.connections.load(), 4);
}

TEST(HttpLoad, EndsAfterItsSpan) {
  Server server(1, {{std::string(kPlain)}});
  HttpLoad load(1, [&] { return server.connect(); });
  LoadOrder order = order_of({"a"}, 0);
  order.span = std::chrono::milliseconds(20);
  const LoadResult result = load.run(order);
  EXPECT_EQ(result.error, "");
  EXPECT_TRUE(!result.microseconds.empty());
  EXPECT_TRUE(result.seconds >= 0.02);
}

TEST(HttpLoad, ReconnectsWhenTheServerClosesBetweenRequests) {
  Server server(1, {{std::string(kPlain)}, {"", true}});
  HttpLoad load(1, [&] { return server.connect(); });
  const LoadResult result = load.run(order_of({"a"}, 3));
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.microseconds.size(), size_t{3});
  EXPECT_EQ(server.connections.load(), 3);
}

TEST(HttpLoad, FailsWhereHalfAnAnswerComes) {
  Server server(
      1, {{"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf", true}, {std::string(kPlain)}});
  HttpLoad load(1, [&] { return server.connect(); });
  EXPECT_EQ(load.run(order_of({"a"}, 1)).error, "the server closed a connection");
  EXPECT_EQ(load.run(order_of({"a"}, 1)).error, "");
}

TEST(HttpLoad, FailsWithoutAServer) {
  HttpLoad load(2, [] {
    errno = ECONNREFUSED;
    return -1;
  });
  EXPECT_EQ(load.run(order_of({"a"}, 1)).error, "no connection: Connection refused");
}

TEST(HttpLoad, SendsRequestsLargerThanASocketTakes) {
  const std::string large(4 << 20, 'x');
  Server server(large.size(), {{std::string(kPlain)}});
  HttpLoad load(2, [&] { return server.connect(); });
  const LoadResult result = load.run(order_of({large}, 4));
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.microseconds.size(), size_t{4});
}

}  // namespace quarry::bench::http_load_test
