// The blocks of ggml. A half is a scale, or what is taken away from all numbers of a block; those
// of 256 numbers ("K") have a whole number of 4 or 6 bits for each 16 or 32, times such a half.
#include "tools/weft/foreign/gguf/Blocks.h"

#include "runtime/tensors/ElementType.h"

namespace weft {
namespace {

constexpr int32_t group = 32, super = 256;

float half(const uint8_t *at) {
  float value = 0;
  runtime::convert(runtime::ElementType::F16, reinterpret_cast<const std::byte *>(at), 1,
                   runtime::Element::Float, &value);
  return value;
}

int32_t bits(uint8_t byte, int32_t from, int32_t count) {
  return byte >> from & ((1 << count) - 1);
}

/// 4 bits of number `i` of 32: the lower ones of 16 bytes, then the upper ones.
int32_t fourBits(const uint8_t *numbers, int32_t i) {
  return bits(numbers[i % 16], i < 16 ? 0 : 4, 4);
}

/// The fifth bit of number `i` of 32.
int32_t fifthBit(const uint8_t *upper, int32_t i) {
  return bits(upper[i / 8], i % 8, 1) << 4;
}

void decodeQ4_0(const uint8_t *block, float *values) {
  float scale = half(block);
  for (int32_t i = 0; i < group; ++i)
    values[i] = static_cast<float>(fourBits(block + 2, i) - 8) * scale;
}

void decodeQ4_1(const uint8_t *block, float *values) {
  float scale = half(block), least = half(block + 2);
  for (int32_t i = 0; i < group; ++i)
    values[i] = static_cast<float>(fourBits(block + 4, i)) * scale + least;
}

void decodeQ5_0(const uint8_t *block, float *values) {
  float scale = half(block);
  for (int32_t i = 0; i < group; ++i)
    values[i] = static_cast<float>((fourBits(block + 6, i) | fifthBit(block + 2, i)) - 16) * scale;
}

void decodeQ5_1(const uint8_t *block, float *values) {
  float scale = half(block), least = half(block + 2);
  for (int32_t i = 0; i < group; ++i)
    values[i] = static_cast<float>(fourBits(block + 8, i) | fifthBit(block + 4, i)) * scale + least;
}

void decodeQ8_0(const uint8_t *block, float *values) {
  float scale = half(block);
  for (int32_t i = 0; i < group; ++i)
    values[i] = static_cast<float>(static_cast<int8_t>(block[2 + i])) * scale;
}

/// Two bits of number `i` of 256: a byte has those of four numbers that are 32 apart.
int32_t twoBits(const uint8_t *numbers, int32_t i) {
  return bits(numbers[i / 128 * 32 + i % 32], i % 128 / 32 * 2, 2);
}

void decodeQ2_K(const uint8_t *block, float *values) {
  const uint8_t *numbers = block + 16;
  float scale = half(block + 80), least = half(block + 82);
  for (int32_t i = 0; i < super; ++i) {
    uint8_t both = block[i / 16];
    values[i] = scale * static_cast<float>(both & 15) * static_cast<float>(twoBits(numbers, i)) -
                least * static_cast<float>(both >> 4);
  }
}

void decodeQ3_K(const uint8_t *block, float *values) {
  const uint8_t *upper = block, *numbers = block + 32, *scales = block + 96;
  float scale = half(block + 108);
  for (int32_t i = 0; i < super; ++i) {
    int32_t sixteen = i / 16;
    int32_t low = bits(scales[sixteen % 8], sixteen / 8 * 4, 4),
            high = bits(scales[8 + sixteen % 4], sixteen / 4 * 2, 2);
    int32_t number = (twoBits(numbers, i) | bits(upper[i % 32], i / 32, 1) << 2) - 4;
    values[i] = scale * static_cast<float>((low | high << 4) - 32) * static_cast<float>(number);
  }
}

/// Scale and least number of 32 of Q4_K and Q5_K, 6 bits each: those of the first four are whole
/// in a byte, whose two upper bits are those of the others.
struct ScaleAndLeast {
  ScaleAndLeast(const uint8_t *packed, int32_t i)
      : scale(i < 4 ? packed[i] & 63 : (packed[i + 4] & 15) | packed[i - 4] >> 6 << 4),
        least(i < 4 ? packed[i + 4] & 63 : packed[i + 4] >> 4 | packed[i] >> 6 << 4) {}
  int32_t scale, least;
};

/// `upper`: 32 bytes, of which each has a fifth bit of eight numbers that are 32 apart; or null.
void decodeInThirtyTwos(const uint8_t *block, const uint8_t *upper, const uint8_t *numbers,
                        float *values) {
  float scale = half(block), least = half(block + 2);
  for (int32_t i = 0; i < super; ++i) {
    ScaleAndLeast own(block + 4, i / 32);
    int32_t number = bits(numbers[i / 64 * 32 + i % 32], i / 32 % 2 * 4, 4) |
                     (upper ? bits(upper[i % 32], i / 32, 1) << 4 : 0);
    values[i] = scale * static_cast<float>(own.scale) * static_cast<float>(number) -
                least * static_cast<float>(own.least);
  }
}

void decodeQ4_K(const uint8_t *block, float *values) {
  decodeInThirtyTwos(block, nullptr, block + 16, values);
}

void decodeQ5_K(const uint8_t *block, float *values) {
  decodeInThirtyTwos(block, block + 16, block + 48, values);
}

void decodeQ6_K(const uint8_t *block, float *values) {
  const uint8_t *upper = block + 128, *scales = block + 192;
  float scale = half(block + 208);
  for (int32_t i = 0; i < super; ++i) {
    int32_t part = i / 128, inPart = i % 128;
    int32_t number = bits(block[part * 64 + inPart % 64], inPart / 64 * 4, 4) |
                     bits(upper[part * 32 + i % 32], inPart / 32 * 2, 2) << 4;
    values[i] = scale * static_cast<float>(static_cast<int8_t>(scales[i / 16])) *
                static_cast<float>(number - 32);
  }
}

constexpr BlockFormat formats[] = {
    {"Q4_0", 2, group, 18, decodeQ4_0},   {"Q4_1", 3, group, 20, decodeQ4_1},
    {"Q5_0", 6, group, 22, decodeQ5_0},   {"Q5_1", 7, group, 24, decodeQ5_1},
    {"Q8_0", 8, group, 34, decodeQ8_0},   {"Q2_K", 10, super, 84, decodeQ2_K},
    {"Q3_K", 11, super, 110, decodeQ3_K}, {"Q4_K", 12, super, 144, decodeQ4_K},
    {"Q5_K", 13, super, 176, decodeQ5_K}, {"Q6_K", 14, super, 210, decodeQ6_K},
};

} // namespace

const BlockFormat *blockFormat(uint32_t number) {
  for (const BlockFormat &format : formats)
    if (format.number == number)
      return &format;
  return nullptr;
}

std::string blockFormatNames() {
  std::string names;
  for (const BlockFormat &format : formats)
    names += (names.empty() ? "" : ", ") + std::string(format.name);
  return names;
}

} // namespace weft
