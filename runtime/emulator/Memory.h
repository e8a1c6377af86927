// The memory that the kernels of a launch may touch, beside that of their blocks.
#ifndef WEFT_RUNTIME_EMULATOR_MEMORY_H
#define WEFT_RUNTIME_EMULATOR_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace weft::emulator {

/// Asked from all threads that run blocks.
class Memory {
public:
  virtual ~Memory() = default;
  virtual bool holds(uintptr_t address, size_t bytes) const = 0;
  /// What lies at an address that is none of it, for messages.
  virtual std::string describe(uintptr_t address) const = 0;
};

} // namespace weft::emulator
#endif
