#include "segment/nested_docs.h"

#include <algorithm>
#include <utility>

namespace quarry {
namespace {

Status no_blocks(const std::string& what) {
  return {ErrorType::kCorrupt, "segment: nested documents: " + what};
}

}  // namespace

Result<NestedDocs> NestedDocs::read(const InvertedField& paths, uint32_t max_doc) {
  NestedDocs nested;
  nested.roots_ = Bitset(max_doc, true);
  for (uint32_t ordinal = 0; ordinal < paths.terms().size(); ordinal++) {
    Bitset docs(max_doc);
    PostingsCursor cursor = paths.postings(ordinal);
    while (cursor.next() != kNoMoreDocs) {
      if (cursor.doc() >= max_doc || !nested.roots_.test(cursor.doc())) {
        return no_blocks("a document has several paths or is beyond the last");
      }
      docs.set(cursor.doc());
      nested.roots_.clear(cursor.doc());
    }
    nested.paths_.emplace(paths.terms().term(ordinal), std::move(docs));
  }
  if (!nested.roots_.test(max_doc - 1)) return no_blocks("the last document is nested");
  uint32_t begin = 0;
  for (uint32_t root = nested.roots_.next(0); root < max_doc; root = nested.roots_.next(begin)) {
    nested.largest_block_ = std::max(nested.largest_block_, root - begin);
    begin = root + 1;
    nested.root_count_++;
  }
  return nested;
}

const Bitset* NestedDocs::at(std::string_view path) const {
  const auto found = paths_.find(path);
  return found == paths_.end() ? nullptr : &found->second;
}

std::string_view NestedDocs::path_of(uint32_t doc) const {
  for (const auto& [path, docs] : paths_) {
    if (docs.test(doc)) return path;
  }
  return {};
}

}  // namespace quarry
