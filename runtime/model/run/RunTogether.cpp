// Runs of one entry, side by side.
#include "runtime/machine/Denormals.h"
#include "runtime/machine/Lockstep.h"
#include "runtime/model/EntryRun.h"

#include <map>

using namespace weft::runtime;

/// What a run writes and others read: caches that several of them have.
std::vector<std::span<const char>> EntryRun::commonCaches(std::span<EntryRun *const> runs) {
  std::map<const char *, size_t> users;
  std::vector<std::span<const char>> all;
  for (const EntryRun *each : runs)
    for (size_t i = 0; i < each->inputs.size(); ++i)
      if (const Argument &input = each->entry().inputs[i]; input.cache && !input.once)
        if (Mirror &memory = *each->inputs[i]; ++users[memory.read()] == 2)
          all.emplace_back(memory.read(), static_cast<size_t>(memory.size()));
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

Result<bool> EntryRun::runTogether(std::span<EntryRun *const> runs) {
  if (runs.empty())
    return true;
  Model &model = *runs.front()->model;
  Pool &pool = *model.pool;
  const WeftEntryCode &code = model.code(runs.front()->number);
  for (EntryRun *each : runs) {
    if (!each->isApart || each->packsInWork || each->device() || each->model != &model ||
        each->number != runs.front()->number || !each->entry().writes.empty())
      return Error{Code::Internal, "runs side by side are of one entry on this machine that writes "
                                   "no parameter, and each has memory of its own"};
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
  for (EntryRun *each : runs) {
    calls.push_back(each->callOf(0, 0));
    if (!each->pack(calls.back()))
      return cancelled();
  }
  Lockstep lockstep(model.program.kernels[model.isa], model.facts.dims.size(), commonCaches(runs));
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
  for (EntryRun *each : runs)
    each->markWritten();
  if (pool.hasSkipped())
    return cancelled();
  return fits;
}
