/* weft.h: a compiled model inside a program of yours, in C or C++.
 *
 *   weft build gpt.weft --config tiny --shared -o libgpt.so
 *   cc main.c -I FOLDER_OF_THIS_FILE ./libgpt.so -Wl,-rpath,'$ORIGIN'
 *
 * The library (always a .so) needs nothing but libc, libm and libstdc++, and holds one model. To
 * link several, build each with a prefix of its own: `--shared --symbol-prefix gpt_` makes a
 * library that exports `const WeftApi *gpt_weft_api(void)`, the table at the end of this file, and
 * no other name. Or open each with dlopen(path, RTLD_NOW | RTLD_LOCAL).
 *
 * Every call leaves a status in weft_status() and, if it failed, a sentence in weft_error(),
 * whatever it returns. Below, "Errors" are the statuses that a function may leave; besides, each
 * may leave USAGE where a pointer is NULL that must not be, or where a forked child uses what its
 * parent has opened, and MEMORY. Pointers must not be NULL unless it says so. After an error
 * everything is as it was before the call, and can be used. Nothing here prints, exits, throws, or
 * takes signals.
 *
 * Texts are UTF-8. What is made from a model keeps it alive: things may be closed in any order,
 * each once. Threads may share a model: calls on it and on what is made from it wait for each
 * other. Different models are independent. docs/abi.md has all that a program may rely on, by
 * number.
 */
#ifndef WEFT_H
#define WEFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From version 2 on, a library serves programs that were built against an earlier header. */
#define WEFT_API_VERSION 4

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

typedef enum WeftStatus {
  WEFT_OK = 0,
  WEFT_ERROR_USAGE = 2,     /* an argument or an order of calls that makes no sense */
  WEFT_ERROR_NAME = 3,      /* no entry, dimension, tensor or file entry of that name */
  WEFT_ERROR_SIZE = 4,      /* a shape or size that does not fit */
  WEFT_ERROR_TYPE = 5,      /* another element type than the model's */
  WEFT_ERROR_VALUE = 6,     /* an index out of range, NaN in weights, a character that is unknown */
  WEFT_ERROR_FILE = 7,      /* a file that cannot be read or written, or is not what it should be */
  WEFT_ERROR_MEMORY = 8,    /* not enough memory */
  WEFT_ERROR_CANCELLED = 9, /* weft_cancel() was called */
  WEFT_ERROR_DEVICE = 10,   /* no such device, or it was lost: close the model (version 3) */
  WEFT_ERROR_INTERNAL = 70  /* a fault of Weft itself */
} WeftStatus;

/* The WEFT_API_VERSION that the library was built with. It leaves no status, as the next three. */
WEFT_API uint32_t weft_version(void);
/* The status of this thread's last call; closing leaves none: one can close and then ask. */
WEFT_API WeftStatus weft_status(void);
/* What went wrong in it, "" if nothing did. Valid until this thread's next call. */
WEFT_API const char *weft_error(void);
/* What a call that gave WEFT_OK did otherwise than one may expect, "" for nothing: the newest
 * checkpoint was damaged, and an older one was taken. Valid until this thread's next call. */
WEFT_API const char *weft_warning(void);

/* Structures begin with their size, which the caller sets, `WeftOptions options = {.size = sizeof
 * options}` (before C++20 `{sizeof options}`), and which may grow in later versions. USAGE, where
 * it is smaller than version 2 has it, or where something is set that the library does not know. */

/* ---- The model: parameters and threads ---- */

typedef struct WeftModel WeftModel;

/* All zero behind the size is the default. */
typedef struct WeftOptions {
  size_t size;     /* sizeof(WeftOptions) */
  int32_t threads; /* that compute, the caller too; 0: the process's cores (SMT siblings are one) */
  int32_t pin;     /* 1: keep every thread, the calling one too, on a core of its own */
  const char *isa; /* "x86-64-v3", "avx512", "avx512-bf16", "amx"; NULL: the best one here. What
                      "amx" does to a process: sigaltstack, docs/abi.md. */
  /* Version 3: "cpu", "cuda", "cuda:1", "cuda-emulated" or "auto": a CUDA device if there is one
   * that runs the library's code, else this machine. NULL: this machine, if it can. */
  const char *device;
} WeftOptions;

/* Opens the model of this library; its parameters are those that the library carries (`weft build
 * --shared --weights`), or zero. `options` may be NULL. NULL on failure. Errors: USAGE, threads out
 * of range (0 to 1024), or an instruction set or a device that the machine or the library lacks;
 * DEVICE, it cannot be used; FILE, the library was cut short. Its threads take no signals. */
