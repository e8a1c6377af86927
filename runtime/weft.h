/* weft.h: a compiled model inside a program of yours, in C or C++.
 *
 *   weft build gpt.weft --config tiny --shared -o libgpt.so
 *   cc main.c -I FOLDER_OF_THIS_FILE ./libgpt.so -Wl,-rpath,'$ORIGIN'
 *
 * The library (always a .so) needs nothing but libc, libm and libstdc++. It holds one model; to
 * have several in one process, open each library with dlopen(path, RTLD_NOW | RTLD_LOCAL).
 *
 * Every function that can fail says so by what it returns (a status, NULL, or -1) and leaves a
 * sentence in weft_error(). Below, "errors" are the statuses a function returns, or would if it did
 * not return NULL or -1; each may also be WEFT_ERROR_MEMORY. Nothing here prints, exits, or throws.
 * Pointers must not be NULL unless it says so. Texts are UTF-8. A model, and everything made from
 * it, is for one thread at a time; different models are independent. docs/abi.md has the rest.
 */
#ifndef WEFT_H
#define WEFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when a program built against an older header would no longer work. */
#define WEFT_API_VERSION 1

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

typedef enum WeftStatus {
  WEFT_OK = 0,
  WEFT_ERROR_USAGE = 2, /* an argument that makes no sense */
  WEFT_ERROR_NAME = 3,  /* no entry, dimension, tensor or file entry of that name */
  WEFT_ERROR_SIZE = 4,  /* a shape or size that does not fit */
  WEFT_ERROR_TYPE = 5,  /* another element type than the model's */
  WEFT_ERROR_VALUE =
      6, /* an index out of range, NaN in the weights, a character the vocabulary lacks */
  WEFT_ERROR_FILE = 7,     /* a file that cannot be read or written, or is not what it should be */
  WEFT_ERROR_MEMORY = 8,   /* not enough memory */
  WEFT_ERROR_INTERNAL = 70 /* ours */
} WeftStatus;

/* What went wrong in the last call of this thread that failed; "" before the first. Valid until the
 * next failure. */
WEFT_API const char *weft_error(void);

/* ---- The model: parameters and threads ---- */

typedef struct WeftModel WeftModel;

/* All zero is the default. */
typedef struct WeftOptions {
  int32_t threads; /* threads to compute with, the calling one included; 0: the cores available to
                      the process */
  int32_t pin;     /* 1: keep every thread, the calling one too, on a core of its own */
  const char *isa; /* "x86-64-v3" or "avx512"; NULL: the best that machine and library have */
} WeftOptions;

/* Opens the model of this library; its parameters are those that the library carries (`weft build
 * --shared --weights`), or zero. `options` may be NULL. NULL on failure. Errors: USAGE, threads out
 * of range (0 to 1024), or an instruction set that the machine or the library lacks; FILE, the
 * library was cut short behind its code. */
WEFT_API WeftModel *weft_open(const WeftOptions *options);
/* NULL is fine, here and wherever something is closed. */
WEFT_API void weft_close(WeftModel *model);

/* What the model is, as JSON (docs/abi.md): dimensions, parameters, entries. Lasts as long as the
 * library. */
WEFT_API const char *weft_facts(const WeftModel *model);
/* How many threads compute: fewer than asked for where the system refuses some. */
WEFT_API int32_t weft_threads(const WeftModel *model);

/* Reads all parameters: from a safetensors file, the folder of a training (its newest whole
 * checkpoint) or one checkpoint. F16, BF16 and F64 are converted. After an error nothing has
 * changed. Errors: FILE, not to be read or not what it should be; NAME, tensors are missing or
 * surplus, or the folder has no whole checkpoint; SIZE, a tensor has another shape; TYPE, its
 * elements do not convert; VALUE, a number is NaN or infinite, or the folder's weights were made
 * with other options or sizes than this library. */
WEFT_API WeftStatus weft_load(WeftModel *model, const char *path);
/* Sets all parameters as the model initializes them. The same seed gives the same numbers
 * everywhere. Gives WEFT_OK. */
WEFT_API WeftStatus weft_initialize(WeftModel *model, uint64_t seed);
/* Writes all parameters to a safetensors file, one tensor per layer; an older file is replaced
 * when the new one is whole. Errors: FILE. */
WEFT_API WeftStatus weft_save(const WeftModel *model, const char *path);

/* ---- Tensors ---- */

typedef enum WeftElement {
  WEFT_FLOAT = 0, /* float */
  WEFT_INT = 1,   /* int32_t; indices too */
  WEFT_BOOL = 2   /* one byte, 0 or 1 */
} WeftElement;

/* A view of memory that the model owns: dense, row-major, dimensions in the order the model
 * declares them. */
