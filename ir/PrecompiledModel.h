// The model dialect beside MLIR, for everything behind it; precompiled once.
#ifndef WEFT_IR_PRECOMPILEDMODEL_H
#define WEFT_IR_PRECOMPILEDMODEL_H

#include "ir/Precompiled.h"
#include "ir/model/Model.h"

#endif // WEFT_IR_PRECOMPILEDMODEL_H
