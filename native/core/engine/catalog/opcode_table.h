// Names and numbers of query/plan/opcodes.def, for the coordinator.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace quarry {

struct OpcodeRow {
  std::string_view name;
  uint16_t number = 0;
};

std::span<const OpcodeRow> opcode_table();

}  // namespace quarry
