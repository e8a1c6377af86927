/* What a compiled program and the runtime know of each other. Plain C: codegen emits it, the
 * runtime reads it.
 *
 * The generated object holds one symbol, `weft_program`: facts as JSON (dimensions, parameters,
 * entries; docs/abi.md) and, for every instruction set it was built for, one row of functions per
 * entry, in the order of the JSON. Code for several targets is a list of such programs. */
#ifndef WEFT_RUNTIME_ABI_H
#define WEFT_RUNTIME_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_ABI_VERSION 16

/* Element types in memory: float = float32, int and indices = int32, bool = one byte, 0 or 1.
 * A tensor is dense and row-major in the order its dimensions are declared. */

/* One run of one entry. The caller owns everything; nothing is kept after `run` returns. */
typedef struct WeftCall {
  const int64_t *sizes; /* the size of every dimension of the program, by number */
  void *const *inputs;  /* by number; a cache is an input that `run` also writes */
  void *const *outputs; /* by number; `run` writes every element */
  void *const
      *parameters; /* parameters, states, optimizer states by number, stacked along their loops */
  char *const *packed; /* in the entry's order, what `prepare` made of the parameters, until they
                          change. Called for `prepare`, on this machine: NULL where it is there.
                          Of an update what it writes, of others': NULL where nobody has it */
  char *const *work;   /* by number, buffers of intermediate values; then keys of random numbers */
  char *scratch;       /* `scratch()` bytes for each worker; like all work it is 64-byte aligned */
  int64_t scratch_stride; /* bytes from one worker's scratch to the next */
  char *shared;          /* `shared()` bytes, which the two launches of one kernel have in common */
  struct WeftPool *pool; /* the threads; NULL runs everything on the calling one */
  uint64_t seed, step;   /* what `random` counts from */
  struct WeftDevice
      *device; /* NULL: this machine. Else all addresses but `sizes` are of its memory,
                  `scratch` is all that a launch has, and there are no threads */
} WeftCall;

/* A kernel does the tasks [begin, end) of a launch. Tasks of one launch are independent. `buffers`
 * are the launch's operands, then its results, then what it draws random numbers from if it does,
 * then `shared` if the kernel is done in two launches; `scratch` is the worker's own. */
typedef void (*WeftKernel)(const int64_t *sizes, void *const *buffers, int64_t begin, int64_t end,
                           char *scratch);

/* A kernel of a device: blocks of so many threads, of which nothing is in order. It takes three
 * parameters by value: an array of the first `sizes` of the call's sizes (int64_t), an array of the
 * addresses of the launch's `buffers` (as above), and the address of scratch, which the kernel
 * divides among its blocks itself. */
/* A tensor of a device, and the box of it that a copy takes: what cuTensorMapEncodeTiled is told.
 * Its dimensions come from the contiguous one on. */
typedef struct WeftTensorMap {
  const void *base;
  uint64_t sizes[5];
  uint64_t strides[4]; /* bytes from one to the next, of all dimensions but the first */
  uint32_t box[5];
  uint32_t rank;          /* 1 to 5 */
  uint32_t element_bytes; /* 2: bfloat16; 4: float */
  uint32_t swizzle;       /* bytes of a row that are mixed: 0, 32, 64 or 128 */
} WeftTensorMap;

/* Behind the three come as many descriptions of tensors as it has `maps`, of 128 bytes each, as the
 * device wants them; `describe` says of what. */
typedef struct WeftDeviceKernel {
  const char *name; /* in the images: "k7_up" is the kernel 7 of the facts, alone or with others */
  void (*emulated)(
      void *const *parameters); /* takes their addresses; NULL: the program has images */
  uint32_t sizes, buffers;
  uint32_t threads;      /* of a block; a multiple of 32 */
  uint32_t shared_bytes; /* of a block's memory, beside what the kernel declares */
  uint32_t cluster;      /* blocks that run together, of which a launch has whole ones; 0 is 1 */
  uint32_t maps;
  void (*describe)(const int64_t *sizes, void *const *buffers, WeftTensorMap *maps); /* or NULL */
  const uint32_t
      *reads;    /* the numbers of the sizes that it reads; the others may be any; NULL: all */
  uint32_t read; /* how many these are */
} WeftDeviceKernel;

/* The functions below are the runtime's. The code of entries calls them, computes addresses
 * and touches no tensor itself. They take effect in the order of the calls. */

/* Runs all tasks of a kernel and returns when they are done. How tasks fall to threads never
 * changes a result. */
