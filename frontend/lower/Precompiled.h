// What everything from the checked tree to the model dialect includes; precompiled once.
#ifndef WEFT_FRONTEND_LOWER_PRECOMPILED_H
#define WEFT_FRONTEND_LOWER_PRECOMPILED_H

#include "frontend/Precompiled.h"
#include "frontend/semantics/Program.h"
#include "ir/PrecompiledModel.h"

#endif // WEFT_FRONTEND_LOWER_PRECOMPILED_H
