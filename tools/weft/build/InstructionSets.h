// Which instruction sets a program is built for: what `--isa` says, or what the target has.
#ifndef WEFT_TOOLS_WEFT_BUILD_INSTRUCTIONSETS_H
#define WEFT_TOOLS_WEFT_BUILD_INSTRUCTIONSETS_H

#include "ir/cpu/Machine.h"
#include "tools/weft/base/Compilation.h"

namespace weft {

/// Where a program runs that is built without `--isa`. What `weft run` builds runs once, here: of
/// the CPU's sets it carries the one that it would choose, unless WEFT_ISA chooses another.
enum class RunsOn { everyMachine, thisMachine };

/// What is known of them before the program is planned.
struct SetsToBuild {
  std::vector<std::vector<std::string>> ofTargets; ///< those that `--isa` names, or all
  bool areGiven = false; ///< by name: each is carried, whatever the program gains by it
  bool native = false;   ///< of the CPU's, only the one that the program would choose here

  /// Those that the plan of one target is compiled for.
  std::vector<std::string> carried(size_t number, const Target &target, mlir::ModuleOp plan) const;
};

/// The sets of each target; nothing, and a message, where `--isa` names one that none has.
std::optional<SetsToBuild> setsToBuild(const Arguments &arguments,
                                       llvm::ArrayRef<const Target *> targets, RunsOn where);

/// The instruction sets of `target` that `--isa` asks for, else its first; prints what is wrong.
std::optional<std::vector<std::string>> chosenSets(const Arguments &arguments,
                                                   const Target &target);

/// The CPU's instruction set that `--isa` names, else the best that a program would choose here, or
/// x86-64-v3 where it would find none. Says what is wrong in `problem`, if that is not printed.
std::optional<cpu::Isa> chosenIsa(const Arguments &arguments, std::string &problem);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BUILD_INSTRUCTIONSETS_H
