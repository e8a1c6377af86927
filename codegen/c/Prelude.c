/* What emitted C calls: arithmetic that C leaves open. It stands in every program
 * (codegen/c/Program.cpp). */

static inline int64_t weft_larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* Whole numbers wrap at 32 bits, which C promises of unsigned ones. */
static inline int32_t weft_add(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a + (uint32_t)b);
}
static inline int32_t weft_sub(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a - (uint32_t)b);
}
static inline int32_t weft_mul(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a * (uint32_t)b);
}

/* floor(x), cut to 32 bits; 0 of NaN. */
static inline int32_t weft_floor(double x) {
  double whole = floor(x);
  if (whole != whole)
    return 0;
  return whole <= INT32_MIN ? INT32_MIN : whole >= INT32_MAX ? INT32_MAX : (int32_t)whole;
}

/* A position along a dimension of `size`. */
static inline int32_t weft_clamp(int32_t x, int64_t size) {
  int32_t last = (int32_t)(size - 1), above = x > 0 ? x : 0;
  return above < last ? above : last;
}

/* floor(a / b), cut to 32 bits; 0 where b is 0. Unequal quotients of whole numbers of 32 bits
 * differ by more than a double rounds. */
static inline int32_t weft_floordiv(int32_t a, int32_t b) {
  return b == 0 ? 0 : weft_floor((double)a / b);
}

/* a - b * floor(a / b), which has the sign of b; 0 where b is 0. */
static inline int32_t weft_mod(int32_t a, int32_t b) {
  return b == 0 ? 0 : (int32_t)(a - b * floor((double)a / b));
}

/* The same of floats; NaN where b is 0. */
static inline double weft_fmod(double a, double b) {
  double rest = fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/* a ^ b: repeated multiplication where b is whole and at most 64. */
static inline double weft_pow(double a, double b) {
  if (b != floor(b) || fabs(b) > 64)
    return pow(a, b);
  double product = 1;
  for (int i = 0; i < fabs(b); ++i)
    product *= a;
  return b < 0 ? 1 / product : product;
}

/* A number that is the larger the earlier x at a position below 2^31 comes among the largest: NaN
 * above all, the lower position among equals. */
static inline int64_t weft_rank_whole(int32_t x, int64_t position) {
  return (int64_t)x * (INT64_C(1) << 32) + (INT32_MAX - position);
}
static inline int64_t weft_rank(float x, int64_t position) {
  union {
    float number;
    int32_t bits;
  } as = {x + 0.0f};
  int32_t order = x != x ? INT32_MAX : as.bits < 0 ? as.bits ^ INT32_MAX : as.bits;
  return weft_rank_whole(order, position);
}
