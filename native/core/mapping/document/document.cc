// Walks a document along the mapping. Values are written by leaf_writer, unmapped names are handled
// by dynamic_fields.
#include "mapping/document/document.h"

#include <string>
#include <unordered_set>

#include "json/utf8_check.h"
#include "json/value.h"
#include "mapping/schema/dynamic_fields.h"
#include "mapping/schema/field_name.h"
#include "mapping/schema/leaf_writer.h"

namespace quarry {

namespace {

/// Walks the objects of one document along the mapping. Recursion is bounded by the scanner's
/// maximum depth.
class DocumentWalker {
 public:
  explicit DocumentWalker(DocumentContext& context)
      : context_(context), leaves_(context), dynamic_(context) {}

  Status run() {
    JsonScanner& scanner = context_.scanner;
    switch (scanner.next()) {
      case JsonToken::kObjectStart:
        break;
      case JsonToken::kError:
        return context_.malformed();
      case JsonToken::kEnd:
        return {ErrorType::kDocumentParsing, "failed to parse, document is empty"};
      default:
        return context_.error("Malformed content, must start with an object");
    }
    QUARRY_RETURN_IF_ERROR(walk_object(context_.mapping.root_node()));
    if (scanner.next() != JsonToken::kEnd) return context_.malformed();
    add_constants(0, context_.out.values);
    context_.out.dynamic_mapping = dynamic_.to_json();
    return {};
  }

 private:
  using Kind = ObjectNode::Kind;
  // Joining names takes time in proportion to their length for each member.
  static constexpr size_t kLongestFlatName = 1000;
  static constexpr size_t kLongestShown = 100;

  Status skip() { return context_.scanner.skip_value() ? Status() : context_.malformed(); }

  /// Adds the constants that every document of the level has.
  void add_constants(uint32_t level, std::vector<FieldValue>& values) {
    for (const uint32_t id : context_.mapping.constant_fields()) {
      const Field& field = context_.mapping.field(id);
      if (field.level != level) continue;
      values.push_back({id, 0, context_.out.arena.copy(*field.constant)});
    }
  }

  /// Walks a value of the object with `walk`, as a document of its own if the object is nested.
  template <typename Walk>
  Status walk_nested(const ObjectNode& node, Walk walk) {
    if (!node.nested) return walk();
    QUARRY_RETURN_IF_ERROR(count_nested());
    const NestedObject& object = context_.mapping.nested_objects()[node.level - 1];
    // The mapping may be replaced before the document is stored.
    context_.open.push_back({node.level, context_.out.arena.copy(object.path), {}});
    const Status status = walk();
    NestedDocument document = std::move(context_.open.back());
    context_.open.pop_back();
    leaves_.end_document(node.level);
    const auto copy_to = [&document](std::vector<FieldValue>& values) {
      values.insert(values.end(), document.values.begin(), document.values.end());
    };
    if (object.include_in_parent) copy_to(context_.values_at(object.outer));
    if (object.include_in_root) copy_to(context_.out.values);
    add_constants(node.level, document.values);
    context_.out.nested.push_back(std::move(document));
    return status;
  }

  Status count_nested() {
    const uint32_t limit = context_.mapping.context().limits.nested_objects;
    if (context_.out.nested.size() + context_.open.size() < limit) return {};
    return context_.error(
        "The number of nested documents has exceeded the allowed limit of [" +
        std::to_string(limit) +
        "]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level "
        "setting.");
  }

  /// Walks the object whose start was just read, up to its end.
  Status walk_object(const ObjectNode& node) {
    if (!node.enabled) return skip();
    JsonScanner& scanner = context_.scanner;
    while (scanner.next() == JsonToken::kKey) {
      QUARRY_RETURN_IF_ERROR(walk_member(node, scanner.content(context_.out.arena)));
    }
    return scanner.token() == JsonToken::kError ? context_.malformed() : Status();
  }

