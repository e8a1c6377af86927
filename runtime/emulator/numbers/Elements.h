// The numbers that matrices are made of, as they lie in registers of 32 bits.
#ifndef WEFT_RUNTIME_EMULATOR_NUMBERS_ELEMENTS_H
#define WEFT_RUNTIME_EMULATOR_NUMBERS_ELEMENTS_H

#include <bit>
#include <cstdint>
#include <cstring>

// What takes most of the time is compiled once for each kind of machine.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WEFT_EMULATOR_FAST // the function that chooses would run before the sanitizer is ready
#endif
#endif
#ifndef WEFT_EMULATOR_FAST
#define WEFT_EMULATOR_FAST                                                                         \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif

namespace weft::emulator {

enum class ElementKind : uint32_t { bfloat16, float16, tf32 };

struct Bfloat16 {
  static constexpr unsigned perRegister = 2;
  static float value(uint32_t bits, unsigned which) {
    return std::bit_cast<float>(which ? bits & 0xffff0000u : bits << 16);
  }
};

struct Float16 {
  static constexpr unsigned perRegister = 2;
  static float value(uint32_t bits, unsigned which) {
    uint16_t half = uint16_t(bits >> 16 * which);
    _Float16 number;
    memcpy(&number, &half, sizeof number);
    return float(number);
  }
};

/// Of a float's 23 bits after the first, a device looks at 10.
struct Tf32 {
  static constexpr unsigned perRegister = 1;
  static float value(uint32_t bits, unsigned) { return std::bit_cast<float>(bits & ~0x1fffu); }
};

} // namespace weft::emulator
#endif
