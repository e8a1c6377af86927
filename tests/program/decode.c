/* decode.c: greedy tokens through the derived caches against a run of the whole entry on all tokens
 * so far.
 *
 *   decode WEIGHTS TOKENS [TIE]   prints the largest difference of a logit; 1 where an id differs
 * whose logits are not as near to each other as TIE */
#include "weft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed(void) {
  fprintf(stderr, "%s\n", weft_error());
  return 2;
}

static const float *whole(WeftRun *run, const int32_t *ids, int64_t count) {
  if (weft_run_size(run, "batch", 1) || weft_run_size(run, "seq", count) || weft_run_allocate(run))
    return NULL;
  WeftTensor tokens = {.size = sizeof tokens}, output = {.size = sizeof output};
  if (weft_run_input(run, "tokens", &tokens) || weft_run_output(run, "output", &output))
    return NULL;
  memcpy(tokens.data, ids, (size_t)count * sizeof *ids);
  if (weft_run(run, 0, 0))
    return NULL;
  return (const float *)output.data + output.count - output.shape[output.rank - 1];
}

int main(int argc, char **argv) {
  enum { most = 4096 };
  static int32_t ids[most];
  int64_t wanted = argc > 2 ? atoll(argv[2]) : 256, known = 0, fresh = 7, count = 7;
  WeftModel *model = weft_open(NULL);
  if (!model || weft_load(model, argv[1]))
    return failed();
  WeftRun *run = weft_run_open(model, "logits");
  WeftGenerator *generator = weft_generator_open(model, NULL, wanted + 7);
  if (!run || !generator)
    return failed();
  int64_t vocabulary = weft_generator_vocabulary(generator);
  for (int i = 0; i < 7; ++i)
    ids[i] = (int32_t)((i * 31 + 5) % vocabulary);
  double worst = 0, tie = argc > 3 ? atof(argv[3]) : 0;
  for (int64_t made = 0; made < wanted && count < most; ++made) {
    const float *stepped = weft_advance(generator, ids + known, fresh);
    const float *all = stepped ? whole(run, ids, count) : NULL;
    if (!all)
      return failed();
    for (int64_t i = 0; i < vocabulary; ++i)
      worst = fmax(worst, fabs((double)stepped[i] - all[i]));
    int32_t next = weft_sample(stepped, vocabulary, NULL, count),
            expected = weft_sample(all, vocabulary, NULL, count);
    if (next != expected && !(all[expected] - all[next] < tie)) {
      fprintf(stderr, "token %lld: %d through the caches, %d by the whole entry\n",
              (long long)count, next, expected);
      return 1;
    }
    known = count;
    ids[count++] = next;
    fresh = 1;
  }
  printf("%g\n", worst);
  return 0;
}
