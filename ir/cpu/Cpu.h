// The cpu dialect: schedules of kernels on a CPU. See Cpu.td.
#ifndef WEFT_IR_CPU_CPU_H
#define WEFT_IR_CPU_CPU_H

#include "ir/cpu/Tile.h"
#include "ir/kernel/Kernel.h"

#include "ir/cpu/CpuDialect.h.inc"

namespace weft::cpu {
/// Of a module: how many cores there should be work for.
inline constexpr llvm::StringLiteral coresAttr = "cpu.cores";
/// Of a kernel: the instruction sets for which its schedule is a tuned one.
inline constexpr llvm::StringLiteral tunedAttr = "cpu.tuned";
} // namespace weft::cpu

#define GET_ATTRDEF_CLASSES
#include "ir/cpu/CpuAttrdef.h.inc"

#endif // WEFT_IR_CPU_CPU_H
