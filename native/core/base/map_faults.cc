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

/// The default of Linux's vm.max_map_count, the limit of mappings of a process. Further mappings
/// would not be watched.
constexpr size_t kPlaces = 65536;
constexpr size_t kNoPlace = kPlaces;
/// Value of `begin` while a place is taken but not filled in; not a valid address.
constexpr uintptr_t kTaken = 1;
constexpr uint64_t kSound = 0;
/// This many bad places are stored individually; with more, the whole table is searched.
constexpr size_t kBadPlaces = 64;

/// Read by the signal handler, so all members are lock-free. `begin` 0: free. The place of a
/// faulting address does not change meanwhile, because the faulting thread keeps the mapping alive;
/// a place that is being changed contains no address that can fault.
struct Place {
  std::atomic<uintptr_t> begin{0};
  std::atomic<size_t> size{0};
  std::atomic<uint64_t> fault{kSound};  // else 1 + offset of the first failed read
  std::atomic<const std::string*> path{nullptr};

  bool holds(uintptr_t address) const {
    const uintptr_t from = begin.load();
    return from > kTaken && address >= from && address - from < size.load() && begin.load() == from;
  }
};
static_assert(std::atomic<uintptr_t>::is_always_lock_free &&
              std::atomic<uint64_t>::is_always_lock_free);

/// The table is global, because a signal handler cannot be given an argument. Untouched pages of it
/// take no memory.
struct Table {
  std::array<Place, kPlaces> places{};
  std::atomic<size_t> used{0};  // no place from here on was ever taken
  std::atomic<size_t> next{0};  // where to search first for a free place
  std::atomic<uint64_t> listed{0};
  /// Places of the first faults; some may belong to another mapping by now. A thread that sees
  /// zeros also sees the entry, because the entry is stored before the zeros are mapped.
  std::array<std::atomic<size_t>, kBadPlaces> bad{};
};
constinit Table table;
constinit struct sigaction before{};

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

/// The place of a mapping if it is in the list of bad places; otherwise null or a place without a
/// fault.
Place* bad_place_of(uintptr_t address) {
  const uint64_t count = table.listed.load();
  if (count > kBadPlaces) return place_of(address);
  for (size_t i = 0; i < count; i++) {
    Place& place = table.places[table.bad[i].load()];
    if (place.holds(address)) return &place;
  }
  return nullptr;
}

/// Uses the system call directly where possible: it is safe in a handler, and tools that intercept
/// the library's mmap do not report it as a race with readers of other pages.
void* map_zeros(void* at, size_t bytes) {
  constexpr int kFlags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#if defined(__linux__) && defined(SYS_mmap)
  return reinterpret_cast<void*>(
      syscall(SYS_mmap, at, bytes, long{PROT_READ}, long{kFlags}, -1L, 0L));
#else
  return mmap(at, bytes, PROT_READ, kFlags, -1, 0);
#endif
}

/// Maps zeros from the unreadable page to the end of the mapping: after a cut there is no more
/// content, and replacing single pages of a large file would use up the mappings of the process.
/// The mark is set first, so that a thread that sees zeros can see the mark.
bool put_zeros(Place& place, uintptr_t address) {
  const uintptr_t begin = place.begin.load();
  uint64_t sound = kSound;
  place.fault.compare_exchange_strong(sound, address - begin + 1);
  const uint64_t listed = table.listed.fetch_add(1);
  if (listed < kBadPlaces)
    table.bad[listed].store(static_cast<size_t>(&place - table.places.data()));
  const auto page_size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t page = address - address % page_size;
  void* const at = reinterpret_cast<void*>(page);
  return map_zeros(at, begin + place.size.load() - page) == at;
}

/// Behaves as if this handler did not exist: calls the previous handler, or restores the default
/// action, which ends the process when the instruction is repeated.
void pass_on(int signal, siginfo_t* info, void* context) {
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN &&
             before.sa_handler != nullptr) {
    before.sa_handler(signal);
  } else {
    struct sigaction fallback{};
    fallback.sa_handler = SIG_DFL;
    sigaction(signal, &fallback, nullptr);
  }
}

/// Uses only operations that are allowed in a handler: atomics, and mmap, which is a plain system
/// call.
void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  Place* const place = place_of(reinterpret_cast<uintptr_t>(info->si_addr));
  const bool handled =
      place != nullptr && put_zeros(*place, reinterpret_cast<uintptr_t>(info->si_addr));
  errno = error;
  if (!handled) pass_on(signal, info, context);
}

/// The caller keeps the mapping, and thereby the path, alive. `offset`: where the fault was found.
Status damage_of(const Place& place, uint64_t offset) {
  const std::string& path = *place.path.load();
  const uint64_t size = place.size.load();
  struct stat info{};
  const bool found = stat(path.c_str(), &info) == 0;
  const uint64_t now = found ? static_cast<uint64_t>(info.st_size) : size;
  std::string reason = "[" + path + "], offset " + std::to_string(std::min(offset, now)) + ": ";
  if (now < size) {
    reason += "the file was cut from " + std::to_string(size) + " to " + std::to_string(now) +
              " bytes while it was in use";
  } else if (offset < size) {
    reason += "the disk cannot read this page any more";
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
    struct sigaction action{};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGBUS, &action, &before) == 0) return;
    status = {ErrorType::kStore, std::string("failed to handle SIGBUS: ") + std::strerror(errno)};
  });
  return status;
}

}  // namespace quarry
