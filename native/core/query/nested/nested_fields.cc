#include "query/nested/nested_fields.h"

#include <algorithm>
#include <utility>

#include "json/path_values.h"
#include "query/nested/nested_query.h"
#include "query/nested/nested_source.h"

namespace quarry {

NestedFields::NestedFields(const Mapping& mapping, std::vector<RequestedField>& fields) {
  std::vector<RequestedField> own;
  for (RequestedField& field : fields) {
    if (field.field->level == 0) {
      own.push_back(std::move(field));
      continue;
    }
    std::vector<const NestedObject*> objects;
    for (uint32_t at = field.field->level; at != 0; at = objects.back()->outer) {
      objects.push_back(&mapping.nested_objects()[at - 1]);
    }
    std::vector<Node>* nodes = &nodes_;
    Node* node = nullptr;
    // The source of a nested document is below its full path.
    size_t skipped = 0;
    for (size_t i = objects.size(); i-- > 0;) {
      node = &node_at(*nodes, objects[i]->path.substr(skipped));
      nodes = &node->inner;
      skipped = objects[i]->path.size() + 1;
    }
    const std::string prefix = objects.front()->path + ".";
    field.name = field.name.starts_with(prefix) ? field.name.substr(skipped) : field.name;
    std::erase_if(field.paths,
                  [&prefix](const std::string& path) { return !path.starts_with(prefix); });
    for (std::string& path : field.paths) path = path.substr(skipped);
    node->fields.push_back(std::move(field));
  }
  fields = std::move(own);
}

NestedFields::Node& NestedFields::node_at(std::vector<Node>& nodes, const std::string& path) {
  const auto found = std::find_if(nodes.begin(), nodes.end(),
                                  [&path](const Node& node) { return node.path == path; });
  if (found != nodes.end()) return *found;
  return nodes.emplace_back(Node{path, {}, {}});
}

void NestedFields::add_values(const JsonValue& source, FieldTexts& out, ShownBytes& shown) const {
  for (const Node& node : nodes_) add_node(source, node, node.path, out, shown);
}

void NestedFields::add_node(const JsonValue& source, const Node& node, const std::string& name,
                            FieldTexts& out, ShownBytes& shown) {
  each_object_at(source, node.path, [&](const JsonValue& object) {
    FieldTexts inside;
    for (const RequestedField& field : node.fields) {
      std::vector<std::string> values = source_texts(field, object).values;
      if (!shown.add(values)) return false;
      if (!values.empty()) inside[field.name] = std::move(values);
    }
    for (const Node& inner : node.inner) add_node(object, inner, inner.path, inside, shown);
    if (!inside.empty()) out[name].push_back(print_fields(inside));
    return !shown.exceeded();
  });
}

std::string print_fields(const FieldTexts& fields) {
  if (fields.empty()) return {};
  std::string out = "{";
  for (const auto& [name, texts] : fields) {
    if (out.size() > 1) out += ',';
    append_json_string(out, name);
    out += ":[";
    for (size_t i = 0; i < texts.size(); i++) out += (i > 0 ? "," : "") + texts[i];
    out += ']';
  }
  return out + "}";
}

}  // namespace quarry
