// By which names kernels call the emulator, for who links them in memory.
#ifndef WEFT_RUNTIME_EMULATOR_SYMBOLS_H
#define WEFT_RUNTIME_EMULATOR_SYMBOLS_H

#include <vector>

namespace weft::emulator {

struct Symbol {
  const char *name;
  void *address;
};

/// All functions of runtime/emulator/instructions.
std::vector<Symbol> symbols();

} // namespace weft::emulator
#endif