typedef struct WeftTensor {
  void *data; /* NULL: the call failed */
  WeftElement element;
  int32_t rank;
  const int64_t *shape; /* `rank` sizes; as long as `data` is valid */
  int64_t count;        /* elements: the product of the shape, 1 for a single number */
} WeftTensor;

/* A parameter by its name in the facts; those of a repeated block are stacked, the passes of the
 * repeats first. Call weft_parameters_changed() after writing to it. Valid until weft_close().
 * Errors: NAME. */
WEFT_API WeftTensor weft_parameter(WeftModel *model, const char *name);
WEFT_API void weft_parameters_changed(WeftModel *model);

/* ---- Running an entry ---- */

typedef struct WeftRun WeftRun;

/* One entry of the model, with memory of its own. NULL on failure. Close it before the model.
 * Errors: NAME. */
WEFT_API WeftRun *weft_run_open(WeftModel *model, const char *entry);
WEFT_API void weft_run_close(WeftRun *run);
/* Says the size (in elements, at least 1) of a dimension that the model leaves open, for the next
 * weft_run_allocate(). Errors: NAME; SIZE, fixed otherwise or over its bound. */
WEFT_API WeftStatus weft_run_size(WeftRun *run, const char *dimension, int64_t size);
/* Checks the sizes and makes room for inputs, outputs and work space; what the inputs held is lost.
 * May be called again after other sizes were said; memory that is large enough is kept. Errors:
 * SIZE, one that is needed was not said or does not go with the others. */
WEFT_API WeftStatus weft_run_allocate(WeftRun *run);
/* An input to write to, an output to read from, by name; valid until the next weft_run_allocate().
 * Errors: USAGE, before the first weft_run_allocate(); NAME. */
WEFT_API WeftTensor weft_run_input(WeftRun *run, const char *name);
WEFT_API WeftTensor weft_run_output(WeftRun *run, const char *name);
/* Computes the outputs. `seed` and `step` are what `random` counts from: the same two, the same
 * numbers. An `update` entry changes parameters. Errors: USAGE, before weft_run_allocate(); VALUE,
 * an index outside the dimension it indexes or a bool that is neither 0 nor 1, before anything is
 * computed. */
WEFT_API WeftStatus weft_run(WeftRun *run, uint64_t seed, uint64_t step);

/* ---- Training, on batches of yours ---- */

typedef struct WeftTrainer WeftTrainer;

/* A training that `minimize` derived; NULL: the first. Schedules reach their end at step `steps`;
 * `seed` is what dropout and its like count from, as with `train --seed`. Parameters must have been
 * loaded or initialized. The states of the optimizer begin as the model says. NULL on failure.
 * Close it before the model. Errors: NAME, there is no such training; USAGE, `steps` below 1. */
WEFT_API WeftTrainer *weft_trainer_open(WeftModel *model, const char *training, int64_t steps,
                                        uint64_t seed);
WEFT_API void weft_trainer_close(WeftTrainer *trainer);
/* The run that takes a batch: say its sizes, allocate, write its inputs; weft_trainer_step() runs
 * it. It belongs to the trainer. */
WEFT_API WeftRun *weft_trainer_batch(WeftTrainer *trainer);

/* The loss of the batch before the step; the norm of all gradients together, before clipping, and
 * the learning rate (0 where the model does not say). */
typedef struct WeftStep {
  double loss, norm, rate;
} WeftStep;

/* One step on the batch that the inputs hold: gradients, then the optimizer. `step` may be NULL.
 * Errors: USAGE, before weft_run_allocate() or after the last step; VALUE, an index outside the
 * dimension it indexes, or a loss or gradient that is no number: the training has diverged. */
WEFT_API WeftStatus weft_trainer_step(WeftTrainer *trainer, WeftStep *step);
/* How many steps were taken. */
WEFT_API int64_t weft_trainer_steps_taken(const WeftTrainer *trainer);

/* ---- Continuing a sequence, with the caches derived from `decode` ---- */

typedef struct WeftGenerator WeftGenerator;

/* Room for `capacity` positions of a sequence, at least 1. `decoding` is the name of an entry
 * made by `decode`; NULL: the first. NULL on failure. Close it before the model. Errors: NAME,
 * there is no such entry; SIZE, more positions than the model has, or than 2^28. */
WEFT_API WeftGenerator *weft_generator_open(WeftModel *model, const char *decoding,
                                            int64_t capacity);
WEFT_API void weft_generator_close(WeftGenerator *generator);
/* Continues so many sequences side by side from now on (1 at first), each with room for `capacity`
 * positions; forgets all positions. Errors: USAGE, below 1; VALUE, the model's ids have no batch.
 */
WEFT_API WeftStatus weft_generator_rows(WeftGenerator *generator, int64_t rows);
/* Gives what the decoding takes besides ids, such as the sentences to translate: a tensor for all
 * rows, which is copied; `data` holds `rank` sizes' worth of elements of the input's type, float,
 * int32_t or one byte. Forgets all positions. Errors: NAME, no such input; SIZE, another rank or a
 * size below 1. */
