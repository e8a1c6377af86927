/* The random numbers of `model.random`, in the C that C++ has too: the interpreter includes them,
 * and programs of the target `c` have them in front. */
#ifndef WEFT_IR_REFERENCE_PHILOX_H
#define WEFT_IR_REFERENCE_PHILOX_H

#include <stdint.h>

/* Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC
 * 2011. The four words of a counter become four random ones. */
static inline void weft_philox(uint32_t *words, uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    uint64_t a = (uint64_t)0xD2511F53 * words[0], b = (uint64_t)0xCD9E8D57 * words[2];
    words[0] = (uint32_t)(b >> 32) ^ words[1] ^ key0;
    words[1] = (uint32_t)b;
    words[2] = (uint32_t)(a >> 32) ^ words[3] ^ key1;
    words[3] = (uint32_t)a;
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
}

/* Uniform in [0, 1), a multiple of 2^-24. `draws` are seed, step and the index of the first element
 * (weft_random_key); `path` stands for the place in the program. */
static inline float weft_random(const uint64_t *draws, uint32_t path, uint64_t index) {
  index += draws[2];
  uint32_t words[] = {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)draws[1], path};
  weft_philox(words, (uint32_t)draws[0], (uint32_t)(draws[0] >> 32));
  return (float)(words[0] >> 8) * (1.0f / 16777216.0f);
}

#endif
