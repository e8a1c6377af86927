// What every target makes of an entry: addresses, launches and copies in the order of the plan.
#ifndef WEFT_CODEGEN_HOST_ENTRYEMITTER_H
#define WEFT_CODEGEN_HOST_ENTRYEMITTER_H

#include "ir/model/Entries.h"
#include "ir/plan/InStep.h"
#include "runtime/Abi.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstddef>

namespace weft {

/// A table of addresses that a call brings.
struct CallTable {
  llvm::StringLiteral name;
  size_t offset; ///< in WeftCall
  bool operator==(const CallTable &other) const { return offset == other.offset; }
};
inline constexpr CallTable inputTable{"inputs", offsetof(WeftCall, inputs)},
    outputTable{"outputs", offsetof(WeftCall, outputs)},
    parameterTable{"parameters", offsetof(WeftCall, parameters)},
    packedTable{"packed", offsetof(WeftCall, packed)}, workTable{"work", offsetof(WeftCall, work)};

/// Goes through an entry's ops. A `Value` is what a target has for an address and for the number of
/// a loop's pass: a value of LLVM, an expression of C.
template <class Value> class EntryEmitter {
public:
  EntryEmitter(plan::EntryOp entry, const llvm::StringMap<unsigned> &parameters)
      : entry(entry), parameters(parameters) {}
  virtual ~EntryEmitter() = default;

protected:
  void emitBlock(mlir::Block &block) {
    llvm::SmallPtrSet<mlir::Operation *, 8> done;
    for (mlir::Operation &op : block) {
      auto launched = dyn_cast<plan::LaunchOp>(op);
      if (done.contains(&op))
        continue;
      if (auto steps = launched ? plan::inStepBehind(launched) : InSteps(); !steps.empty()) {
        launchPending();
        launchInStep(launched, steps);
        for (plan::InStep step : steps)
          done.insert(step.loop ? step.loop.getOperation() : step.launch.getOperation());
        continue;
      }
      bool isBuffer = op.getNumResults() == 1;
      if (!isBuffer && !(launched && joins(launched)))
        launchPending();
      if (launched) {
        pending.push_back(launched);
        buffersOfPending.push_back(valuesOf(launched.getBuffers()));
      } else {
        emitOp(&op);
      }
    }
    launchPending();
  }

  /// An address of a call's table. What lies there has a name, or an empty one.
  virtual Value element(const CallTable &table, unsigned number, llvm::StringRef name) = 0;
  /// `base`, and `bytes` behind it, times `pass` if there is one.
  virtual Value behind(const Value &base, const Size &bytes, const Value *pass) = 0;
  virtual void copy(const Value &to, const Value &from, const Size &bytes) = 0;
  /// Fills in a key, which counts from the sum of the passes times the strides, modulo 2^64.
  virtual void randomKey(const Value &key, llvm::ArrayRef<Value> passes,
                         llvm::ArrayRef<int64_t> strides) = 0;
  virtual void launch(plan::LaunchOp op, llvm::ArrayRef<Value> buffers) = 0;
  /// Launches that are one where a target has such. None needs what another one does.
  virtual void launchTogether(llvm::ArrayRef<plan::LaunchOp> ops,
                              llvm::ArrayRef<llvm::SmallVector<Value>> buffers) {
    for (auto [op, each] : llvm::zip_equal(ops, buffers))
      launch(op, each);
  }
  using InSteps = llvm::SmallVector<plan::InStep>;
  /// A launch and those that go behind it task by task.
  virtual void launchInStep(plan::LaunchOp, llvm::ArrayRef<plan::InStep>) {
    llvm::reportFatalInternalError("this target packs no parameters, and has launches in step");
  }
  virtual void loop(plan::LoopOp op, llvm::function_ref<void(const Value &pass)> body) = 0;

  llvm::SmallVector<Value> valuesOf(mlir::ValueRange given) {
    return llvm::map_to_vector(given, [&](mlir::Value each) { return values.lookup(each); });
  }

  plan::EntryOp entry;

private:
  static llvm::StringRef nameIn(mlir::ArrayAttr list, unsigned number) {
    auto text = cast<mlir::DictionaryAttr>(list[number])
                    .template getAs<mlir::StringAttr>(model::attr::name);
    return text ? text.getValue() : "";
  }

  bool joins(plan::LaunchOp op) {
    return !pending.empty() && op.getTogetherAttr() &&
           pending.back().getTogetherAttr() == op.getTogetherAttr();
  }

  void launchPending() {
    auto ops = std::exchange(pending, {});
    auto buffers = std::exchange(buffersOfPending, {});
    if (ops.size() == 1)
      launch(ops.front(), buffers.front());
    else if (!ops.empty())
      launchTogether(ops, buffers);
  }

  void emitOp(mlir::Operation *op) {
    llvm::TypeSwitch<mlir::Operation *>(op)
        .Case([&](plan::InputOp at) {
          unsigned number = at.getNumber();
          values[at] = element(inputTable, number, nameIn(entry.getInputs(), number));
        })
        .Case([&](plan::OutputOp at) {
          unsigned number = at.getNumber();
          values[at] = element(outputTable, number, nameIn(entry.getOutputs(), number));
        })
        .Case([&](plan::ParameterOp at) {
          values[at] = element(parameterTable, parameters.lookup(at.getName()), at.getName());
        })
        .Case([&](plan::SlotOp at) { values[at] = element(workTable, at.getNumber(), ""); })
        .Case([&](plan::PackedOp at) { values[at] = element(packedTable, at.getNumber(), ""); })
        .Case([&](plan::ReuseOp same) { values[same] = values.lookup(same.getBuffer()); })
        .Case([&](plan::OffsetOp op) {
          Value base = values.lookup(op.getBuffer()), pass{};
          if (op.getPass())
            pass = values.lookup(op.getPass());
          values[op] = behind(base, op.getBytes().getValue(), op.getPass() ? &pass : nullptr);
        })
        .Case([&](plan::CopyOp op) {
          copy(values.lookup(op.getTo()), values.lookup(op.getFrom()), op.getBytes().getValue());
        })
        .Case([&](plan::RandomKeyOp op) {
          // In the call's table of work, keys come behind the slots.
          Value key = element(workTable, entry.getSlots().size() + keys++, "");
          randomKey(key, valuesOf(op.getPasses()), op.getStrides());
          values[op] = key;
        })
        .Case([&](plan::LoopOp op) {
          mlir::Block &body = op.getBody().front();
          loop(op, [&](const Value &pass) {
            values[body.getArgument(0)] = pass;
            emitBlock(body);
          });
        });
  }

  const llvm::StringMap<unsigned> &parameters;
  unsigned keys = 0;
  llvm::DenseMap<mlir::Value, Value> values;
  llvm::SmallVector<plan::LaunchOp> pending; ///< that are one, so far
  llvm::SmallVector<llvm::SmallVector<Value>> buffersOfPending;
};

/// The kernels that an entry launches, each once.
inline llvm::SetVector<mlir::StringAttr> kernelsOf(plan::EntryOp entry) {
  llvm::SetVector<mlir::StringAttr> kernels;
  entry.walk([&](plan::LaunchOp launch) { kernels.insert(launch.getKernelAttr().getAttr()); });
  return kernels;
}

/// How many buffers each kernel of a plan is launched with.
inline llvm::StringMap<uint64_t> buffersOfKernels(mlir::ModuleOp plan) {
  llvm::StringMap<uint64_t> counts;
  plan.walk([&](plan::LaunchOp op) { counts[op.getKernel()] = op.getBuffers().size(); });
  return counts;
}

} // namespace weft

#endif // WEFT_CODEGEN_HOST_ENTRYEMITTER_H