  /// Walks one member, whose key was just read.
  Status walk_member(const ObjectNode& node, std::string_view name) {
    const auto child = node.children.find(name);
    if (child != node.children.end()) {
      context_.scanner.next();
      if (!node.flat) return walk_child(child->second, name);
      std::string path(name);
      return walk_flat(node, path);
    }
    const Result<std::vector<std::string_view>> parts = split_field_name(name);
    if (!parts.ok()) return context_.failed(parts.status());
    if (node.path.empty() && is_metadata_field(parts->front())) {
      return context_.error("Field [" + std::string(parts->front()) +
                            "] is a metadata field and cannot be added inside a document. Use the "
                            "index API request parameters.");
    }
    context_.scanner.next();
    return walk_path(node, *parts, 0);
  }

  /// Walks a value under a name with dots, or under a name that is not mapped; the first `known`
  /// parts of the name lead to `from`.
  Status walk_path(const ObjectNode& from, const std::vector<std::string_view>& parts,
                   size_t known) {
    const ObjectNode* node = &from;
    for (size_t i = known; i < parts.size(); ++i) {
      if (node->flat) {
        std::string name(joined_from(parts, i));
        return walk_flat(*node, name);
      }
      const auto found = node->children.find(parts[i]);
      if (found == node->children.end()) return walk_unknown(*node, parts, i);
      const ObjectNode::Child& child = found->second;
      if (i + 1 == parts.size()) return walk_child(child, parts[i]);
      if (child.kind != Kind::kObject) return walk_below_field(child, parts, i + 1);
      node = &context_.mapping.object(child.index);
      if (!node->enabled) return skip();
      if (node->nested) return walk_nested(*node, [&] { return walk_path(*node, parts, i + 1); });
    }
    return {};
  }

  /// Walks a value below an object without subobjects; `name` is the rest of its path. The members
  /// of an object are values of their own, with longer names: below a field that takes no objects,
  /// and below a name that is not mapped unless the mapping is strict.
  Status walk_flat(const ObjectNode& node, std::string& name) {
    const auto child = node.children.find(name);
    const bool mapped = child != node.children.end();
    if (mapped && !holds_flat_values(child->second)) return walk_child(child->second, name);
    JsonScanner& scanner = context_.scanner;
    switch (scanner.token()) {
      case JsonToken::kArrayStart:
        while (scanner.next() != JsonToken::kArrayEnd) {
          QUARRY_RETURN_IF_ERROR(walk_flat(node, name));
        }
        return {};
      case JsonToken::kObjectStart:
        if (!mapped && node.dynamic == Dynamic::kStrict) return walk_unknown(node, {name}, 0);
        while (scanner.next() == JsonToken::kKey) {
          QUARRY_RETURN_IF_ERROR(walk_flat_member(node, name));
        }
        return scanner.token() == JsonToken::kError ? context_.malformed() : Status();
      case JsonToken::kError:
        return context_.malformed();
      default:
        break;
    }
    if (mapped) return walk_child(child->second, name);
    const bool adds = node.dynamic == Dynamic::kTrue && scanner.token() != JsonToken::kNull;
    // The first value of a field determines its mapping.
    if (adds && !flat_names_.insert(node.path + "." + name).second) return {};
    return walk_unknown(node, {name}, 0);
  }

  /// Whether the members of an object in the child's place are values of their own: fields take no
  /// objects, but for some types. Vectors take their arrays whole.
  bool holds_flat_values(const ObjectNode::Child& child) const {
    if (child.kind != Kind::kField) return false;
    const FieldTraits& traits = context_.mapping.field(child.index).traits();
    return !traits.takes_objects() && traits.value != ValueForm::kArray;
  }

  /// Walks a member, whose key was just read, of the object whose path ends with `name`.
  Status walk_flat_member(const ObjectNode& node, std::string& name) {
    const std::string_view key = context_.scanner.content(context_.out.arena);
    const Status valid = split_field_name(key).status();
    if (!valid.ok()) return context_.failed(valid);
    const size_t length = name.size();
    name.append(1, '.').append(key);
    if (name.size() > kLongestFlatName) {
      return context_.error("Field name [" + name.substr(0, kLongestShown) +
                            "...] made of the names of objects is longer than the limit of [" +
                            std::to_string(kLongestFlatName) + "] bytes, use shorter names");
    }
    context_.scanner.next();
    Status status = walk_flat(node, name);
    name.resize(length);
    return status;
  }

