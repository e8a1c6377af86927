/* What emitted C calls: arithmetic that C leaves open. It stands in every program
 * (codegen/c/Program.cpp). */

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
  return x != x ? 0 : (int32_t)fmin(fmax(floor(x), INT32_MIN), INT32_MAX);
}

/* a - b * floor(a / b), which has the sign of b; NaN where b is 0. */
static inline double weft_mod(double a, double b) {
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

/* Whether x at position i comes before y at j among the largest: NaN before all, of equals the
 * lower position. */
static inline bool weft_before(double x, int64_t i, double y, int64_t j) {
  bool equal = x == y || (x != x && y != y);
  return equal ? i < j : x > y || x != x;
}
