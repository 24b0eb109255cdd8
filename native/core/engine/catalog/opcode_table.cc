#include "engine/catalog/opcode_table.h"

namespace quarry {
namespace {

constexpr OpcodeRow kRows[] = {
#define PLAN_OP(id, number, name, layout) {name, number},
#include "query/plan/opcodes.def"
};

}  // namespace

std::span<const OpcodeRow> opcode_table() { return kRows; }

}  // namespace quarry
