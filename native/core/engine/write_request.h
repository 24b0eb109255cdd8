// A write request in either of its forms: a bulk body with its name table, or binary operations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "engine/item_results.h"
#include "json/bulk_reader.h"
#include "shard/write_operation.h"

namespace quarry {

/// An operation with its index, or the reason why it is refused. Views point into the request.
struct AddressedOperation {
  WriteOperation operation;
  uint32_t index = kNoIndex;
  std::string_view name;  // as given; empty in binary operations
  Status refusal;
  bool require_alias = false;  // refuse when `name` is the index's own
};

Status not_an_alias(std::string_view name);

/// A bulk body with its header, checked for syntax. The bytes of both must outlive the object.
class BulkRequest {
 public:
  /// x_content_parse_exception or illegal_argument_exception for a malformed body,
  /// action_request_validation_exception for a line without an index. A line without a usable id
  /// becomes an item that fails.
  static Result<BulkRequest> read(Bytes header, Bytes body);
  /// Index names of the body that are not in the table of the header, each once.
  std::vector<std::string_view> missing_names() const;
  size_t size() const { return body_.actions.size(); }
  /// `at` < size(); no name may be missing. The id is empty where the engine has to generate it.
  AddressedOperation operation(size_t at) const;

 private:
  struct Target {
    uint32_t index = kNoIndex;
    Status refusal;
    std::string_view routing;  // of an alias, for every line through it
  };
  Status read_header(Bytes header);
  bool read_names(ByteReader& reader);
  void read_routing(ByteReader& reader);
  Status validate() const;
  Status refusal_of(const BulkAction& action) const;
  std::string_view name_of(const BulkAction& action) const {
    return action.has_index ? action.index : default_index_;
  }

  std::string_view default_index_;
  std::string_view default_source_;
  std::string_view default_routing_;
  std::unordered_map<std::string_view, Target> names_;
  BulkForm form_;
  BulkBody body_;
};

/// Binary operations (item_results.h). illegal_argument_exception for malformed bytes.
Result<std::vector<AddressedOperation>> read_operations(Bytes bytes);

/// The fault of an id from a request; empty when the id is valid.
std::string id_complaint(std::string_view id);

}  // namespace quarry
