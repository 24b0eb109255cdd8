// Converts values of documents to values of fields, type by type.
#include "mapping/schema/leaf_writer.h"

#include <algorithm>

#include "json/value.h"
#include "mapping/values/feature_value.h"
#include "mapping/values/geo_point.h"
#include "mapping/values/numeric.h"
#include "mapping/values/range_value.h"

namespace quarry {

namespace {

/// Length in UTF-16 units, in which Elasticsearch counts `ignore_above`.
size_t count_utf16_units(std::string_view text) {
  size_t length = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    length += (byte & 0xC0) == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1;
  }
  return length;
}

bool is_too_long(std::string_view text, uint32_t limit) {
  return text.size() > limit && count_utf16_units(text) > limit;
}

bool counts_tokens(const Field& field) { return field.traits().source == SourceForm::kCounted; }

bool is_base64(std::string_view text) {
  size_t length = text.size();
  while (length > 0 && text.size() - length < 2 && text[length - 1] == '=') --length;
  return text.size() % 4 == 0 &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '+' || c == '/';
         });
}

/// Limit for one document, since multi-fields and copies multiply: five million numbers in 900
/// fields would take more than 100 GiB.
constexpr size_t kMaxValues = size_t{8} << 20;

}  // namespace

Status DocumentContext::misfit(const Field& field, const std::string& cause) const {
  const bool container =
      scanner.token() == JsonToken::kObjectStart || scanner.token() == JsonToken::kArrayStart;
  if (container) return misfit(field, cause, scanner.start());
  return misfit(field, cause, scanner.start(), scanner.raw());
}

Status DocumentContext::misfit(const Field& field, const std::string& cause, size_t start) const {
  return misfit(field, cause, start, source.substr(start));
}

Status DocumentContext::misfit(const Field& field, const std::string& cause, size_t start,
                               std::string_view preview) const {
  constexpr size_t kLongestPreview = 100;
  size_t length = std::min(preview.size(), kLongestPreview);
  while (length > 0 && length < preview.size() &&
         (static_cast<unsigned char>(preview[length]) & 0xC0) == 0x80)
    --length;
  const std::string document =
      id.empty() ? "a document" : "document with id '" + std::string(id) + "'";
  return Status(ErrorType::kDocumentParsing,
                "[" + scanner.position(start) + "] failed to parse field [" + field.name +
                    "] of type [" + std::string(field_type_name(field.type)) + "] in " + document +
                    ". Preview of field's value: '" + std::string(preview.substr(0, length)) + "'")
      .with_cause(cause);
}

LeafWriter::Scalar LeafWriter::scalar() {
  const JsonScanner& scanner = context_.scanner;
  if (scanner.token() != JsonToken::kString) return {scanner.token(), scanner.raw()};
  return {scanner.token(), scanner.content(context_.out.arena)};
}

Status LeafWriter::write(const Field& field) {
  const Scalar value = scalar();
  QUARRY_RETURN_IF_ERROR(write_with_multi_fields(field, value));
  for (const uint32_t target : field.copy_to) {
    QUARRY_RETURN_IF_ERROR(write_with_multi_fields(context_.mapping.field(target), value));
  }
  return {};
}

Status LeafWriter::write_with_multi_fields(const Field& field, const Scalar& value) {
  QUARRY_RETURN_IF_ERROR(write_one(field, value));
  if (field.has_points()) return {};  // write_point() writes its multi-fields
  for (const uint32_t sub : field.multi_fields) {
    QUARRY_RETURN_IF_ERROR(write_one(context_.mapping.field(sub), value));
  }
  return {};
}

Status LeafWriter::check_count(const Field& field) const {
  if (context_.value_count < kMaxValues) return {};
  return context_.error("the document has more than [" + std::to_string(kMaxValues) +
                        "] values of fields, with those of multi-fields and copies, at field [" +
                        field.name + "]: give it fewer values, or map fewer multi-fields");
}

