// The opcode table as data, for the coordinator: it never repeats a number of query/opcodes.def.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace quarry {

struct OpcodeRow {
  std::string_view name;  // DSL name
  uint16_t number;
};

std::span<const OpcodeRow> opcode_table();

}  // namespace quarry