WEFT_API WeftModel *weft_open(const WeftOptions *options);
/* NULL is fine, here and wherever something is closed. A forked child may close what its parent has
 * opened, which frees the child's memory, and can do nothing else with it. */
WEFT_API void weft_close(WeftModel *model);

/* What the model is, as JSON (docs/abi.md): dimensions, parameters, entries. Lasts as long as the
 * library. NULL on failure. */
WEFT_API const char *weft_facts(const WeftModel *model);
/* How many threads compute: fewer than asked for where the system refuses some. -1 on failure. */
WEFT_API int32_t weft_threads(const WeftModel *model);

/* 1: what computes in this model, in whatever thread, stops soon and gives CANCELLED, as does what
 * would begin to, until it is called with 0. What is stopped has changed nothing: parameters,
 * states, what a generator knows; outputs hold anything. An update of parameters that has begun is
 * finished. The only function that does not wait for others. Errors: USAGE, neither 0 nor 1. */
WEFT_API WeftStatus weft_cancel(WeftModel *model, int32_t cancelled);

/* Reads all parameters: from a safetensors file, the folder of a training (its newest whole
 * checkpoint; weft_warning() says of damaged ones) or one checkpoint. F16, BF16 and F64 are
 * converted. After an error nothing has changed. Errors: FILE, not to be read or not what it should
 * be; NAME, tensors are missing or surplus, or the folder has no whole checkpoint; SIZE, a tensor
 * has another shape; TYPE, its elements do not convert; VALUE, a number is NaN or infinite, or the
 * folder's weights were made with other options or sizes than this library. */
WEFT_API WeftStatus weft_load(WeftModel *model, const char *path);
/* Sets all parameters as the model initializes them. The same seed gives the same numbers
 * everywhere. */
WEFT_API WeftStatus weft_initialize(WeftModel *model, uint64_t seed);
/* Writes all parameters to a safetensors file, one tensor per layer; an older file is replaced
 * when the new one is whole. Errors: FILE; USAGE, the library was built with --inference and
 * carries some of them as its products read them, and nothing else was loaded. */
WEFT_API WeftStatus weft_save(const WeftModel *model, const char *path);

/* ---- Tensors ---- */

typedef enum WeftElement {
  WEFT_FLOAT = 0,       /* float */
  WEFT_INT = 1,         /* int32_t; indices too */
  WEFT_BOOL = 2,        /* one byte, 0 or 1 */
  WEFT_BFLOAT16 = 3,    /* uint16_t, the upper half of a float: caches of --caches-as bf16, and,
                          where that says nothing, of --precision bf16 */
  WEFT_GROUPED_INT8 = 4 /* 34 bytes for 32 elements side by side: as many int8_t, then what to
                           multiply them by, as a WEFT_BFLOAT16: caches of --caches-as int8 */
} WeftElement;

/* A view of memory that the model owns: dense, row-major, dimensions in the order it has them. */
typedef struct WeftTensor {
  size_t size; /* sizeof(WeftTensor) */
  void *data;
  const int64_t *shape; /* `rank` sizes; as long as `data` is valid */
  int64_t count;        /* elements: the product of the shape, 1 for a single number */
  int32_t rank;
  WeftElement element;
} WeftTensor;

/* A parameter by its name in the facts; those of a repeated block are stacked, the passes of the
 * repeats first. Call weft_parameters_changed() after writing to it. Valid until the model, and all
 * that was made from it, is closed: where a device computes, whatever changes a parameter that was
 * asked for copies it back. Errors: NAME; USAGE, as weft_save(). */
WEFT_API WeftStatus weft_parameter(WeftModel *model, const char *name, WeftTensor *tensor);
WEFT_API WeftStatus weft_parameters_changed(WeftModel *model);

/* ---- Running an entry ---- */

typedef struct WeftRun WeftRun;

/* One entry of the model, with memory of its own. NULL on failure. Errors: NAME. */
WEFT_API WeftRun *weft_run_open(WeftModel *model, const char *entry);
WEFT_API void weft_run_close(WeftRun *run);
/* Says the size (in elements, 1 to 2147483647) of a dimension that the model leaves open, for the
 * next weft_run_allocate(). Errors: NAME; SIZE, fixed otherwise or over its bound. */
