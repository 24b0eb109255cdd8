#include "engine/catalog/index.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"
#include "base/random.h"
#include "base/routing_hash.h"
#include "engine/catalog/index_spec.h"
#include "engine/catalog/mapping_cache.h"
#include "engine/maintenance/checked_json.h"
#include "shard/manifest.h"

namespace quarry {
namespace {

/// Members that the engine adds to a description. A spec taken from a description may contain them.
constexpr std::array<std::string_view, 4> kOwnMembers = {"number", "uuid", "mappings",
                                                         "mapping_version"};

void drop_own_members(JsonValue& spec) {
  std::erase_if(spec.members(), [](const JsonValue::Member& member) {
    return std::find(kOwnMembers.begin(), kOwnMembers.end(), member.first) != kOwnMembers.end();
  });
}

/// Parses the changed members of a spec, without those that are fixed at creation.
Result<JsonValue> parse_members(std::string_view members_json) {
  QUARRY_ASSIGN_OR_RETURN(JsonValue members, JsonValue::parse(members_json));
  drop_own_members(members);
  std::erase_if(members.members(), [](const JsonValue::Member& member) {
    return member.first == "number_of_shards" || member.first == "name";
  });
  return members;
}

std::string name_of(const JsonValue& spec) {
  const JsonValue* name = spec.find("name");
  return name == nullptr ? std::string() : std::string(name->text());
}

/// 22 characters, as Elasticsearch prints index uuids.
std::string index_uuid() {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  constexpr size_t kLength = 22;
  std::string uuid;
  while (uuid.size() < kLength) {
    uint64_t bits = hash64(random_uuid());
    for (int i = 0; i < 10 && uuid.size() < kLength; i++, bits >>= 6) uuid += kAlphabet[bits & 63];
  }
  return uuid;
}

Status write_synced(FileSystem& files, const std::string& path, Bytes bytes) {
  QUARRY_ASSIGN_OR_RETURN(const std::unique_ptr<WritableFile> file, files.create(path));
  QUARRY_RETURN_IF_ERROR(file->append(bytes));
  QUARRY_RETURN_IF_ERROR(file->sync());
  return file->close();
}

/// The folder is not visible yet: its files need not be replaced atomically, and the caller syncs
/// the directory entries of `dir`.
Status write_new_folder(FileSystem& files, const std::string& dir, size_t shards,
                        const std::string& meta) {
  QUARRY_RETURN_IF_ERROR(files.create_dirs(dir));
  const std::vector<uint8_t> empty = encode_manifest({});
  for (size_t i = 0; i < shards; i++) {
    const std::string shard = dir + "/" + std::to_string(i);
    QUARRY_RETURN_IF_ERROR(files.create_dirs(shard));
    // Files that a restore has put there are kept.
    if (files.exists(shard + "/MANIFEST")) continue;
    QUARRY_RETURN_IF_ERROR(write_synced(files, shard + "/MANIFEST", empty));
    QUARRY_RETURN_IF_ERROR(files.sync_dir(shard));
  }
  const std::string path = dir + "/META";
  QUARRY_RETURN_IF_ERROR(write_synced(files, path, as_bytes(meta)));
  return write_synced(files, copy_path(path), as_bytes(meta));
}

}  // namespace

Index::Index(const NodeServices& node, uint32_t number, std::string uuid, JsonValue spec,
             std::shared_ptr<const Mapping> mapping, std::string dir, uint32_t format)
    : node_(node),
      number_(number),
      uuid_(std::move(uuid)),
      name_(name_of(spec)),
      dir_(std::move(dir)),
      format_(format),
      spec_(std::move(spec)),
      mapping_(std::move(mapping)) {
  const Result<uint32_t> count = read_shard_count(spec_);
  for (uint32_t i = 0; count.ok() && i < *count; i++) {
    shards_.push_back(
        std::make_unique<Shard>(node_, *this, number_, i, dir_ + "/" + std::to_string(i)));
  }
}

Result<std::shared_ptr<Index>> Index::create(const NodeServices& node, uint32_t number,
                                             std::string_view spec_json, const std::string& dir,
                                             const std::string& final_dir) {
  QUARRY_ASSIGN_OR_RETURN(JsonValue spec, JsonValue::parse(spec_json));
  const JsonValue* name = spec.find("name");
  if (name == nullptr || !name->is_string() || name->text().empty()) {
    return Status(ErrorType::kIllegalArgument, "an index needs a [name]");
  }
  QUARRY_RETURN_IF_ERROR(read_shard_count(spec).status());
  QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<const Mapping> mapping,
                          node.mappings->make(spec, member_json(spec, "mappings")));
  QUARRY_RETURN_IF_ERROR(check_index_sort(*mapping));
  drop_own_members(spec);
  auto index = std::make_shared<Index>(node, number, index_uuid(), spec, std::move(mapping),
                                       final_dir, kMetaWithManifests);
  QUARRY_RETURN_IF_ERROR(write_new_folder(
      *node.files, dir, index->shard_count(),
      checked_json_text(index_meta_json(number, index->uuid_, spec, index->mapping()->to_json(),
                                        kMetaWithManifests))));
  return index;
}