Status LeafWriter::write_one(const Field& field, Scalar value) {
  QUARRY_RETURN_IF_ERROR(check_count(field));
  // An empty string is not a number; it counts as null.
  const bool is_null =
      value.token == JsonToken::kNull || (value.quoted() && value.text.empty() && field.coerce &&
                                          field.is_plain_number() && !counts_tokens(field));
  if (is_null) {
    if (!field.null_value) return {};
    if (counts_tokens(field)) return write_null_count(field);
    value = {JsonToken::kString, *field.null_value};
  }
  switch (field.traits().value) {
    case ValueForm::kNumber:
      return write_number(field, value);
    case ValueForm::kText:
      put(field, value.text);
      return {};
    case ValueForm::kPoint:  // copied to the field
      return write_point(field, value.quoted() ? JsonValue::string(std::string(value.text))
                                               : JsonValue::number(std::string(value.text)));
    case ValueForm::kKeyword:
      return write_keyword(field, value.text);
    case ValueForm::kConstant:
      return write_constant(field, value.text);
    case ValueForm::kEncoded:
      return write_encoded(field, value.text);
    case ValueForm::kBinary:
      return write_binary(field, value);
    case ValueForm::kCompletion:
      if (value.quoted()) return write_input(field, value.text, 1);
      return context_.misfit(
          field, "expected text or object, but got " + std::string(json_token_name(value.token)));
    case ValueForm::kRange:
      return is_null ? Status() : write_network(field, value);
    case ValueForm::kFeature:
      return write_feature(field, {}, value);
    case ValueForm::kFeatures:
      return refuse_features(field);
    case ValueForm::kArray:
      return is_null ? Status() : refuse_scalar(field, "START_ARRAY", value);
    case ValueForm::kObject:
      break;
  }
  return is_null ? Status() : refuse_scalar(field, "START_OBJECT", value);
}

Status LeafWriter::refuse_scalar(const Field& field, std::string_view expected,
                                 const Scalar& value) {
  return context_.misfit(field, "Failed to parse object: expecting token of type [" +
                                    std::string(expected) + "] but found [" +
                                    std::string(json_token_name(value.token)) + "]");
}

Status LeafWriter::refuse_features(const Field& field) {
  return context_.misfit(field,
                         "[rank_features] fields must be json objects, expected a START_OBJECT but "
                         "got: " +
                             std::string(json_token_name(context_.scanner.token())));
}

Status LeafWriter::refuse(const Field& field, const std::string& cause) {
  if (!field.ignore_malformed) return context_.misfit(field, cause);
  context_.out.ignored.push_back(field.name);
  return {};
}

/// The value just read including nested values, up to its end.
Result<JsonValue> LeafWriter::whole_value() {
  JsonScanner& scanner = context_.scanner;
  const size_t start = scanner.start();
  const bool nested =
      scanner.token() == JsonToken::kArrayStart || scanner.token() == JsonToken::kObjectStart;
  if (scanner.token() == JsonToken::kError || (nested && !scanner.skip_value())) {
    return context_.malformed();
  }
  return JsonValue::parse(context_.source.substr(start, scanner.end() - start));
}

Status LeafWriter::write_points(const Field& field) {
  QUARRY_ASSIGN_OR_RETURN(const JsonValue value, whole_value());
  return write_points(field, value);
}

Status LeafWriter::write_points(const Field& field, const JsonValue& value) {
  if (value.is_array() && !is_coordinate_array(value)) {
    for (const JsonValue& item : value.items()) {
      QUARRY_RETURN_IF_ERROR(write_points(field, item));
    }
    return {};
  }
  if (!value.is_null()) return write_point(field, value);
  if (!field.null_value) return {};
  return write_point(field, JsonValue::string(*field.null_value));
}

