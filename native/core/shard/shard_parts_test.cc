// Parts of a shard: ids, versions, tombstones, deletes that are applied to merge results.
#include <string>
#include <vector>

#include "base/hash.h"
#include "shard/id_map.h"
#include "shard/snapshot.h"
#include "shard/tombstones.h"
#include "shard/update_request.h"
#include "shard/version_check.h"
#include "testing/test.h"

namespace quarry::shard_parts_test {

WriteOperation operation(OpType type) {
  WriteOperation made;
  made.type = type;
  made.id = "1";
  return made;
}

CurrentDocument document(uint64_t version, uint64_t seq_no, bool deleted = false) {
  return {true, deleted, {version, seq_no, 1}};
}

TEST(IdMap, FindsWhatWasSetAndGivesBackWhatWasBefore) {
  IdMap map;
  for (uint32_t i = 0; i < 1000; i++) {
    const std::string id = "id-" + std::to_string(i);
    EXPECT_EQ(map.set(id, hash64(id), {IdState::Kind::kDocument, i, 0, {1, i, 1}}).kind,
              IdState::Kind::kAbsent);
  }
  for (uint32_t i = 0; i < 1000; i++) {
    const std::string id = "id-" + std::to_string(i);
    const IdMap::Entry* entry = map.find(id, hash64(id));
    ASSERT_TRUE(entry != nullptr);
    EXPECT_EQ(entry->state.slot, i);
  }
  const IdState before =
      map.set("id-7", hash64("id-7"), {IdState::Kind::kDeleted, 0, 5, {2, 9, 1}});
  EXPECT_EQ(before.slot, 7);
  EXPECT_EQ(map.find("id-7", hash64("id-7"))->state.kind, IdState::Kind::kDeleted);
  EXPECT_TRUE(map.find("other", hash64("other")) == nullptr);
  EXPECT_EQ(map.entries().size(), 1000);
}

TEST(IdMap, DistinguishesIdsWithTheSameHash) {
  IdMap map;
  map.set("a", 1, {IdState::Kind::kDocument, 1, 0, {}});
  map.set("b", 1, {IdState::Kind::kDocument, 2, 0, {}});
  EXPECT_EQ(map.find("a", 1)->state.slot, 1);
  EXPECT_EQ(map.find("b", 1)->state.slot, 2);
  EXPECT_EQ(map.stored_id("b", 1), "b");
}

TEST(Versions, InternalVersionsCountOn) {
  EXPECT_EQ(*next_version(operation(OpType::kIndex), {}), 1);
  EXPECT_EQ(*next_version(operation(OpType::kIndex), document(3, 10)), 4);
  EXPECT_EQ(*next_version(operation(OpType::kCreate), document(3, 10, true)), 4);
  EXPECT_EQ(*next_version(operation(OpType::kDelete), {}), 1);
  EXPECT_EQ(next_version(operation(OpType::kCreate), document(1, 0)).status().reason(),
            "[1]: version conflict, document already exists (current version [1])");
  WriteOperation wrong = operation(OpType::kIndex);
  wrong.version = 2;
  EXPECT_EQ(next_version(wrong, document(3, 0)).status().reason(),
            "[1]: version conflict, current version [3] is different than the one provided [2]");
  EXPECT_EQ(next_version(wrong, {}).status().reason(),
            "[1]: version conflict, document does not exist (expected version [2])");
}

TEST(Versions, SequenceNumbersMustMatch) {
  WriteOperation conditional = operation(OpType::kIndex);
  conditional.if_seq_no = 5;
  conditional.if_primary_term = 1;
  EXPECT_EQ(*next_version(conditional, document(1, 5)), 2);
  EXPECT_EQ(next_version(conditional, document(1, 6)).status().reason(),
            "[1]: version conflict, required seqNo [5], primary term [1]. current document has "
            "seqNo [6] and primary term [1]");
  EXPECT_EQ(
      next_version(conditional, {}).status().reason(),
      "[1]: version conflict, required seqNo [5], primary term [1]. but no document was found");
  EXPECT_EQ(next_version(conditional, document(1, 5, true)).status().type(),
            ErrorType::kVersionConflict);
}

TEST(Versions, ExternalVersionsOnlyGrow) {
  WriteOperation external = operation(OpType::kIndex);
  external.version_type = VersionType::kExternal;
  external.version = 7;
  EXPECT_EQ(*next_version(external, {}), 7);
  EXPECT_EQ(*next_version(external, document(6, 0)), 7);
  EXPECT_EQ(
      next_version(external, document(7, 0)).status().reason(),
      "[1]: version conflict, current version [7] is higher or equal to the one provided [7]");
  external.version_type = VersionType::kExternalGte;
  EXPECT_EQ(*next_version(external, document(7, 0)), 7);
  EXPECT_EQ(next_version(external, document(8, 0, true)).status().reason(),
            "[1]: version conflict, current version [8] is higher than the one provided [7]");
  external.version.reset();
  EXPECT_EQ(next_version(external, {}).status().type(), ErrorType::kActionRequestValidation);
}

TEST(Tombstones, AreForgottenAfterAMinute) {
  Tombstones tombstones;
  tombstones.set("a", {{3, 1, 1}, 1000});
  ASSERT_TRUE(tombstones.find("a", 1000 + kTombstoneMs - 1) != nullptr);
  EXPECT_EQ(tombstones.find("a", 2000)->version.version, 3);
  EXPECT_TRUE(tombstones.find("a", 1000 + kTombstoneMs) == nullptr);
  tombstones.prune(1000 + kTombstoneMs);
  EXPECT_TRUE(tombstones.all().empty());
}

TEST(UpdateRequest, MembersAreTakenAsTheyAreWritten) {
  const auto request = read_update_request(
      R"( {"doc": {"a": 1.0}, "upsert":{"b":[1]},"detect_noop":false,"doc_as_upsert":"true",)"
      R"("_source":["a*"],"if_seq_no":3,"if_primary_term":1} )");
  ASSERT_OK(request);
  EXPECT_EQ(request->doc, "{\"a\": 1.0}");
  EXPECT_EQ(request->upsert, "{\"b\":[1]}");
  EXPECT_FALSE(request->detect_noop);
  EXPECT_TRUE(request->doc_as_upsert);
  EXPECT_EQ(request->source, "[\"a*\"]");
  EXPECT_EQ(*request->if_seq_no, 3);
}

TEST(UpdateRequest, WhatIsNotSupportedIsRefusedByName) {
  const auto reason = [](std::string_view body) {
    return read_update_request(body).status().reason();
  };
  EXPECT_EQ(reason("{}"), "Validation Failed: 1: script or doc is missing;");
  EXPECT_EQ(reason(R"({"script":"x"})"),
            "[UpdateRequest] [script] is not supported, use [doc] or [upsert]");
  EXPECT_EQ(reason(R"({"x":1,"doc":{}})"), "[1:2] [UpdateRequest] unknown field [x]");
  EXPECT_EQ(reason(R"({"dac":{}})"),
            "[1:2] [UpdateRequest] unknown field [dac] did you mean [doc]?");
  EXPECT_EQ(reason(R"({"doc":1})"),
            "[1:2] [UpdateRequest] doc doesn't support values of type: VALUE_NUMBER");
  EXPECT_FALSE(reason("[]").empty());
  EXPECT_FALSE(reason("").empty());
  EXPECT_FALSE(reason(R"({"doc":{}} x)").empty());
  EXPECT_FALSE(reason("{\"doc\":{\"a\":\"\xff\"}}").empty());
}

TEST(SnapshotRing, GivesUpTheOldestForMemoryButNeverTheNewest) {
  constexpr uint64_t kHalf = SnapshotRing::kMostHeapBytes / 2;
  SnapshotRing ring;
  for (uint64_t generation = 1; generation <= 3; generation++) {
    ring.add(make_snapshot(generation, {}), 100, kHalf);
  }
  EXPECT_TRUE(ring.find(1) == nullptr);
  EXPECT_TRUE(ring.find(2) != nullptr);
  ring.add(make_snapshot(4, {}), 100, 8 * kHalf);
  EXPECT_TRUE(ring.find(3) == nullptr);
  EXPECT_TRUE(ring.find(4) != nullptr);
  ring.prune(100);
  EXPECT_TRUE(ring.find(4) == nullptr);
  ring.add(make_snapshot(5, {}), 200, kHalf);
  ring.add(make_snapshot(6, {}), 200, kHalf);
  EXPECT_TRUE(ring.find(5) != nullptr && ring.find(6) != nullptr);
}

TEST(UpdateRequest, SourceSpecsOfAllForms) {
  const auto filtered = [](std::string_view spec) -> std::string {
    auto filter = read_source_spec(spec);
    if (!filter.ok()) return "refused";
    if (!*filter) return "nothing";
    std::string out;
    return (*filter)->apply(R"({"a":1,"b":{"c":2,"d":3}})", out).ok() ? out : "failed";
  };
  EXPECT_EQ(filtered(""), "nothing");
  EXPECT_EQ(filtered("false"), "nothing");
  EXPECT_EQ(filtered("true"), R"({"a":1,"b":{"c":2,"d":3}})");
  EXPECT_EQ(filtered("\"a\""), R"({"a":1})");
  EXPECT_EQ(filtered(R"(["b.c"])"), R"({"b":{"c":2}})");
  EXPECT_EQ(filtered(R"({"includes":"b","excludes":["*.d"]})"), R"({"b":{"c":2}})");
  EXPECT_EQ(filtered("7"), "refused");
  EXPECT_EQ(filtered(R"({"other":1})"), "refused");
}

}  // namespace quarry::shard_parts_test