  /// The name continues below a field, which is valid only for flattened fields, since they have
  /// keys.
  Status walk_below_field(const ObjectNode::Child& child,
                          const std::vector<std::string_view>& parts, size_t next) {
    const Field& field = context_.mapping.field(child.index);
    if (child.kind == Kind::kCompanion) return refuse_companion(field);
    if (child.kind == Kind::kAlias) return write_to_alias(parts[next - 1]);
    const bool features = field.traits().features == FeatureKind::kKeyed;
    if (!features && field.type != FieldType::kFlattened) return object_in_field(field);
    std::string prefix;
    for (size_t i = next; i < parts.size(); ++i)
      prefix += (i > next ? "." : "") + std::string(parts[i]);
    return features ? leaves_.write_feature(field, prefix) : leaves_.write_flattened(field, prefix);
  }

  Status object_in_field(const Field& field) {
    const JsonScanner& scanner = context_.scanner;
    return context_.misfit(
        field, "Can't get text on a START_OBJECT at " + scanner.position(scanner.start()));
  }

  Status refuse_companion(const Field& made_from) {
    const std::string& name = context_.mapping.field(made_from.semantic->vector).name;
    return context_.error("failed to parse: [" + name + "] is made from [" + made_from.name +
                          "], leave it out of documents");
  }

  Status write_to_alias(std::string_view name) {
    return context_.failed({ErrorType::kIllegalArgument,
                            "Cannot write to a field alias [" + std::string(name) + "]."});
  }

  /// Walks the value just read, whose name is mapped.
  Status walk_child(const ObjectNode::Child& child, std::string_view name) {
    if (child.kind == Kind::kCompanion) {
      return refuse_companion(context_.mapping.field(child.index));
    }
    if (child.kind == Kind::kAlias) return write_to_alias(name);
    if (child.kind == Kind::kObject)
      return walk_object_value(context_.mapping.object(child.index), name);
    return walk_field(context_.mapping.field(child.index));
  }

  Status walk_object_value(const ObjectNode& node, std::string_view name) {
    if (!node.enabled) return skip();
    JsonScanner& scanner = context_.scanner;
    switch (scanner.token()) {
      case JsonToken::kObjectStart:
        return walk_nested(node, [&] { return walk_object(node); });
      case JsonToken::kArrayStart:
        while (scanner.next() != JsonToken::kArrayEnd) {
          QUARRY_RETURN_IF_ERROR(walk_object_value(node, name));
        }
        return {};
      case JsonToken::kNull:
        return {};
      case JsonToken::kError:
        return context_.malformed();
      default:
        return context_.error("object mapping for [" + node.path + "] tried to parse field [" +
                              std::string(name) + "] as object, but found a concrete value");
    }
  }

  Status walk_field(const Field& field) {
    if (field.has_points()) return walk_points(field);
    if (field.type == FieldType::kDenseVector) return walk_vector(field);
    JsonScanner& scanner = context_.scanner;
    const bool several =
        scanner.token() == JsonToken::kArrayStart || scanner.token() == JsonToken::kObjectStart;
    if (several && field.type == FieldType::kCompletion) {
      return is_copied(field) ? refuse_copy(field) : leaves_.write_completion(field);
    }
    switch (scanner.token()) {
      case JsonToken::kArrayStart:
        while (scanner.next() != JsonToken::kArrayEnd) {
          QUARRY_RETURN_IF_ERROR(walk_field(field));
        }
        return {};
      case JsonToken::kObjectStart:
        return walk_object_in_field(field);
      case JsonToken::kError:
        return context_.malformed();
      default:
        break;
    }
    if (field.type == FieldType::kConstantKeyword && !field.constant) return first_value(field);
    return write_scalar(field);
  }

  Status write_scalar(const Field& field) {
    QUARRY_RETURN_IF_ERROR(leaves_.write(field));
    for (const std::string& target : context_.mapping.unmapped_copies(field.id)) {
      QUARRY_RETURN_IF_ERROR(dynamic_.add_copy(target));
    }
    return {};
  }