void weft_launch(const WeftCall *call, WeftKernel kernel, void *const *buffers, int64_t tasks);
/* The same on the device of the call. Returns before the blocks are done. */
void weft_launch_grid(const WeftCall *call, const WeftDeviceKernel *kernel, void *const *buffers,
                      int64_t blocks);
/* Copies `bytes` between places that do not overlap. */
void weft_copy(const WeftCall *call, void *to, const void *from, int64_t bytes);
/* Writes what a kernel draws random numbers from, 24 bytes: seed and step of the call, then the
 * index of the first element. */
void weft_random_key(const WeftCall *call, void *key, uint64_t first);

/* How large work and packed parameters are, the JSON says; scratch and shared are the code's own
 * matter. */
typedef struct WeftEntryCode {
  int64_t (*scratch)(const int64_t *sizes);
  void (*prepare)(
      const WeftCall *call); /* packs parameters once; call again after they change; may be NULL */
  void (*run)(const WeftCall *call);
  int64_t (*shared)(const int64_t *sizes); /* NULL where no kernel is done in two launches */
} WeftEntryCode;

/* How launches of a kernel by several runs can be one, each run with the bits that it has alone:
 * along dimension `dim` each run's part of a buffer is followed by the next one's. */
typedef struct WeftRows {
  uint32_t dim, operands; /* the first buffers; the others are results */
  int64_t most;           /* rows of all runs of such a launch */
  const uint32_t *reads;  /* the numbers of the other sizes that the kernel reads: all runs have the
                             same */
  uint32_t read;          /* how many these are */
  /* What there is at these sizes: in `about` the rows, then the tasks, then two numbers for each
   * buffer: the bytes from a place along `dim` to the next, and those that a place has. These are
   * 0 where all runs have the same buffer. */
  void (*describe)(const int64_t *sizes, int64_t *about);
} WeftRows;

/* The functions of a kernel, of which one done in two launches has two, its name among the facts'
 * `kernels`, how many buffers weft_launch is given with it, and `rows`, or NULL. */
typedef struct WeftNamedKernel {
  WeftKernel kernel;
  const char *name;
  uint64_t buffers;
  const WeftRows *rows;
} WeftNamedKernel;

/* Portable code runs on every machine that its compiler made it for. */
enum {
  WEFT_ISA_X86_64_V3 = 0,
  WEFT_ISA_AVX512 = 1,
  WEFT_ISA_AVX512_BF16 = 2, /* of programs that store floats as bfloat16 */
  WEFT_ISA_AMX = 3,         /* the same, where it was asked for when they were built */
  WEFT_ISA_PORTABLE = 4,
  WEFT_ISA_CUDA = 5,
  WEFT_ISA_CUDA_EMULATED = 6, /* a device that this machine stands in for */
  WEFT_ISA_COUNT = 7
};

/* All kernels of a program as PTX. */
typedef struct WeftImage {
  const char *text;          /* ends with a zero byte */
  uint64_t size;             /* without it */
  uint32_t capability;       /* 80: for devices of compute capability 8.0 */
  uint32_t exact;            /* 1: for no others; 0: for later ones too */
  const WeftEntryCode *code; /* of the entries that launch these kernels */
} WeftImage;

/* What the runtime has a device compute between entries: kernels that every program for devices
 * carries. They are launched as others are, over any number of blocks, with one size: how many
 * floats `values` and `sums` have. `factor` is the address of one float. */
typedef struct WeftDeviceServices {
  WeftDeviceKernel add;   /* sums, values, factor: adds values * factor, each rounded for itself */
  WeftDeviceKernel scale; /* values, factor: multiplies in place */
} WeftDeviceServices;

typedef struct WeftProgram {
  uint32_t abi_version;
  uint32_t entry_count;
  const char *json;
  uint64_t json_size;
  const WeftEntryCode *code[WEFT_ISA_COUNT]; /* NULL where the program was not built for it; of
                                                WEFT_ISA_CUDA, that of the first image */
  const WeftImage *images;                   /* of kernels of CUDA devices, the best first */
  uint64_t image_count;
  const WeftDeviceServices *services;             /* of a program for devices, else NULL */
  const struct WeftProgram *next;                 /* the same model for another target, or NULL */
  const WeftNamedKernel *kernels[WEFT_ISA_COUNT]; /* all that weft_launch is given, then one
                                                     without function; NULL: nobody knows */
} WeftProgram;

extern const WeftProgram weft_program;

#ifdef __cplusplus
}
#endif
#endif
