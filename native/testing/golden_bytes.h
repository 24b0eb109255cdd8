// Reads the golden bytes that both sides of the boundary use: test/golden/wire, which the
// TypeScript tests write.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "json/value.h"
#include "testing/test.h"

namespace quarry::testing {

inline Result<JsonValue> golden_json(const std::string& name) {
  std::ifstream in(std::string(QUARRY_SOURCE_DIR) + "/test/golden/wire/" + name + ".json");
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return JsonValue::parse(text);
}

inline std::vector<uint8_t> read_golden_bytes(const std::string& name) {
  const Result<JsonValue> json = golden_json(name);
  EXPECT_OK(json);
  std::vector<uint8_t> bytes;
  if (!json.ok()) return bytes;
  const std::string hex(json->find("hex")->text());
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

}  // namespace quarry::testing
