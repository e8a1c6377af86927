// Which of a program's targets is run, and on what.
#ifndef WEFT_RUNTIME_MODEL_CHOOSETARGET_H
#define WEFT_RUNTIME_MODEL_CHOOSETARGET_H

#include "runtime/device/Device.h"

namespace weft::runtime {

struct TargetWish {
  /// "auto", "cpu", "cuda", "cuda:1" or "cuda-emulated"; nullptr or "": this machine, if the
  /// program has code for it.
  const char *device = nullptr;
  const char *isa = nullptr; // an instruction set of processors; nullptr or "": the best
  bool opens = true;         // false: nothing is run
};

struct ChosenTarget {
  const WeftProgram *program; // of those that the file has
  int isa;
  std::unique_ptr<Device> device; // none: this machine, or nothing is run
  std::string reason;             // in a few words, where there was a choice
};

/// `auto` takes a CUDA device, if the program has code for one and there is one that runs it, else
/// this machine. Errors: a name that is none, a target that the program lacks (both Usage); no such
/// device (Device).
Result<ChosenTarget> chooseTarget(const WeftProgram &programs, const TargetWish &wish);

/// The one of a file's programs that has code of this set of instructions, or nullptr.
const WeftProgram *programFor(const WeftProgram &programs, int isa);
/// The one that has code of a processor's sets, or nullptr.
const WeftProgram *forProcessors(const WeftProgram &programs);

} // namespace weft::runtime
#endif
