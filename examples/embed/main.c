/* A model inside a C program: what it expects after a prompt, and what it makes of it.
 *
 *   embed CHECKPOINT "Love is" [TOKENS]
 *
 * It runs the entry `logits` once, then continues the prompt token by token with the cache that
 * `decode` gave the model. README.md says how to build it. */
#include "weft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_tokens = 4096, shown = 5 };

static int failed(const char *what) {
  fprintf(stderr, "%s: %s\n", what, weft_error());
  return 1;
}

static void print_token(const WeftTokenizer *tokenizer, int32_t id) {
  char bytes[256];
  int64_t count = weft_decode(tokenizer, id, bytes, sizeof bytes);
  fwrite(bytes, 1, count < (int64_t)sizeof bytes ? (size_t)count : sizeof bytes, stdout);
}

/* Prints the likeliest tokens after the prompt, by a run of the whole entry. */
static int print_logits(WeftModel *model, const WeftTokenizer *tokenizer, const int32_t *ids,
                        int64_t count) {
  WeftRun *run = weft_run_open(model, "logits");
  if (!run)
    return failed("logits");
  if (weft_run_size(run, "batch", 1) || weft_run_size(run, "seq", count) || weft_run_allocate(run))
    return failed("logits");
  WeftTensor tokens = {.size = sizeof tokens}, logits = {.size = sizeof logits};
  if (weft_run_input(run, "tokens", &tokens) || weft_run_output(run, "output", &logits))
    return failed("logits");
  memcpy(tokens.data, ids, (size_t)count * sizeof *ids);
  if (weft_run(run, 0, 0))
    return failed("logits");

  int64_t vocabulary = logits.shape[2], known = weft_tokenizer_size(tokenizer);
  const float *last = (const float *)logits.data + (count - 1) * vocabulary;
  int32_t best[shown] = {0};
  int found = 0;
  for (int64_t id = 0; id < vocabulary && id < known; ++id) {
    int at = found < shown ? found++ : shown;
    for (; at > 0 && last[id] > last[best[at - 1]]; --at)
      if (at < shown)
        best[at] = best[at - 1];
    if (at < shown)
      best[at] = (int32_t)id;
  }
  for (int i = 0; i < found; ++i) {
    printf("%9.4f  \"", (double)last[best[i]]);
    print_token(tokenizer, best[i]);
    printf("\"\n");
  }
  weft_run_close(run);
  return 0;
}

/* Continues the prompt by `wanted` tokens, drawn from the likelier ones. */
static int generate(WeftModel *model, const WeftTokenizer *tokenizer, const int32_t *ids,
                    int64_t count, int64_t wanted) {
  WeftGenerator *generator = weft_generator_open(model, NULL, count + wanted);
  if (!generator)
    return failed("generate");
  WeftSampling sampling = {.size = sizeof sampling, .temperature = 0.8, .top_p = 0.95, .seed = 1};
  int64_t known = weft_tokenizer_size(tokenizer), vocabulary = weft_generator_vocabulary(generator);
  const float *logits = weft_advance(generator, ids, count);
  for (int64_t i = 0; logits && i < wanted; ++i) {
    int32_t next = weft_sample(logits, known < vocabulary ? known : vocabulary, &sampling,
                               weft_generator_known(generator));
    if (next < 0)
      return failed("generate");
    if (next == weft_tokenizer_end(tokenizer))
      break;
    print_token(tokenizer, next);
    fflush(stdout);
    logits = weft_advance(generator, &next, 1);
  }
  printf("\n");
  if (!logits)
    return failed("generate");
  weft_generator_close(generator);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s CHECKPOINT PROMPT [TOKENS]\n", argv[0]);
    return 2;
  }
  WeftModel *model = weft_open(NULL);
  if (!model || weft_load(model, argv[1]))
    return failed(argv[1]);
  WeftTokenizer *tokenizer = weft_tokenizer_open(argv[1]);
  if (!tokenizer)
    return failed(argv[1]);
  static int32_t ids[most_tokens];
  int64_t count = weft_encode(tokenizer, argv[2], strlen(argv[2]), ids, most_tokens);
  if (count < 0)
    return failed("the prompt");
  if (count == 0 || count > most_tokens) {
    fprintf(stderr, "the prompt has %lld tokens, expected 1 to %d\n", (long long)count,
            most_tokens);
    return 1;
  }
  int code = print_logits(model, tokenizer, ids, count);
  printf("\n%s", argv[2]);
  if (code == 0)
    code = generate(model, tokenizer, ids, count, argc > 3 ? atoll(argv[3]) : 20);
  weft_tokenizer_close(tokenizer);
  weft_close(model);
  return code;
}