WEFT_API WeftStatus weft_run_size(WeftRun *run, const char *dimension, int64_t size);
/* Checks the sizes and makes room for inputs, outputs and work space; what the inputs held is lost.
 * May be called again after other sizes were said; memory that is large enough is kept. After an
 * error the run has no room, and must be allocated again. Errors: SIZE, one that is needed was not
 * said or does not go with the others. */
WEFT_API WeftStatus weft_run_allocate(WeftRun *run);
/* An input to write to, an output to read from, by name; valid until the next weft_run_allocate().
 * Errors: USAGE, before weft_run_allocate(); NAME, also of what two outputs are called. */
WEFT_API WeftStatus weft_run_input(WeftRun *run, const char *name, WeftTensor *tensor);
WEFT_API WeftStatus weft_run_output(WeftRun *run, const char *name, WeftTensor *tensor);
/* Computes the outputs. `seed` and `step` are what `random` counts from: the same two, the same
 * numbers. An `update` entry changes parameters. Errors: USAGE, before weft_run_allocate(); VALUE,
 * an index outside the dimension it indexes or a bool that is neither 0 nor 1, before anything is
 * computed; CANCELLED. */
WEFT_API WeftStatus weft_run(WeftRun *run, uint64_t seed, uint64_t step);

/* ---- Training, on batches of yours ---- */

typedef struct WeftTrainer WeftTrainer;

/* A training that `minimize` derived; NULL: the first. Schedules reach their end at step `steps`;
 * `seed` is what dropout and its like count from, as with `train --seed`. Parameters must have been
 * loaded or initialized. The states of the optimizer are those that the model has: what they begin
 * with, or what another trainer has left; weft_initialize() sets them anew. NULL on failure.
 * Errors: NAME, there is no such training, or the library was built with --inference; USAGE,
 * `steps` below 1 or above 2147483647. */
WEFT_API WeftTrainer *weft_trainer_open(WeftModel *model, const char *training, int64_t steps,
                                        uint64_t seed);
WEFT_API void weft_trainer_close(WeftTrainer *trainer);
/* The run that takes a batch: say its sizes, allocate, write its inputs; weft_trainer_step() runs
 * it. It belongs to the trainer, which closes it. NULL on failure. */
WEFT_API WeftRun *weft_trainer_batch(WeftTrainer *trainer);

/* The loss of the batch before the step, NaN where its `count` is 0; the norm of all gradients
 * together, before clipping, and the learning rate (0 where the model does not say). */
typedef struct WeftStep {
  size_t size; /* sizeof(WeftStep) */
  double loss, norm, rate;
} WeftStep;

/* One step on the batch that the inputs hold: gradients, then the optimizer. `step` may be NULL.
 * After an error nothing has changed, neither parameters nor states. Errors: USAGE, before
 * weft_run_allocate() or after the last step; VALUE, an index outside the dimension it indexes, or
 * a loss or gradient that is no number: the training has diverged; CANCELLED. */
WEFT_API WeftStatus weft_trainer_step(WeftTrainer *trainer, WeftStep *step);
/* How many steps were taken; -1 on failure. */
WEFT_API int64_t weft_trainer_steps_taken(const WeftTrainer *trainer);
/* Writes what the trainer has, parameters, states and the number of the step, as a checkpoint
 * `step-N` into a folder, which is made; of all that lie there the two newest whole ones are kept.
 * It is what `train` writes, whole or not at all: weft_load() and a program of the model read it
 * (but `train --resume`, which would need its data). Errors: FILE. */
WEFT_API WeftStatus weft_trainer_save(WeftTrainer *trainer, const char *folder);
/* Takes up the newest whole checkpoint of a folder, or one: the next step is the one behind it, and
 * gives what it would have given if the training had never stopped. After an error nothing has
 * changed. Errors: as weft_load(); VALUE, it is of another training, another seed, or behind the
 * last step. */
WEFT_API WeftStatus weft_trainer_load(WeftTrainer *trainer, const char *folder);

/* ---- Continuing a sequence, with the caches derived from `decode` ---- */

typedef struct WeftGenerator WeftGenerator;

/* Room for `capacity` positions of a sequence, at least 1. `decoding` is the name of an entry
 * made by `decode`; NULL: the first. NULL on failure. Errors: NAME, there is no such entry; SIZE,
 * more positions than the model has, or than 2^28. */
WEFT_API WeftGenerator *weft_generator_open(WeftModel *model, const char *decoding,
                                            int64_t capacity);
