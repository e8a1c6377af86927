/* steps.c: a training step whose loss is a number, and whose gradient is none or longer than a
 * float can say, changes nothing. */
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

/* Everything that a step may change: a row of four numbers and one number, with their means. */
static int64_t everything(WeftModel *model, float *all) {
  const char *names[] = {"weight", "root", "m/weight", "v/weight", "m/root", "v/root"};
  int64_t count = 0;
  for (int i = 0; i < 6; ++i) {
    WeftTensor tensor = {.size = sizeof tensor};
    if (weft_parameter(model, names[i], &tensor))
      return 0;
    for (int64_t j = 0; j < tensor.count; ++j)
      all[count++] = ((float *)tensor.data)[j];
  }
  return count;
}

static int overflow(WeftModel *model, WeftTrainer *trainer, WeftRun *batch) {
  WeftTensor root = {.size = sizeof root};
  if (weft_run_size(batch, "batch", 2) || weft_run_allocate(batch) ||
      weft_parameter(model, "root", &root))
    return failed("batch");
  float *x = input(batch, "x").data;
  /* a gradient that is NaN; gradients that no float holds; that have no norm that a float holds;
   * whose squares have none, which may be taken or not */
  const struct {
    float x, root;
  } cases[] = {{1, 0}, {FLT_MAX, 1}, {FLT_MAX / 2, 1}, {1e25f, 1}};
  for (int i = 0; i < 4; ++i) {
    *(float *)root.data = cases[i].root;
    weft_parameters_changed(model);
    for (int64_t j = 0; j < input(batch, "x").count; ++j)
      x[j] = j % 4 < 2 ? cases[i].x : -cases[i].x; /* so that the loss is a number */
    float before[16], after[16];
    int64_t count = everything(model, before);
    if (count != 15)
      return failed("parameters");
    WeftStep step = {.size = sizeof step};
    WeftStatus status = weft_trainer_step(trainer, &step);
    if (status != WEFT_ERROR_VALUE && (i < 3 || status != WEFT_OK)) {
      fprintf(stderr, "case %d: ", i);
      return failed("step");
    }
    everything(model, after);
    for (int64_t j = 0; j < count; ++j)
      if (status == WEFT_OK ? !(after[j] >= -FLT_MAX && after[j] <= FLT_MAX)
                            : after[j] != before[j]) {
        fprintf(stderr, "case %d: status %d, number %d was %g and is %g\n", i, (int)status, (int)j,
                (double)before[j], (double)after[j]);
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
