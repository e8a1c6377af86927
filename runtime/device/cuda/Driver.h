// The driver of CUDA devices: libcuda.so.1, opened when it is wanted, and those of its functions
// that we call.
#ifndef WEFT_RUNTIME_DEVICE_CUDA_DRIVER_H
#define WEFT_RUNTIME_DEVICE_CUDA_DRIVER_H

#include "runtime/base/Error.h"

#include <cstddef>
#include <cstdint>

namespace weft::runtime::cuda {

// Types of the driver's binary interface, under names of ours.
using Code = int; // CUresult
using Number = int;
using Context = struct OpaqueContext *;
using Stream = struct OpaqueStream *;
using Event = struct OpaqueEvent *;
using Module = struct OpaqueModule *;
using Function = struct OpaqueFunction *;
using Graph = struct OpaqueGraph *;
using Node = struct OpaqueNode *; // of a graph
using Executable = struct OpaqueExecutable *;
using Address = unsigned long long; // of a device

/// CUDA_MEMCPY2D.
struct Copy2D {
  struct Side {
    size_t x = 0, y = 0;
    int kind = 2; // memory of the device
    void *host = nullptr;
    Address device = 0;
    void *array = nullptr;
    size_t pitch = 0;
  } from, to;
  size_t width = 0, height = 0;
};
static_assert(sizeof(Copy2D) == 128);

/// CUDA_MEMCPY3D.
struct Copy3D {
  struct Side {
    size_t x = 0, y = 0, z = 0, level = 0;
    int kind = 2; // memory of the device
    const void *host = nullptr;
    Address device = 0;
    void *array = nullptr, *reserved = nullptr;
    size_t pitch = 0, height = 0;
  } from, to;
  size_t width = 0, height = 1, depth = 1;
};
static_assert(sizeof(Copy3D) == 200);

/// CUDA_KERNEL_NODE_PARAMS of version 2.
struct KernelNode {
  Function function = nullptr;
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, sharedBytes = 0;
  void **parameters = nullptr, **extra = nullptr;
  void *kernel = nullptr;
  Context context = nullptr; // that of the function
};
static_assert(sizeof(KernelNode) == 72);

enum : Code {
  outOfMemory = 2,
  noDevice = 100,
  noBinary = 209,
  invalidCode = 218,
  unsupportedVersion = 222,
};
enum : int { attributeMajor = 75, attributeMinor = 76 }; // of a device
enum : int { capturing = 1 };                            // a stream's state
enum : int { attributeDynamicShared = 8 };               // of a function
enum : unsigned { nonBlocking = 1, withTiming = 0, noTiming = 2, onlyThisThread = 1 };
enum : int { kindFloat32 = 7, kindBfloat16 = 9 }; // of a tensor's elements
enum : int { promoteTo128Bytes = 2 };             // what the second cache reads for a tensor's tile
enum : int { optionLog = 5, optionLogBytes = 6 }; // of making code

/// CUtensorMap: a tensor as the device wants it described.
struct alignas(64) TensorMap {
  unsigned long long words[16];
};

/// Each is named as in the driver, and documented there.
struct Driver {
  Code (*cuInit)(unsigned flags);
  Code (*cuDriverGetVersion)(int *version);
  Code (*cuGetErrorName)(Code code, const char **name);
  Code (*cuGetErrorString)(Code code, const char **sentence);
  Code (*cuDeviceGetCount)(int *count);
  Code (*cuDeviceGet)(Number *device, int ordinal);
  Code (*cuDeviceGetName)(char *name, int room, Number device);
  Code (*cuDeviceGetAttribute)(int *value, int attribute, Number device);
  Code (*cuDeviceTotalMem)(size_t *bytes, Number device);
  Code (*cuDevicePrimaryCtxRetain)(Context *context, Number device);
  Code (*cuDevicePrimaryCtxRelease)(Number device);
  Code (*cuCtxSetCurrent)(Context context);
  Code (*cuMemGetInfo)(size_t *free, size_t *total);
  Code (*cuMemAlloc)(Address *address, size_t bytes);
  Code (*cuMemFree)(Address address);
  Code (*cuMemHostAlloc)(void **memory, size_t bytes, unsigned flags);
  Code (*cuMemFreeHost)(void *memory);
  Code (*cuStreamCreate)(Stream *stream, unsigned flags);
  Code (*cuStreamDestroy)(Stream stream);
  Code (*cuStreamSynchronize)(Stream stream);
  Code (*cuEventCreate)(Event *event, unsigned flags);
  Code (*cuEventDestroy)(Event event);
  Code (*cuEventRecord)(Event event, Stream stream);
  Code (*cuEventSynchronize)(Event event);
  Code (*cuEventElapsedTime)(float *milliseconds, Event begin, Event end);
  Code (*cuMemcpyHtoDAsync)(Address to, const void *from, size_t bytes, Stream stream);
  Code (*cuMemcpyDtoHAsync)(void *to, Address from, size_t bytes, Stream stream);
  Code (*cuMemcpyDtoDAsync)(Address to, Address from, size_t bytes, Stream stream);
  Code (*cuMemcpy2DAsync)(const Copy2D *copy, Stream stream);
  Code (*cuMemsetD8Async)(Address to, unsigned char value, size_t bytes, Stream stream);
  Code (*cuModuleLoadDataEx)(Module *module, const void *image, unsigned count, int *options,
                             void **values);
  Code (*cuModuleUnload)(Module module);
  Code (*cuModuleGetFunction)(Function *function, Module module, const char *name);
  Code (*cuFuncSetAttribute)(Function function, int attribute, int value);
  Code (*cuLaunchKernel)(Function function, unsigned gridX, unsigned gridY, unsigned gridZ,
                         unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                         Stream stream, void **parameters, void **extra);
  // Of graphs: nullptr in drivers that have none.
  Code (*cuStreamBeginCapture)(Stream stream, unsigned mode);
  Code (*cuStreamEndCapture)(Stream stream, Graph *graph);
  Code (*cuGraphInstantiateWithFlags)(Executable *executable, Graph graph,
                                      unsigned long long flags);
  Code (*cuGraphLaunch)(Executable executable, Stream stream);
  Code (*cuGraphDestroy)(Graph graph);
  Code (*cuGraphExecDestroy)(Executable executable);
  // Of changing them: nullptr in drivers that cannot.
  Code (*cuStreamGetCaptureInfo)(Stream stream, int *status, unsigned long long *id, Graph *graph,
                                 const Node **last, size_t *count);
  Code (*cuGraphExecKernelNodeSetParams)(Executable executable, Node node,
                                         const KernelNode *launch);
  Code (*cuGraphExecMemcpyNodeSetParams)(Executable executable, Node node, const Copy3D *copy,
                                         Context context);

  // Of drivers from CUDA 12.0 on, else nullptr.
  Code (*cuTensorMapEncodeTiled)(TensorMap *map, int kind, unsigned rank, void *base,
                                 const uint64_t *sizes, const uint64_t *strides,
                                 const uint32_t *box, const uint32_t *steps, int interleave,
                                 int swizzle, int promotion, int fill);

  int version = 0; // 12040: of CUDA 12.4

  /// The one of this process. Errors (Device): there is none, or it does not start.
  static Result<const Driver *> get();
  bool hasGraphs() const { return cuGraphInstantiateWithFlags && cuGraphExecDestroy; }
  bool changesGraphs() const {
    return cuStreamGetCaptureInfo && cuGraphExecKernelNodeSetParams &&
           cuGraphExecMemcpyNodeSetParams;
  }
  /// "CUDA_ERROR_ILLEGAL_ADDRESS, an illegal memory access was encountered"
  std::string say(Code code) const;
};

/// 12040 as "12.4".
std::string versionText(int version);

} // namespace weft::runtime::cuda
#endif
