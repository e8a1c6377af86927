// What nearly every file of the program `weft` includes: the compiler, and documents as JSON;
// precompiled once.
#ifndef WEFT_TOOLS_PRECOMPILED_H
#define WEFT_TOOLS_PRECOMPILED_H

#include "codegen/Precompiled.h"
#include "frontend/Precompiled.h"
#include "frontend/semantics/Program.h"
#include "runtime/base/Json.h"
#include "tools/weft/base/Compilation.h"

#endif // WEFT_TOOLS_PRECOMPILED_H
