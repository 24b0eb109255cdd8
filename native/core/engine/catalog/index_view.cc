// Takes the snapshots of an index for a request.
#include "engine/catalog/index_view.h"

#include "base/map_faults.h"

namespace quarry {

std::vector<const SegmentView*> IndexView::segments() const {
  std::vector<const SegmentView*> out;
  for (const ShardView* shard : shards) {
    for (const SegmentView& segment : shard->segments) out.push_back(&segment);
  }
  return out;
}

Status IndexView::verify_read() const {
  for (uint32_t i = 0; i < snapshots.size(); i++) {
    QUARRY_RETURN_IF_ERROR(index->shard(i).verify_read(snapshots[i]->entries));
  }
  return {};
}

Status IndexView::verify_read(uint32_t shard) const {
  if (map_fault_count() > 0) return verify_read();
  return index->shard(shard).verify_read(snapshots[shard]->entries);
}

Result<IndexView> take_view(std::shared_ptr<Index> index, uint32_t number,
                            const Generations& wanted, CallBudget* budget) {
  IndexView view;
  view.mapping = index->mapping();
  view.name = index->name();
  for (uint32_t i = 0; i < index->shard_count(); i++) {
    Shard& shard = index->shard(i);
    if (shard.needs_recovery()) {
      return Status(ErrorType::kNotReady,
                    "shard [" + std::to_string(i) + "] of index [" + view.name + "] is recovering");
    }
    if (budget != nullptr && !shard.is_open()) {
      budget->end();
      return budget_ended();
    }
    const auto named = wanted.find({number, i});
    QUARRY_ASSIGN_OR_RETURN(
        std::shared_ptr<const ShardSnapshot> snapshot,
        named == wanted.end() ? shard.snapshot() : shard.snapshot(named->second));
    view.shards.push_back(&snapshot->view);
    view.snapshots.push_back(std::move(snapshot));
  }
  view.index = std::move(index);
  return view;
}

}  // namespace quarry