WEFT_API void weft_generator_close(WeftGenerator *generator);
/* Continues so many sequences side by side from now on (1 at first), each with room for `capacity`
 * positions; forgets all. Errors: USAGE, below 1; VALUE, the model's ids have no batch. */
WEFT_API WeftStatus weft_generator_rows(WeftGenerator *generator, int64_t rows);
/* Gives what the decoding takes besides ids, such as the sentences to translate: a tensor for all
 * rows, which is copied; `data` holds `rank` sizes' worth of elements of the input's type, float,
 * int32_t or one byte. Forgets all positions. Errors: NAME, no such input; SIZE, another rank or a
 * size below 1. */
WEFT_API WeftStatus weft_generator_input(WeftGenerator *generator, const char *name,
                                         const void *data, const int64_t *shape, int32_t rank);
/* Row r goes on from what row from[r] has taken in, inputs included: what a search by beams needs.
 * `from` holds as many as there are rows. Errors: USAGE, a row that is none; SIZE, an input was
 * given for another number of rows. */
WEFT_API WeftStatus weft_generator_reorder(WeftGenerator *generator, const int64_t *from);
/* Another generator of `rows` rows, which knows what this one knows: its row r goes on from row
 * from[r] of this one, or where `from` is NULL from row r. So one prompt is computed once, by one
 * row, and continued by many. Both go on for themselves. NULL on failure. Errors: USAGE, a row that
 * is none; VALUE, the model's ids have no batch; SIZE, as in weft_generator_reorder(). */
WEFT_API WeftGenerator *weft_generator_branch(const WeftGenerator *generator, const int64_t *from,
                                              int64_t rows);
/* How many ids there are, and so logits; -1 on failure. */
WEFT_API int64_t weft_generator_vocabulary(const WeftGenerator *generator);
/* Takes in `count` further ids of each row, row after row, at least one: the whole prompt first,
 * then one at a time. Gives the logits of the id after the last of each row, one for each of
 * weft_generator_vocabulary() ids, valid until the generator's next call; NULL on failure, after
 * which the generator is as before. Errors: USAGE, `count` below 1; SIZE, no room for so many
 * positions, or inputs that do not go together; VALUE, an id that is none, or an input that was not
 * given; CANCELLED. */
WEFT_API const float *weft_advance(WeftGenerator *generator, const int32_t *ids, int64_t count);
/* What a generator takes in, in weft_advance_together() (version 4). */
typedef struct WeftTurn {
  size_t size; /* sizeof(WeftTurn) */
  WeftGenerator *generator;
  const int32_t *ids;   /* `count` of each row, row after row */
  int64_t count;        /* at least one */
  const float **logits; /* `count` places, filled with what weft_advance() gives after each id */
} WeftTurn;

/* Several generators of one decoding, which may know different numbers of positions, each take in
 * ids of their own, as weft_advance() takes them in one by one, to the bit. All of that goes side
 * by side, and reads a weight from memory once for many. With several ids in a turn one may try
 * what is likely to follow, look at the logits after each, and go back by weft_generator_rewind().
 * Logits are valid until the generator's next call. On failure all generators are as before.
 * Errors: as weft_advance(); USAGE, two turns of one generator, or generators of another decoding
 * or model; of several ids in a turn also VALUE, the model keeps a running total, and USAGE, a
 * device computes (which takes turns of one id one after the other). */
WEFT_API WeftStatus weft_advance_together(const WeftTurn *turns, int64_t count);
/* How many positions it has taken in; -1 on failure. */
WEFT_API int64_t weft_generator_known(const WeftGenerator *generator);
/* Forgets all positions but the first `known`; 0 begins another sequence. Errors: USAGE, below 0 or
 * more than there are; VALUE, the model keeps a running total, which goes back to 0 alone (branch
 * off before, where one wants to come back). */
WEFT_API WeftStatus weft_generator_rewind(WeftGenerator *generator, int64_t known);

/* All zero behind the size takes the most likely id, the lowest of equals. */
typedef struct WeftSampling {
  size_t size;        /* sizeof(WeftSampling) */
  double temperature; /* what logits are divided by; 0: the most likely id */
  int64_t top_k;      /* only the K most likely; 0: all */
  double top_p;       /* only the most likely that together have this probability; 0: all */
  double min_p;       /* only those with this share of the most likely one's probability */
  uint64_t seed;
} WeftSampling;

