// Threads with room for recursion along long chains of operations.
#ifndef WEFT_CODEGEN_HOST_LARGESTACK_H
#define WEFT_CODEGEN_HOST_LARGESTACK_H

#include <functional>
#include <vector>

namespace weft {

/// Runs all of `works`, as many at a time as there are cores, on stacks that hold the longest
/// program that is accepted (frontend/syntax/Limits.h). Where no such thread can be made, they run
/// here.
void runOnLargeStacks(std::vector<std::function<void()>> works);

} // namespace weft

#endif // WEFT_CODEGEN_HOST_LARGESTACK_H