Result<std::shared_ptr<Index>> Index::load(const NodeServices& node, const std::string& dir) {
  QUARRY_ASSIGN_OR_RETURN(IndexMeta meta, read_index_meta(*node.files, dir));
  Result<std::shared_ptr<const Mapping>> mapping = node.mappings->make(meta.spec, meta.mappings);
  if (!mapping.ok()) {
    return Status(ErrorType::kCorrupt, "[" + dir + "/META]: " + mapping.status().reason());
  }
  auto index = std::make_shared<Index>(node, meta.number, std::move(meta.uuid),
                                       std::move(meta.spec), *mapping, dir, meta.format);
  for (const std::unique_ptr<Shard>& shard : index->shards_) {
    QUARRY_RETURN_IF_ERROR(shard->load(meta.format >= kMetaWithManifests));
    if (shard->covered() > 0) index->saw_seq_no(shard->covered() - 1);
  }
  return index;
}

std::string Index::settings_json() const {
  const std::lock_guard lock(change_mutex_);
  return member_json(spec_, "settings");
}

std::string Index::describe() const { return describe(state()); }

std::string Index::describe(const State& state) const {
  return describe_index(number_, uuid_, state.spec, state.mapping->version(),
                        state.mapping->to_json());
}

Result<std::shared_ptr<const IndexPin>> Index::pin() {
  std::vector<Shard*> shards;
  for (const std::unique_ptr<Shard>& shard : shards_) shards.push_back(shard.get());
  State then;
  uint64_t covered = 0;
  QUARRY_ASSIGN_OR_RETURN(std::vector<ShardPin> pins, Shard::pin(shards, [&] {
                            then = state();
                            covered = next_seq_no_.load();
                          }));
  // Each pin contains the whole index up to this moment, so one value holds for all shards.
  for (ShardPin& pin : pins) pin.manifest.covered = covered;
  return IndexPin::make(describe(then), std::move(pins));
}

ShardStats Index::stats() const {
  ShardStats sum;
  for (const std::unique_ptr<Shard>& shard : shards_) sum.add(shard->stats());
  return sum;
}

bool Index::owes_nothing() const {
  if (first_unsaved() != Memtable::kNoPosition || spec_unsaved_.load()) return false;
  return std::all_of(shards_.begin(), shards_.end(),
                     [](const auto& shard) { return shard->owes_nothing(); });
}

uint32_t Index::shard_of(std::string_view id, std::string_view routing) const {
  return route(routing.empty() ? id : routing, static_cast<uint32_t>(shards_.size()));
}

void Index::stop() {
  for (const std::unique_ptr<Shard>& shard : shards_) shard->stop(true);
}

void Index::resume() {
  for (const std::unique_ptr<Shard>& shard : shards_) shard->stop(false);
}

void Index::saw_seq_no(uint64_t seq_no) {
  uint64_t next = next_seq_no_.load();
  while (next <= seq_no && !next_seq_no_.compare_exchange_weak(next, seq_no + 1)) {
  }
}

std::shared_ptr<const Mapping> Index::mapping() const {
  const std::lock_guard lock(view_mutex_);
  return mapping_;
}

void Index::publish(std::shared_ptr<const Mapping> mapping) {
  const std::lock_guard lock(view_mutex_);
  mapping_ = std::move(mapping);
}

Result<bool> Index::grow_mapping(const GrownMapping& grown) {
  const std::lock_guard lock(change_mutex_);
  if (mapping() != grown.before) return false;
  WalFrame frame;
  for (const std::string& update : grown.updates) {
    WalRecord record;
    record.type = WalRecordType::kMapping;
    record.index = number_;
    record.body = update;
    frame.add(record);
  }
  // Set before the append, so that a concurrent release of the log keeps the record.
  const uint64_t position = node_.log->position();
  first_unsaved_.store(std::min(first_unsaved_.load(), position));
  QUARRY_RETURN_IF_ERROR(node_.log->append(frame, false).status());
  publish(grown.after);
  return true;
}

