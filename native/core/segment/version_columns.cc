// Builds the columns from the table of ids.
#include "segment/version_columns.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "mapping/schema/version_fields.h"

namespace quarry {
namespace {

constexpr std::array<std::string_view, 2> kNames = {kSeqNoField, kVersionField};

std::vector<uint8_t> column_bytes(size_t which, const IdTable& ids) {
  ColumnWriter writer(false);
  for (uint32_t doc = 0; doc < ids.size(); doc++) {
    const uint64_t value = which == 0 ? ids.seq_no(doc) : ids.version(doc).version;
    writer.add(doc, static_cast<int64_t>(value));
  }
  return writer.finish(ids.size());
}

}  // namespace

const SegmentField* VersionColumns::find(std::string_view name, const IdTable& ids) {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) return nullptr;
  const auto which = static_cast<size_t>(std::distance(kNames.begin(), at));
  Held& held = held_[which];
  std::call_once(once_[which], [&] {
    held.bytes = column_bytes(which, ids);
    Result<Column> column = Column::open(held.bytes, ids.size());
    held.field.name = std::string(name);
    held.field.type = FieldType::kLong;
    if (!column.ok()) return;  // cannot fail: the bytes were just written
    held.column = std::move(*column);
    held.field.column = &held.column;
    held.field.present_everywhere = true;
  });
  built_[which].store(true, std::memory_order_relaxed);
  return &held.field;
}

bool VersionColumns::is_missing(std::string_view name) const {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) return false;
  return !built_[static_cast<size_t>(std::distance(kNames.begin(), at))].load(
      std::memory_order_relaxed);
}

}  // namespace quarry
