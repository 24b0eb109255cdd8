#include "bench/http_load.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "bench/http_answer.h"

namespace quarry::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kReadAtOnce = 256 << 10;
constexpr int kPatienceMs = 30'000;
constexpr int kEventsAtOnce = 64;
constexpr int kRefused = 300;

std::string last_error(const char* what) { return std::string(what) + ": " + std::strerror(errno); }

}  // namespace

/// One connection, with the request in progress.
class HttpLoad::Connection {
 public:
  explicit Connection(const HttpLoad& load) : load_(load) {}
  ~Connection() { close(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  enum class Outcome : uint8_t { kWaits, kAnswered, kFailed };

  bool is_asking() const { return request_ != nullptr; }
  double microseconds() const {
    return std::chrono::duration<double, std::micro>(ended_ - began_).count();
  }
  int status() const { return answer_.status(); }
  const std::string& error() const { return error_; }

  Outcome ask(const std::string& request) {
    request_ = &request;
    sent_ = 0;
    answer_.reset();
    began_ = Clock::now();
    may_reconnect_ = fd_ >= 0;
    if (fd_ < 0 && !open()) return fail(last_error("no connection"));
    return send();
  }

  /// Called when the stream is readable, writable, or broken.
  Outcome go_on(std::vector<char>& buffer) {
    if (!is_asking()) return rest();
    if (sent_ < request_->size()) {
      if (const Outcome outcome = send(); outcome != Outcome::kWaits) return outcome;
    }
    return receive(buffer);
  }

  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  bool open() {
    fd_ = load_.connect_();
    if (fd_ < 0) return false;
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = this;
    fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) | O_NONBLOCK);
    return epoll_ctl(load_.epoll_, EPOLL_CTL_ADD, fd_, &event) == 0;
  }

  void watch(uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.ptr = this;
    epoll_ctl(load_.epoll_, EPOLL_CTL_MOD, fd_, &event);
  }

  Outcome send() {
    while (sent_ < request_->size()) {
      const ssize_t n =
          ::send(fd_, request_->data() + sent_, request_->size() - sent_, MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) {
        is_full_ = true;
        watch(EPOLLIN | EPOLLOUT);
        return Outcome::kWaits;
      }
      if (n < 0) return closed();
      sent_ += static_cast<size_t>(n);
    }
    if (is_full_) watch(EPOLLIN);
    is_full_ = false;
    return Outcome::kWaits;
  }

  Outcome receive(std::vector<char>& buffer) {
    const ssize_t n = recv(fd_, buffer.data(), buffer.size(), 0);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return Outcome::kWaits;
    if (n <= 0) return closed();
    switch (answer_.take({buffer.data(), static_cast<size_t>(n)})) {
      case AnswerReader::State::kMore:
        return Outcome::kWaits;
      case AnswerReader::State::kBroken:
        return fail("what the server sends is no answer of HTTP/1.1");
      case AnswerReader::State::kWhole:
        break;
    }
    ended_ = Clock::now();
    request_ = nullptr;
    return Outcome::kAnswered;
  }

  /// Called without a request in progress: the server has closed the connection, or sent bytes
  /// without a request.
  Outcome rest() {
    close();
    return Outcome::kWaits;
  }

  Outcome closed() {
    close();
    if (!may_reconnect_ || !answer_.empty()) return fail("the server closed a connection");
    may_reconnect_ = false;
    sent_ = 0;
    if (!open()) return fail(last_error("no connection"));
    return send();
  }

  Outcome fail(std::string error) {
    error_ = std::move(error);
    request_ = nullptr;
    return Outcome::kFailed;
  }

  const HttpLoad& load_;
  int fd_ = -1;
  const std::string* request_ = nullptr;
  size_t sent_ = 0;
  bool is_full_ = false;
  bool may_reconnect_ = false;
  AnswerReader answer_;
  Clock::time_point began_;
  Clock::time_point ended_;
  std::string error_;
};

/// The execution of one order.
class HttpLoad::Run {
 public:
  Run(HttpLoad& load, const LoadOrder& order) : load_(load), order_(order), buffer_(kReadAtOnce) {}

  LoadResult finish() {
    for (const auto& connection : load_.connections_) next(*connection);
    while (waiting_ > 0 && result_.error.empty()) wait();
    result_.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    return std::move(result_);
  }

 private:
  using Outcome = Connection::Outcome;

  bool more() const {
    if (order_.requests.empty() || (order_.count > 0 && begun_ >= order_.count)) return false;
    return order_.span.count() == 0 || Clock::now() - began_ < order_.span;
  }

  void next(Connection& connection) {
    if (!more()) return;
    ++waiting_;
    take(connection, connection.ask(order_.requests[begun_++ % order_.requests.size()]));
  }

  void take(Connection& connection, Outcome outcome) {
    if (outcome == Outcome::kWaits) return;
    --waiting_;
    if (outcome == Outcome::kFailed) {
      result_.error = connection.error();
      return;
    }
    result_.microseconds.push_back(connection.microseconds());
    if (connection.status() >= kRefused) ++result_.failed;
    next(connection);
  }

  void wait() {
    std::array<epoll_event, kEventsAtOnce> events;
    const int n = epoll_wait(load_.epoll_, events.data(), kEventsAtOnce, kPatienceMs);
    if (n == 0) result_.error = "no answer for half a minute";
    if (n < 0 && errno != EINTR) result_.error = last_error("epoll_wait");
    for (int i = 0; i < n && result_.error.empty(); ++i) {
      Connection& connection = *static_cast<Connection*>(events[static_cast<size_t>(i)].data.ptr);
      take(connection, connection.go_on(buffer_));
    }
  }

  HttpLoad& load_;
  const LoadOrder& order_;
  std::vector<char> buffer_;
  const Clock::time_point began_ = Clock::now();
  uint64_t begun_ = 0;
  uint64_t waiting_ = 0;
  LoadResult result_;
};

HttpLoad::HttpLoad(uint32_t connections, Connect connect)
    : connect_(std::move(connect)), epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  for (uint32_t i = 0; i < connections; ++i) {
    connections_.push_back(std::make_unique<Connection>(*this));
  }
}

HttpLoad::~HttpLoad() {
  connections_.clear();
  if (epoll_ >= 0) close(epoll_);
}

LoadResult HttpLoad::run(const LoadOrder& order) {
  LoadResult result = Run(*this, order).finish();
  if (!result.error.empty()) {
    for (auto& connection : connections_) connection = std::make_unique<Connection>(*this);
  }
  return result;
}

}  // namespace quarry::bench
