/* steps.c: a training step whose loss is a number, and whose gradient is longer than a float can
 * say, changes nothing. */
#include "weft.h"

#include <float.h>
#include <stdio.h>

static int failed(const char *what) {
  fprintf(stderr, "%s: status %d, %s\n", what, (int)weft_status(), weft_error());
  return 1;
}

static WeftTensor input(WeftRun *run, const char *name) {
  WeftTensor tensor = {.size = sizeof tensor};
  weft_run_input(run, name, &tensor);
  return tensor;
}

static int overflow(WeftModel *model, WeftTrainer *trainer, WeftRun *batch) {
  WeftTensor weight = {.size = sizeof weight};
  if (weft_run_size(batch, "batch", 2) || weft_run_allocate(batch) ||
      weft_parameter(model, "weight", &weight))
    return failed("batch");
  float *x = input(batch, "x").data, *w = weight.data;
  /* gradients that no float holds; that have no norm that a float holds; whose squares have none */
  const float values[] = {FLT_MAX, FLT_MAX / 2, 1e25f};
  for (int i = 0; i < 3; ++i) {
    for (int64_t j = 0; j < weight.count; ++j)
      w[j] = 0;
    weft_parameters_changed(model);
    for (int64_t j = 0; j < input(batch, "x").count; ++j)
      x[j] = values[i];
    WeftStep step = {.size = sizeof step};
    WeftStatus status = weft_trainer_step(trainer, &step);
    if (status != WEFT_OK && status != WEFT_ERROR_VALUE)
      return failed("step");
    if (i < 2 && status == WEFT_OK)
      return failed("a gradient without a norm was taken");
    for (int64_t j = 0; j < weight.count; ++j)
      if (status == WEFT_OK ? !(w[j] >= -FLT_MAX && w[j] <= FLT_MAX) : w[j] != 0) {
        fprintf(stderr, "gradient %g: status %d, weight %g\n", (double)values[i], (int)status,
                (double)w[j]);
        return 1;
      }
  }
  return 0;
}

int main(int argc, char **argv) {
  WeftModel *model = weft_open(NULL);
  if (!model || weft_initialize(model, 1))
    return failed("open");
  WeftTrainer *trainer = weft_trainer_open(model, NULL, 100000, 1);
  WeftRun *batch = trainer ? weft_trainer_batch(trainer) : NULL;
  if (!batch)
    return failed("trainer");
  int code = overflow(model, trainer, batch);
  if (code == 0 && argc > 1 && weft_trainer_save(trainer, argv[1]))
    code = failed("save");
  weft_trainer_close(trainer);
  weft_close(model);
  return code;
}
