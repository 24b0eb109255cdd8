#include "testing/fault_disk.h"

#include <algorithm>
#include <set>
#include <utility>

namespace quarry::testing {
namespace {

constexpr size_t kPageSectors = 8;  // 4 KiB

void change_names(std::map<std::string, DiskNodePtr>& names, const DiskNode::NameChange& change) {
  if (!change.from.empty()) names.erase(change.from);
  if (!change.to.empty()) names[change.to] = change.node;
}

void put_sector(std::vector<uint8_t>& bytes, size_t sector, const DiskNode::Sector& content) {
  const size_t at = sector * DiskNode::kSector;
  if (at >= bytes.size()) return;
  std::copy_n(content.begin(), std::min(DiskNode::kSector, bytes.size() - at),
              bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

/// Called before a sector is first written after a sync.
void DiskNode::keep_old(size_t sector) {
  if (old.contains(sector)) return;
  if (const auto failed = lost.find(sector); failed != lost.end()) {
    old.insert(lost.extract(failed));
    return;
  }
  Sector content{};
  const size_t at = sector * kSector;
  if (at < bytes.size()) {
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                std::min(kSector, bytes.size() - at), content.begin());
  }
  old[sector] = content;
}

void DiskNode::write(size_t at, Bytes content) {
  if (content.empty()) return;
  for (size_t i = at / kSector; i <= (at + content.size() - 1) / kSector; i++) keep_old(i);
  if (at + content.size() > bytes.size()) bytes.resize(at + content.size(), 0);
  std::copy(content.begin(), content.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

void DiskNode::sync() {
  if (folder) {
    if (broken) return;
    for (const NameChange& change : pending) change_names(durable_names, change);
    pending.clear();
    return;
  }
  old.clear();
  durable_size = bytes.size();
}

void DiskNode::fail_sync() {
  broken = true;
  lost.merge(old);
  old.clear();
}

void DiskNode::change(NameChange change) {
  change_names(names, change);
  pending.push_back(std::move(change));
}

void DiskNode::heal() {
  broken = false;
  old.merge(lost);
  lost.clear();
  for (const auto& [name, node] : names) node->heal();
}

uint64_t DiskNode::used() const {
  uint64_t sum = bytes.size();
  for (const auto& [name, node] : names) sum += node->used();
  return sum;
}

/// Keeps any of the changes except those that depend on a lost one: changes of the same name apply
/// in order.
std::map<std::string, DiskNodePtr> DiskNode::surviving_names(Random& random) const {
  std::map<std::string, DiskNodePtr> kept = durable_names;
  std::set<std::string> lost_names;
  const uint64_t mode = random.below(4);  // 0: none, 1: all, else: any
  for (const NameChange& change : pending) {
    const bool builds_on_lost = lost_names.contains(change.from) || lost_names.contains(change.to);
    if (!builds_on_lost && mode != 0 && (mode == 1 || random.below(2) == 0)) {
      change_names(kept, change);
      continue;
    }
    if (!change.from.empty()) lost_names.insert(change.from);
    if (!change.to.empty()) lost_names.insert(change.to);
  }
  return kept;
}

std::vector<uint8_t> DiskNode::surviving_bytes(Random& random) const {
  std::vector<uint8_t> kept = bytes;
  const uint64_t mode = random.below(6);  // 0: nothing new, 1: all, 2: a prefix, else: any
  if (mode == 0 || (mode > 2 && random.below(2) == 0)) {
    kept.resize(durable_size, 0);
  } else if (mode == 2) {
    const size_t more = bytes.size() > durable_size ? bytes.size() - durable_size : 0;
    kept.resize(std::min(bytes.size(), durable_size + random.below(more + 1)));
  }
  const size_t front = mode == 2 ? random.below(bytes.size() / kSector + 2) : 0;
  const size_t unit = random.below(2) == 0 ? 1 : kPageSectors;
  const uint64_t salt = random.next();
  const auto stays = [&](size_t sector) {
    if (mode < 2) return mode == 1;
    if (mode == 2) return sector < front;
    return Random(salt ^ sector / unit).below(2) == 0;
  };
  for (const auto& [sector, content] : old) {
    if (!stays(sector)) put_sector(kept, sector, content);
  }
  for (const auto& [sector, content] : lost) {
    if (mode != 1) put_sector(kept, sector, content);
  }
  return kept;
}

DiskNodePtr DiskNode::after_power_cut(Random& random) const {
  auto next = std::make_shared<DiskNode>();
  next->folder = folder;
  if (folder) {
    for (const auto& [name, node] : surviving_names(random)) {
      next->names[name] = node->after_power_cut(random);
    }
    next->durable_names = next->names;
    return next;
  }
  next->bytes = surviving_bytes(random);
  next->written = next->durable_size = next->bytes.size();
  return next;
}

}  // namespace quarry::testing
