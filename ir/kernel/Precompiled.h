// The model dialect beside MLIR, for everything behind it; precompiled once.
#ifndef WEFT_IR_KERNEL_PRECOMPILED_H
#define WEFT_IR_KERNEL_PRECOMPILED_H

#include "ir/Precompiled.h"
#include "ir/model/Model.h"

#endif // WEFT_IR_KERNEL_PRECOMPILED_H
