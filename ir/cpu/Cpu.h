// The cpu dialect: schedules of kernels on a CPU. See Cpu.td.
#ifndef WEFT_IR_CPU_CPU_H
#define WEFT_IR_CPU_CPU_H

#include "ir/cpu/Tile.h"
#include "ir/kernel/Kernel.h"

#include "ir/cpu/CpuDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/cpu/CpuAttrdef.h.inc"

#endif // WEFT_IR_CPU_CPU_H