/* Chooses one of the ids 0 to `count` - 1 by its logit. `sampling` may be NULL: the most likely.
 * The draw depends on the seed and on `position`, the place where the id will stand
 * (weft_generator_known()), alone. -1 on failure. Errors: USAGE, no logits or a setting out of
 * range; VALUE, a logit is NaN, or all are -inf. */
WEFT_API int32_t weft_sample(const float *logits, int64_t count, const WeftSampling *sampling,
                             int64_t position);

/* ---- Text ---- */

typedef struct WeftTokenizer WeftTokenizer;

/* The tokenizer of a training: its folder, a checkpoint, or a tokenizer.json (of sources:
 * source-tokenizer.json, beside it); a file of another format that docs/abi.md lists, or a folder
 * with one; or "byte". NULL on failure. Needs no model, and serves several threads at once.
 * Errors: FILE; NAME, the folder has no whole checkpoint. */
WEFT_API WeftTokenizer *weft_tokenizer_open(const char *path);
/* The tokenizer that the library carries. NULL on failure. Errors: NAME, it carries none. */
WEFT_API WeftTokenizer *weft_tokenizer_carried(const WeftModel *model);
/* The same of the sources that a model translates; weft_tokenizer_carried() is that of what it
 * makes of them. A training's vocabularies end a source with weft_tokenizer_end(). */
WEFT_API WeftTokenizer *weft_source_tokenizer_carried(const WeftModel *model);
WEFT_API void weft_tokenizer_close(WeftTokenizer *tokenizer);
/* How many ids it has, 0 to size - 1; a model may have more. -1 on failure. */
WEFT_API int64_t weft_tokenizer_size(const WeftTokenizer *tokenizer);
/* The id that begins every text, which weft_encode leaves to the caller, and the one that ends it;
 * -1 where there is none, and on failure. */
WEFT_API int32_t weft_tokenizer_start(const WeftTokenizer *tokenizer);
WEFT_API int32_t weft_tokenizer_end(const WeftTokenizer *tokenizer);
/* Writes the ids of a text of so many bytes, at most `capacity` of them, and gives how many there
 * are, written or not: `capacity` 0 counts, and `ids` may be NULL then; `text` may be NULL where
 * there are no bytes. -1 on failure. Errors: USAGE, `capacity` below 0; VALUE, a character that the
 * vocabulary lacks. */
WEFT_API int64_t weft_encode(const WeftTokenizer *tokenizer, const char *text, size_t bytes,
                             int32_t *ids, int64_t capacity);
/* Writes the bytes of one id, at most `capacity` of them, without an ending zero, and gives how
 * many there are, written or not; 0 for an id that is none. They need not be whole characters. Some
 * tokenizers have a space before the first word of a text, which weft_decode_all leaves out. -1 on
 * failure. Errors: USAGE, `capacity` below 0. */
WEFT_API int64_t weft_decode(const WeftTokenizer *tokenizer, int32_t id, char *bytes,
                             int64_t capacity);
/* The same for the ids of a text, from its beginning. `ids` may be NULL where there are none.
 * Errors: USAGE, `count` or `capacity` below 0. */
WEFT_API int64_t weft_decode_all(const WeftTokenizer *tokenizer, const int32_t *ids, int64_t count,
                                 char *bytes, int64_t capacity);

/* A text that comes id by id, in whole characters. */
typedef struct WeftText WeftText;

/* Begins a text. The tokenizer may be closed before it. NULL on failure. */
WEFT_API WeftText *weft_text_open(const WeftTokenizer *tokenizer);
WEFT_API void weft_text_close(WeftText *text);
/* Takes in an id and gives the whole characters that there are now and were not given yet, often
 * none: valid UTF-8, which a zero ends and which may hold others; `bytes`, which may be NULL, says
 * how long. What can be no character is U+FFFD. Valid until the text's next call; NULL on failure.
 */
WEFT_API const char *weft_text_push(WeftText *text, int32_t id, int64_t *bytes);
/* Ends the text: gives what still waits for its rest, as U+FFFD, and begins another. */
WEFT_API const char *weft_text_finish(WeftText *text, int64_t *bytes);

/* ---- All of it as a table ---- */

