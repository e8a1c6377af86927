// The sum of values that share scales, weighted for one query, from where they lie.
#ifndef WEFT_CODEGEN_CPU_ATTENTION_GROUPEDVALUES_H
#define WEFT_CODEGEN_CPU_ATTENTION_GROUPEDVALUES_H

#include "codegen/cpu/base/IsaEmission.h"
#include "codegen/emit/Stored.h"

namespace weft::cpu {

/// sums[column] += sum over keys of weights[key] * values[key][column]. Pointers are to float, but
/// for values, all else is i64.
struct GroupedValues {
  llvm::Value *weights, *keys;       // the weight of the first key; how many keys
  llvm::Value *values, *valueStride; // its value; elements from one to the next
  Stored value;                      // how elements of a value are stored: in groups
  llvm::Value *sums;
  int64_t columns; // whole groups
};

/// Emits the loops: sums stay in registers over all keys, and scales multiply weights.
void emitGroupedValues(llvm::IRBuilderBase &builder, Emission &emission,
                       const GroupedValues &values);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ATTENTION_GROUPEDVALUES_H