WEFT_API WeftStatus weft_generator_input(WeftGenerator *generator, const char *name,
                                         const void *data, const int64_t *shape, int32_t rank);
/* Row r goes on from what row from[r] has taken in, inputs included: what a search by beams needs.
 * Errors: USAGE, a row that is none. */
WEFT_API WeftStatus weft_generator_reorder(WeftGenerator *generator, const int64_t *from);
/* How many ids there are, and so logits. */
WEFT_API int64_t weft_generator_vocabulary(const WeftGenerator *generator);
/* Takes in `count` further ids of each row, row after row, at least one: the whole prompt first,
 * then one at a time. Gives the logits of the id after the last of each row, one for each of
 * weft_generator_vocabulary() ids, valid until the next call; NULL on failure, after which the
 * generator is as before. Errors: USAGE, `count` below 1; SIZE, no room for so many positions, or
 * inputs that do not go together; VALUE, an id that is none, or an input that was not given. */
WEFT_API const float *weft_advance(WeftGenerator *generator, const int32_t *ids, int64_t count);
/* How many positions it has taken in. */
WEFT_API int64_t weft_generator_known(const WeftGenerator *generator);
/* Forgets all positions, to begin another sequence. */
WEFT_API void weft_generator_reset(WeftGenerator *generator);

/* All zero takes the most likely id, the lowest of equals. */
typedef struct WeftSampling {
  double temperature; /* what logits are divided by; 0: the most likely id */
  int64_t top_k;      /* only the K most likely; 0: all */
  double top_p;       /* only the most likely that together have this probability; 0: all */
  double min_p;       /* only those with this share of the most likely one's probability */
  uint64_t seed;
} WeftSampling;

/* Chooses one of the ids 0 to `count` - 1 by its logit. `sampling` may be NULL: the most likely.
 * The draw depends on the seed and on `position`, the place where the id will stand
 * (weft_generator_known()), alone. -1 on failure. Errors: USAGE, no logits or a setting out of
 * range; VALUE, a logit is NaN. */
WEFT_API int32_t weft_sample(const float *logits, int64_t count, const WeftSampling *sampling,
                             int64_t position);

/* ---- Text ---- */

typedef struct WeftTokenizer WeftTokenizer;

/* The tokenizer of a training: its folder, a checkpoint, or a tokenizer.json (of sources:
 * source-tokenizer.json, beside it); a file of another format that docs/abi.md lists, or a folder
 * with one; or "byte". NULL on failure. Needs no model.
 * Errors: FILE; NAME, the folder has no whole checkpoint. */
WEFT_API WeftTokenizer *weft_tokenizer_open(const char *path);
/* The tokenizer that the library carries; the model may be closed before it. NULL on failure.
 * Errors: NAME, it carries none. */
WEFT_API WeftTokenizer *weft_tokenizer_carried(const WeftModel *model);
/* The same of the sources that a model translates; weft_tokenizer_carried() is that of what it
 * makes of them. Where a training made the vocabularies, a source ends with weft_tokenizer_end().
 */
WEFT_API WeftTokenizer *weft_source_tokenizer_carried(const WeftModel *model);
WEFT_API void weft_tokenizer_close(WeftTokenizer *tokenizer);
/* How many ids it has, 0 to size - 1; a model may have more. */
WEFT_API int64_t weft_tokenizer_size(const WeftTokenizer *tokenizer);
/* The id that begins every text, which weft_encode leaves to the caller, and the one that ends it;
 * -1 where there is none. */
WEFT_API int32_t weft_tokenizer_start(const WeftTokenizer *tokenizer);
WEFT_API int32_t weft_tokenizer_end(const WeftTokenizer *tokenizer);
/* Writes the ids of a text of so many bytes, at most `capacity` of them, and gives how many there
 * are, written or not: `capacity` 0 counts, and `ids` may be NULL then. -1 on failure. Errors:
 * VALUE, a character that the vocabulary lacks. */
WEFT_API int64_t weft_encode(const WeftTokenizer *tokenizer, const char *text, size_t bytes,
                             int32_t *ids, int64_t capacity);
/* Writes the bytes of one id, at most `capacity` of them, without an ending zero, and gives how
 * many there are, written or not; 0 for an id that is none. They need not be whole characters. Some
 * tokenizers have a space before the first word of a text, which weft_decode_all leaves out. */
WEFT_API int64_t weft_decode(const WeftTokenizer *tokenizer, int32_t id, char *bytes,
                             int64_t capacity);
/* The same for the ids of a text, from its beginning. */
WEFT_API int64_t weft_decode_all(const WeftTokenizer *tokenizer, const int32_t *ids, int64_t count,
                                 char *bytes, int64_t capacity);

#ifdef __cplusplus
}
#endif
#endif