/// Multi-fields of other types get the geohash of the point, as in Elasticsearch.
Status LeafWriter::write_point(const Field& field, const JsonValue& value) {
  QUARRY_RETURN_IF_ERROR(check_count(field));
  Result<GeoPoint> point = read_point(value, field.ignore_z);
  if (!point.ok()) return refuse(field, point.status().reason());
  if (field.ignore_malformed) *point = normalized(*point);
  const std::string problem = check_coordinates(*point);
  if (!problem.empty()) return context_.misfit(field, problem + " for " + field.name);
  context_.put(field, encode_point(*point), {});
  for (const uint32_t id : field.multi_fields) {
    const Field& sub = context_.mapping.field(id);
    if (sub.has_points()) {
      context_.put(sub, encode_point(*point), {});
    } else {
      const std::string hash = geohash_of(*point, kLongestGeohash);
      QUARRY_RETURN_IF_ERROR(write_one(sub, {JsonToken::kString, context_.out.arena.copy(hash)}));
    }
  }
  return {};
}

Status LeafWriter::write_range(const Field& field) {
  const size_t start = context_.scanner.start();
  QUARRY_ASSIGN_OR_RETURN(const JsonValue value, whole_value());
  const Result<std::string> term = parse_range(field, value);
  if (!term.ok()) return context_.misfit(field, term.status().reason(), start);
  put(field, context_.out.arena.copy(*term));
  return {};
}

Status LeafWriter::write_network(const Field& field, const Scalar& value) {
  const JsonValue text = value.quoted() ? JsonValue::string(std::string(value.text))
                                        : JsonValue::number(std::string(value.text));
  const Result<std::string> term = parse_range(field, text);
  if (!term.ok()) return context_.misfit(field, term.status().reason());
  put(field, context_.out.arena.copy(*term));
  return {};
}

/// Only compares: the constant is added to every document at the end.
Status LeafWriter::write_constant(const Field& field, std::string_view text) {
  if (!field.constant || *field.constant == text) return {};
  return context_.misfit(field, "[constant_keyword] field [" + field.name +
                                    "] only accepts values that are equal to the value defined in "
                                    "the mappings [" +
                                    *field.constant + "], but got [" + std::string(text) + "]");
}

/// The `null_value` of a token_count is the count itself.
Status LeafWriter::write_null_count(const Field& field) {
  Field plain = field;
  plain.analyzer = nullptr;
  return write_number(plain, {JsonToken::kString, *field.null_value});
}

Status LeafWriter::write_number(const Field& field, const Scalar& value) {
  const Result<int64_t> number = parse_value(field, value.text, value.quoted(), context_.analysis);
  if (!number.ok()) return refuse(field, number.status().cause());
  context_.put(field, *number, {});
  return {};
}

Status LeafWriter::write_keyword(const Field& field, std::string_view text) {
  if (is_too_long(text, field.ignore_above)) {
    context_.out.ignored.push_back(field.name);
    return {};
  }
  if (field.normalizer != nullptr) {
    const Result<std::string> normal = field.normalizer->normalize(text, context_.analysis);
    if (!normal.ok()) return context_.misfit(field, normal.status().reason());
    text = context_.out.arena.copy(*normal);
  }
  put(field, text);
  return {};
}

Status LeafWriter::write_encoded(const Field& field, std::string_view text) {
  const Result<std::string> term = field.traits().codec->encode(text);
  if (!term.ok()) return refuse(field, term.status().reason());
  put(field, context_.out.arena.copy(*term));
  return {};
}

Status LeafWriter::write_features(const Field& field) {
  JsonScanner& scanner = context_.scanner;
  while (scanner.next() == JsonToken::kKey) {
    const std::string_view name = scanner.content(context_.out.arena);
    scanner.next();
    QUARRY_RETURN_IF_ERROR(write_feature(field, name));
  }
  return scanner.token() == JsonToken::kError ? context_.malformed() : Status();
}

Status LeafWriter::write_feature(const Field& field, std::string_view name) {
  const Scalar value = scalar();
  switch (value.token) {
    case JsonToken::kError:
      return context_.malformed();
    case JsonToken::kNull:
      return {};
    case JsonToken::kString:
    case JsonToken::kNumber:
      break;
    default:
      return context_.misfit(field,
                             "[rank_features] fields take hashes that map a feature to a strictly "
                             "positive float, but got unexpected token " +
                                 std::string(json_token_name(value.token)));
  }
  if (name.find('.') != std::string_view::npos) {
    return context_.misfit(
        field, "[rank_features] fields do not support dots in feature names but found [" +
                   std::string(name) + "]");
  }
  if (name.find('\0') != std::string_view::npos)
    return context_.misfit(field, "Do not include the null byte in the name of a feature");
  return write_feature(field, name, value);
}

