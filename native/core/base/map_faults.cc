#include "base/map_faults.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

namespace quarry {
namespace {

/// As many mappings as Linux lets a process have (vm.max_map_count). One more would only not be watched.
constexpr size_t kPlaces = 65536;
constexpr size_t kNoPlace = kPlaces;
/// Of a place that is taken, but not filled in yet. No address.
constexpr uintptr_t kTaken = 1;
constexpr uint64_t kSound = 0;
/// As many bad places are remembered one by one; with more, all are looked at.
constexpr size_t kBadPlaces = 64;

/// Read by the handler, so all of it is lock-free. `begin` 0: free. A place that a thread faults in does not change
/// meanwhile, because that thread keeps the mapping alive; one that does change holds no address that could fault.
struct Place {
  std::atomic<uintptr_t> begin{0};
  std::atomic<size_t> size{0};
  std::atomic<uint64_t> fault{kSound};  // else 1 + where it could not be read for the first time
  std::atomic<const std::string*> path{nullptr};

  bool holds(uintptr_t address) const {
    const uintptr_t from = begin.load();
    return from > kTaken && address >= from && address - from < size.load() && begin.load() == from;
  }
};
static_assert(std::atomic<uintptr_t>::is_always_lock_free && std::atomic<uint64_t>::is_always_lock_free);

/// What a signal handler works with cannot be handed to it, so this is the one table of the process. Untouched pages of it
/// take no memory.
struct Table {
  std::array<Place, kPlaces> places{};
  std::atomic<size_t> used{0};  // no place from here on was ever taken
  std::atomic<size_t> next{0};  // where to look for a free one first
  std::atomic<uint64_t> listed{0};
  /// Places of the first faults. Some may be another mapping's by now. Who sees zeros sees the entry, because the thread that
  /// put the zeros there had made it before.
  std::array<std::atomic<size_t>, kBadPlaces> bad{};
};
constinit Table table;
constinit struct sigaction before {};

size_t take_place() {
  const size_t start = table.next.load(std::memory_order_relaxed);
  for (size_t i = 0; i < kPlaces; i++) {
    const size_t place = (start + i) % kPlaces;
    uintptr_t free = 0;
    if (!table.places[place].begin.compare_exchange_strong(free, kTaken)) continue;
    table.next.store((place + 1) % kPlaces, std::memory_order_relaxed);
    size_t used = table.used.load();
    while (used <= place && !table.used.compare_exchange_weak(used, place + 1)) {
    }
    return place;
  }
  return kNoPlace;
}

Place* place_of(uintptr_t address) {
  const size_t used = table.used.load();
  for (size_t i = 0; i < used; i++) {
    if (table.places[i].holds(address)) return &table.places[i];
  }
  return nullptr;
}

/// The place of a mapping, should it be a bad one; another may be null.
Place* bad_place_of(uintptr_t address) {
  const uint64_t count = table.listed.load();
  if (count > kBadPlaces) return place_of(address);
  for (size_t i = 0; i < count; i++) {
    Place& place = table.places[table.bad[i].load()];
    if (place.holds(address)) return &place;
  }
  return nullptr;
}

/// The system call itself where there is one of that name: it is safe in a handler, and tools that watch the library's mmap
/// do not take it for a write that readers of other pages race with.
void* map_zeros(void* at, size_t bytes) {
  constexpr int kFlags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#if defined(__linux__) && defined(SYS_mmap)
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, bytes, long{PROT_READ}, long{kFlags}, -1L, 0L));
#else
  return mmap(at, bytes, PROT_READ, kFlags, -1, 0);
#endif
}

/// Zeros from the page that cannot be read to the end: behind a cut there is nothing more, and page by page a large file
/// would use up the mappings that a process may have. The mark comes first: who sees zeros can see it.
bool put_zeros(Place& place, uintptr_t address) {
  const uintptr_t begin = place.begin.load();
  uint64_t sound = kSound;
  place.fault.compare_exchange_strong(sound, address - begin + 1);
  const uint64_t listed = table.listed.fetch_add(1);
  if (listed < kBadPlaces) table.bad[listed].store(static_cast<size_t>(&place - table.places.data()));
  const auto page_size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t page = address - address % page_size;
  void* const at = reinterpret_cast<void*>(page);
  return map_zeros(at, begin + place.size.load() - page) == at;
}

/// As if there were no handler of ours: the next one's turn, or the end when the instruction is tried again.
void pass_on(int signal, siginfo_t* info, void* context) {
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN && before.sa_handler != nullptr) {
    before.sa_handler(signal);
  } else {
    struct sigaction fallback {};
    fallback.sa_handler = SIG_DFL;
    sigaction(signal, &fallback, nullptr);
  }
}

/// Only what may be called in a handler: atomics, and mmap, which is a system call and nothing else.
void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  Place* const place = place_of(reinterpret_cast<uintptr_t>(info->si_addr));
  const bool handled = place != nullptr && put_zeros(*place, reinterpret_cast<uintptr_t>(info->si_addr));
  errno = error;
  if (!handled) pass_on(signal, info, context);
}

/// Whoever asks keeps the mapping, and with it the path. `offset`: where it showed.
Status damage_of(const Place& place, uint64_t offset) {
  const std::string& path = *place.path.load();
  const uint64_t size = place.size.load();
  struct stat info {};
  const bool found = stat(path.c_str(), &info) == 0;
  const uint64_t now = found ? static_cast<uint64_t>(info.st_size) : size;
  std::string reason = "[" + path + "], offset " + std::to_string(std::min(offset, now)) + ": ";
  if (now < size) {
    reason += "the file was cut from " + std::to_string(size) + " to " + std::to_string(now) +
              " bytes while it was in use";
  } else if (offset < size) {
    reason += "the disk does not give this page any more";
  } else {
    reason += "the file was changed while it was in use";
  }
  return {ErrorType::kCorrupt, std::move(reason)};
}

}  // namespace

WatchedMap::WatchedMap(const void* begin, size_t size, std::string path)
    : path_(std::move(path)), place_(take_place()) {
  if (place_ == kNoPlace) return;
  Place& place = table.places[place_];
  place.size.store(size);
  place.fault.store(kSound);
  place.path.store(&path_);
  place.begin.store(reinterpret_cast<uintptr_t>(begin));
}

WatchedMap::~WatchedMap() {
  if (place_ != kNoPlace) table.places[place_].begin.store(0);
}

Status sound_map(Bytes mapped) {
  if (table.listed.load() == 0 || mapped.empty()) return {};
  const Place* const place = bad_place_of(reinterpret_cast<uintptr_t>(mapped.data()));
  if (place == nullptr || place->fault.load() == kSound) return {};
  return damage_of(*place, place->fault.load() - 1);
}

Status cut_map(Bytes mapped) {
  QUARRY_RETURN_IF_ERROR(sound_map(mapped));
  const Place* const place = place_of(reinterpret_cast<uintptr_t>(mapped.data()));
  if (place != nullptr) return damage_of(*place, place->size.load());
  return {ErrorType::kCorrupt, "a file was changed while it was in use"};
}

uint64_t map_fault_count() { return table.listed.load(); }

Status catch_map_faults() {
  static std::once_flag once;
  Status status;
  std::call_once(once, [&status] {
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGBUS, &action, &before) == 0) return;
    status = {ErrorType::kStore, std::string("failed to handle SIGBUS: ") + std::strerror(errno)};
  });
  return status;
}

}  // namespace quarry