/* The functions above, by their names without `weft_`. Later versions add behind. */
typedef struct WeftApi {
  size_t size; /* of the table that the library has: what lies behind is not there */
  uint32_t (*version)(void);
  WeftStatus (*status)(void);
  const char *(*error)(void);
  const char *(*warning)(void);
  WeftModel *(*open)(const WeftOptions *options);
  void (*close)(WeftModel *model);
  const char *(*facts)(const WeftModel *model);
  int32_t (*threads)(const WeftModel *model);
  WeftStatus (*cancel)(WeftModel *model, int32_t cancelled);
  WeftStatus (*load)(WeftModel *model, const char *path);
  WeftStatus (*initialize)(WeftModel *model, uint64_t seed);
  WeftStatus (*save)(const WeftModel *model, const char *path);
  WeftStatus (*parameter)(WeftModel *model, const char *name, WeftTensor *tensor);
  WeftStatus (*parameters_changed)(WeftModel *model);
  WeftRun *(*run_open)(WeftModel *model, const char *entry);
  void (*run_close)(WeftRun *run);
  WeftStatus (*run_size)(WeftRun *run, const char *dimension, int64_t size);
  WeftStatus (*run_allocate)(WeftRun *run);
  WeftStatus (*run_input)(WeftRun *run, const char *name, WeftTensor *tensor);
  WeftStatus (*run_output)(WeftRun *run, const char *name, WeftTensor *tensor);
  WeftStatus (*run)(WeftRun *run, uint64_t seed, uint64_t step);
  WeftTrainer *(*trainer_open)(WeftModel *model, const char *training, int64_t steps,
                               uint64_t seed);
  void (*trainer_close)(WeftTrainer *trainer);
  WeftRun *(*trainer_batch)(WeftTrainer *trainer);
  WeftStatus (*trainer_step)(WeftTrainer *trainer, WeftStep *step);
  int64_t (*trainer_steps_taken)(const WeftTrainer *trainer);
  WeftStatus (*trainer_save)(WeftTrainer *trainer, const char *folder);
  WeftStatus (*trainer_load)(WeftTrainer *trainer, const char *folder);
  WeftGenerator *(*generator_open)(WeftModel *model, const char *decoding, int64_t capacity);
  void (*generator_close)(WeftGenerator *generator);
  WeftStatus (*generator_rows)(WeftGenerator *generator, int64_t rows);
  WeftStatus (*generator_input)(WeftGenerator *generator, const char *name, const void *data,
                                const int64_t *shape, int32_t rank);
  WeftStatus (*generator_reorder)(WeftGenerator *generator, const int64_t *from);
  WeftGenerator *(*generator_branch)(const WeftGenerator *generator, const int64_t *from,
                                     int64_t rows);
  int64_t (*generator_vocabulary)(const WeftGenerator *generator);
  const float *(*advance)(WeftGenerator *generator, const int32_t *ids, int64_t count);
  int64_t (*generator_known)(const WeftGenerator *generator);
  WeftStatus (*generator_rewind)(WeftGenerator *generator, int64_t known);
  int32_t (*sample)(const float *logits, int64_t count, const WeftSampling *sampling,
                    int64_t position);
  WeftTokenizer *(*tokenizer_open)(const char *path);
  WeftTokenizer *(*tokenizer_carried)(const WeftModel *model);
  WeftTokenizer *(*source_tokenizer_carried)(const WeftModel *model);
  void (*tokenizer_close)(WeftTokenizer *tokenizer);
  int64_t (*tokenizer_size)(const WeftTokenizer *tokenizer);
  int32_t (*tokenizer_start)(const WeftTokenizer *tokenizer);
  int32_t (*tokenizer_end)(const WeftTokenizer *tokenizer);
  int64_t (*encode)(const WeftTokenizer *tokenizer, const char *text, size_t bytes, int32_t *ids,
                    int64_t capacity);
  int64_t (*decode)(const WeftTokenizer *tokenizer, int32_t id, char *bytes, int64_t capacity);
  int64_t (*decode_all)(const WeftTokenizer *tokenizer, const int32_t *ids, int64_t count,
                        char *bytes, int64_t capacity);
  WeftText *(*text_open)(const WeftTokenizer *tokenizer);
  void (*text_close)(WeftText *text);
  const char *(*text_push)(WeftText *text, int32_t id, int64_t *bytes);
  const char *(*text_finish)(WeftText *text, int64_t *bytes);
  WeftStatus (*advance_together)(const WeftTurn *turns, int64_t count);
} WeftApi;

/* The table of this library, which lasts as long as it; never NULL. What `weft build --shared
 * --symbol-prefix gpt_` makes exports it as gpt_weft_api(), for the caller to declare. */
WEFT_API const WeftApi *weft_api(void);

#ifdef __cplusplus
}
#endif
#endif