/// `name` is empty for a field of one feature.
Status LeafWriter::write_feature(const Field& field, std::string_view name, const Scalar& value) {
  const bool keyed = field.traits().features == FeatureKind::kKeyed;
  if (!features_[field.level].emplace(field.id, name).second) {
    return context_.misfit(field,
                           "[" + std::string(field_type_name(field.type)) +
                               "] fields do not support indexing multiple values for the same " +
                               (keyed ? "rank feature [" + field.name + "." + std::string(name)
                                      : "field [" + field.name) +
                               "] in the same document");
  }
  const Result<float> number = parse_feature(value.text);
  if (!number.ok()) return context_.misfit(field, number.status().reason());
  const Result<uint32_t> code = encode_feature(field.positive_impact ? *number : 1 / *number,
                                               keyed ? name : std::string_view(field.name),
                                               keyed ? std::string_view(field.name) : "_feature");
  if (!code.ok()) return context_.misfit(field, code.status().reason());
  put(field, context_.out.arena.copy(feature_term(name, *code)));
  return {};
}

Status LeafWriter::write_binary(const Field& field, const Scalar& value) {
  if (!value.quoted() || !is_base64(value.text))
    return context_.misfit(field, "the value is no base64 string");
  put(field, value.text);
  return {};
}

Status LeafWriter::write_flattened(const Field& field, const std::string& prefix) {
  std::string path = prefix;
  const auto dots = static_cast<uint32_t>(std::count(prefix.begin(), prefix.end(), '.'));
  return flatten_value(field, path, prefix.empty() ? 0 : dots + 1);
}

/// Writes the value just read, below the keys in `path`, which is restored before returning.
Status LeafWriter::flatten_value(const Field& field, std::string& path, uint32_t depth) {
  JsonScanner& scanner = context_.scanner;
  switch (scanner.token()) {
    case JsonToken::kArrayStart:
      while (scanner.next() != JsonToken::kArrayEnd) {
        QUARRY_RETURN_IF_ERROR(flatten_value(field, path, depth));
      }
      return {};
    case JsonToken::kObjectStart:
      if (depth + 1 > field.depth_limit) {
        return context_.misfit(field, "The provided [flattened] field [" + field.name +
                                          "] exceeds the maximum depth limit of [" +
                                          std::to_string(field.depth_limit) + "].");
      }
      while (scanner.next() == JsonToken::kKey) {
        const size_t length = path.size();
        if (!path.empty()) path += '.';
        path += scanner.content(context_.out.arena);
        scanner.next();
        QUARRY_RETURN_IF_ERROR(flatten_value(field, path, depth + 1));
        path.resize(length);
      }
      return scanner.token() == JsonToken::kError ? context_.malformed() : Status();
    case JsonToken::kError:
      return context_.malformed();
    default:
      return flatten_scalar(field, path);
  }
}

Status LeafWriter::flatten_scalar(const Field& field, const std::string& path) {
  Scalar value = scalar();
  if (value.token == JsonToken::kNull) {
    if (!field.null_value) return {};
    value.text = *field.null_value;
  }
  if (is_too_long(value.text, field.ignore_above)) return {};
  const bool has_nul = path.find('\0') != std::string::npos;
  if (has_nul)
    return context_.misfit(field, "Do not include the null byte in a key of a [flattened] field");
  put(field, value.text);
  char* keyed = context_.out.arena.allocate(path.size() + 1 + value.text.size());
  std::copy(path.begin(), path.end(), keyed);
  keyed[path.size()] = '\0';
  std::copy(value.text.begin(), value.text.end(), keyed + path.size() + 1);
  put(context_.mapping.field(context_.mapping.keyed_field(field.id)),
      {keyed, path.size() + 1 + value.text.size()});
  return {};
}

}  // namespace quarry