  /// Handles a value of a constant_keyword that has no value yet: it becomes the value in the
  /// mapping.
  Status first_value(const Field& field) {
    const JsonScanner& scanner = context_.scanner;
    if (scanner.token() == JsonToken::kNull) return {};
    const std::string_view text =
        scanner.token() == JsonToken::kString ? scanner.content(context_.out.arena) : scanner.raw();
    return dynamic_.set_parameter(field.name, "value", JsonValue::string(std::string(text)));
  }

  /// A point that is copied is a string, as other fields take no arrays and objects of points.
  Status walk_points(const Field& field) {
    if (!is_copied(field)) return leaves_.write_points(field);
    const JsonToken token = context_.scanner.token();
    if (token == JsonToken::kError) return context_.malformed();
    if (token == JsonToken::kArrayStart || token == JsonToken::kObjectStart)
      return refuse_copy(field);
    return write_scalar(field);
  }

  Status walk_vector(const Field& field) {
    if (context_.scanner.token() == JsonToken::kArrayStart && is_copied(field)) {
      return refuse_copy(field);
    }
    QUARRY_ASSIGN_OR_RETURN(const uint32_t dims, leaves_.write_vector(field));
    if (dims == 0) return {};
    return dynamic_.set_parameter(field.name, "dims", JsonValue::number(std::to_string(dims)));
  }

  Status walk_object_in_field(const Field& field) {
    const bool features = field.traits().features == FeatureKind::kKeyed;
    if (!field.is_range() && !features && field.type != FieldType::kFlattened)
      return object_in_field(field);
    if (is_copied(field)) return refuse_copy(field);
    if (field.is_range()) return leaves_.write_range(field);
    return features ? leaves_.write_features(field) : leaves_.write_flattened(field, "");
  }

  bool is_copied(const Field& field) const {
    return !field.copy_to.empty() || !context_.mapping.unmapped_copies(field.id).empty();
  }

  Status refuse_copy(const Field& field) {
    return context_.failed(
        {ErrorType::kIllegalArgument,
         "Cannot copy field [" + field.name +
             "]. Copy-to currently only works for value-type fields, not objects."});
  }

  /// Handles the value just read when part number `unknown` of its name is not mapped.
  Status walk_unknown(const ObjectNode& node, const std::vector<std::string_view>& parts,
                      size_t unknown) {
    if (context_.scanner.token() == JsonToken::kError) return context_.malformed();
    if (node.dynamic == Dynamic::kStrict) {
      return context_.error(ErrorType::kStrictDynamicMapping,
                            "mapping set to strict, dynamic introduction of [" +
                                std::string(parts[unknown]) + "] within [" +
                                (node.path.empty() ? "_doc" : node.path) + "] is not allowed");
    }
    if (node.dynamic != Dynamic::kTrue) return skip();
    DynamicFields::Path path;
    if (!node.path.empty()) {
      QUARRY_ASSIGN_OR_RETURN(path, split_field_name(node.path));
    }
    const size_t known = path.size();
    path.insert(path.end(), parts.begin() + static_cast<std::ptrdiff_t>(unknown), parts.end());
    return dynamic_.add(path, known);
  }

  DocumentContext& context_;
  std::unordered_set<std::string> flat_names_;  // new fields of objects without subobjects
  LeafWriter leaves_;
  DynamicFields dynamic_;
};

}  // namespace

Status parse_document(const Mapping& mapping, std::string_view source, ParsedDocument& out,
                      std::string_view id) {
  out.clear();
  if (!valid_utf8(source)) {
    return {ErrorType::kDocumentParsing, "failed to parse: Invalid UTF-8 in the document"};
  }
  // CompiledMapping is the only implementation of Mapping.
  DocumentContext context{static_cast<const CompiledMapping&>(mapping), out, source, id,
                          JsonScanner(source, kMaxJsonDepth)};
  return DocumentWalker(context).run();
}

}  // namespace quarry
