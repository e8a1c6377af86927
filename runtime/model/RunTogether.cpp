// Runs of one entry, side by side.
#include "runtime/machine/Denormals.h"
#include "runtime/machine/Lockstep.h"
#include "runtime/model/EntryRun.h"

using namespace weft::runtime;

/// What a run writes and others read.
std::vector<std::span<const char>> EntryRun::cacheMemory() const {
  std::vector<std::span<const char>> all;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (entry().inputs[i].cache)
      all.emplace_back(inputs[i]->read(), static_cast<size_t>(inputs[i]->size()));
  return all;
}

namespace {
/// Lets a pool keep launches for a scope.
class Keeping {
public:
  Keeping(Pool &pool, Lockstep &lockstep) : pool(pool) { pool.lockstep = &lockstep; }
  ~Keeping() { pool.lockstep = nullptr; }
  Keeping(const Keeping &) = delete;

private:
  Pool &pool;
};
} // namespace

Result<bool> EntryRun::runTogether(std::span<const std::unique_ptr<EntryRun>> runs) {
  if (runs.empty())
    return true;
  Model &model = *runs.front()->model;
  Pool &pool = *model.pool;
  const WeftEntryCode &code = model.code(runs.front()->number);
  for (const std::unique_ptr<EntryRun> &each : runs) {
    if (!each->isApart || each->packsInWork || each->device() || each->model != &model ||
        each->number != runs.front()->number)
      return Error{Code::Internal, "runs side by side are of one entry on this machine, and each "
                                   "has memory of its own"};
    if (Status status = each->checkInputs(); !status)
      return status.error();
    if (!each->hasWork())
      if (Status status = each->allocateWork(); !status)
        return status.error();
  }
  if (pool.isCancelled())
    return cancelled();
  pool.begin(/*mayStop=*/true);
  DenormalsIgnored denormals;
  std::vector<WeftCall> calls;
  for (const std::unique_ptr<EntryRun> &each : runs) {
    calls.push_back(each->callOf(0, 0));
    if (!each->pack(calls.back()))
      return cancelled();
  }
  Lockstep lockstep(model.program.kernels[model.isa], runs.front()->cacheMemory());
  {
    Keeping keeping(pool, lockstep);
    for (const WeftCall &call : calls) {
      lockstep.begin(call);
      code.run(&call);
    }
  }
  bool fits = lockstep.fits();
  if (fits)
    lockstep.play(pool);
  else
    for (const WeftCall &call : calls)
      code.run(&call);
  for (const std::unique_ptr<EntryRun> &each : runs)
    each->markWritten();
  if (pool.hasSkipped())
    return cancelled();
  return fits;
}