Result<std::shared_ptr<const Mapping>> Index::replay_mapping(std::string_view mappings_json) {
  const std::lock_guard lock(change_mutex_);
  QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<const Mapping> grown, mapping()->merge(mappings_json));
  publish(grown);
  return grown;
}

void Index::replay_mapping_record(std::string_view mappings_json, uint64_t position) {
  first_unsaved_.store(std::min(first_unsaved_.load(), position));
  // A later change of settings may make this fail (a lower limit of fields); documents are then
  // replayed without the mapping change.
  static_cast<void>(replay_mapping(mappings_json));
}

Index::State Index::state() const {
  const std::lock_guard lock(change_mutex_);
  return {spec_, mapping()};
}

Status Index::save(const State& state) {
  return write_checked_json(
      *node_.files, dir_ + "/META",
      index_meta_json(number_, uuid_, state.spec, state.mapping->to_json(), format_));
}

Status Index::save_mapping() {
  if (first_unsaved_.load() == Memtable::kNoPosition && !spec_unsaved_.load()) return {};
  const std::lock_guard save_lock(save_mutex_);
  State saved;
  uint64_t shown = 0;
  {
    const std::lock_guard lock(change_mutex_);
    saved = {spec_, mapping()};
    shown = shown_;
  }
  QUARRY_RETURN_IF_ERROR(save(saved));
  const std::lock_guard lock(change_mutex_);
  if (shown_ == shown) spec_unsaved_.store(false);
  if (mapping() == saved.mapping) first_unsaved_.store(Memtable::kNoPosition);
  return {};
}

/// Writes the changed state first, then makes it visible. Documents that extend the mapping
/// meanwhile do not wait for the disk; in that case the change is repeated on top of the new
/// mapping.
template <typename Change>
Status Index::change_durably(Change change) {
  const std::lock_guard save_lock(save_mutex_);
  while (true) {
    const State before = state();
    State after = before;
    QUARRY_RETURN_IF_ERROR(change(after));
    QUARRY_RETURN_IF_ERROR(save(after));
    const std::lock_guard lock(change_mutex_);
    if (mapping() != before.mapping) continue;
    spec_ = std::move(after.spec);
    publish(std::move(after.mapping));
    first_unsaved_.store(Memtable::kNoPosition);
    return {};
  }
}

Status Index::merge_mappings(State& state, std::string_view mappings_json) {
  QUARRY_ASSIGN_OR_RETURN(state.mapping, state.mapping->merge(mappings_json));
  return {};
}

Status Index::set_members(State& state, const JsonValue& members) {
  const std::string settings = member_json(state.spec, "settings");
  for (const JsonValue::Member& member : members.members()) {
    state.spec.set(member.first, member.second);
  }
  if (member_json(state.spec, "settings") == settings) return {};
  QUARRY_ASSIGN_OR_RETURN(MappingContext context,
                          make_mapping_context(mapping_settings(state.spec)));
  QUARRY_ASSIGN_OR_RETURN(state.mapping, state.mapping->with_context(std::move(context)));
  return {};
}

Status Index::put_mapping(std::string_view mappings_json) {
  return change_durably(
      [mappings_json](State& state) { return merge_mappings(state, mappings_json); });
}

Status Index::put_spec(std::string_view members_json) {
  QUARRY_ASSIGN_OR_RETURN(const JsonValue members, parse_members(members_json));
  return change_durably([&members](State& state) { return set_members(state, members); });
}

Status Index::change(State& state, std::string_view members_json, std::string_view mappings_json) {
  if (!members_json.empty()) {
    QUARRY_ASSIGN_OR_RETURN(const JsonValue members, parse_members(members_json));
    QUARRY_RETURN_IF_ERROR(set_members(state, members));
  }
  return mappings_json.empty() ? Status() : merge_mappings(state, mappings_json);
}

Result<std::string> Index::check_change(std::string_view members_json,
                                        std::string_view mappings_json) const {
  State after = state();
  QUARRY_RETURN_IF_ERROR(change(after, members_json, mappings_json));
  return describe(after);
}

Result<Index::StagedChange> Index::stage(std::string_view members_json,
                                         std::string_view mappings_json) {
  StagedChange staged{std::unique_lock(change_mutex_), {spec_, mapping()}};
  QUARRY_RETURN_IF_ERROR(change(staged.after, members_json, mappings_json));
  return staged;
}

void Index::show(StagedChange change) {
  shown_++;
  spec_unsaved_.store(true);
  spec_ = std::move(change.after.spec);
  publish(std::move(change.after.mapping));
}

}  // namespace quarry
