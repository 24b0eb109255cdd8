// Decodes requests about links, and encodes the reply of failed requests.
#include "query/links/link_counts.h"
#include "query/links/link_walk.h"

namespace quarry {
namespace {

/// Beyond this value a double cannot represent every millisecond; dates end far below it.
constexpr double kMaxMs = 9e15;

Status malformed() { return {ErrorType::kParsing, "malformed link request"}; }

bool read_texts(ByteReader& reader, std::vector<std::string_view>& out) {
  const auto count = reader.get<uint32_t>();
  if (count > reader.remaining() / sizeof(uint32_t)) return false;
  out.reserve(count);
  for (uint32_t i = 0; i < count; i++) out.push_back(reader.get_string());
  return !reader.failed();
}

bool is_instant(double ms) { return ms >= -kMaxMs && ms <= kMaxMs; }

LinkMoment moment_of(double world, bool as_known, double system) {
  LinkMoment moment;
  moment.world = static_cast<int64_t>(world);
  if (as_known) moment.system = static_cast<int64_t>(system);
  return moment;
}

}  // namespace

Result<LinkWalkRequest> decode_link_walk(Bytes bytes) {
  ByteReader reader(bytes);
  LinkWalkRequest request;
  request.sides = reader.get<uint8_t>();
  request.hops = reader.get<uint8_t>();
  request.with_retired = reader.get<uint8_t>() != 0;
  request.with_degrees = reader.get<uint8_t>() != 0;
  request.some_types = reader.get<uint8_t>() != 0;
  const bool as_known = reader.get<uint8_t>() != 0;
  const auto world = reader.get<double>();
  const auto system = reader.get<double>();
  request.limit = reader.get<uint32_t>();
  request.frontier = reader.get<uint32_t>();
  const bool texts = read_texts(reader, request.seeds) && read_texts(reader, request.types);
  const bool known = request.sides >= 1 && request.sides <= 3 && request.hops >= 1 &&
                     request.hops <= 2 && is_instant(world) && is_instant(system);
  if (!texts || !reader.done() || !known) return malformed();
  request.moment = moment_of(world, as_known, system);
  return request;
}

Result<LinkCountRequest> decode_link_count(Bytes bytes) {
  ByteReader reader(bytes);
  LinkCountRequest request;
  const bool as_known = reader.get<uint8_t>() != 0;
  const auto world = reader.get<double>();
  const auto system = reader.get<double>();
  request.top = reader.get<uint32_t>();
  if (reader.failed() || !reader.done() || !is_instant(world) || !is_instant(system))
    return malformed();
  request.moment = moment_of(world, as_known, system);
  return request;
}

std::vector<uint8_t> encode_links_error(const Status& status) {
  ByteWriter out;
  out.put(kLinksMagic);
  out.put(kLinksVersion);
  out.put(static_cast<uint16_t>(status.type()));
  out.put_string(status.reason());
  out.put_string(status.cause());
  return out.take();
}

}  // namespace quarry
