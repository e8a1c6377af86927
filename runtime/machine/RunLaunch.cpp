// Tasks in chunks on a pool, and in the list of who notes launches.
#include "runtime/machine/RunLaunch.h"

#include "runtime/machine/LaunchTimes.h"

#include <algorithm>

using namespace weft::runtime;

namespace {
struct Chunked {
  LaunchTimes *times;
  ChunkJob job;
  void *context;
  const Chunks &chunks;
};

struct Launch {
  Pool &pool;
  WeftKernel kernel;
  std::span<const LaunchPart> parts;

  void compute(const LaunchPart &part, int64_t begin, int64_t end, int worker) const {
    if (begin < end)
      kernel(part.call->sizes, part.buffers, begin, end,
             part.call->scratch + worker * part.call->scratch_stride);
  }
};
} // namespace

static void runOne(void *context, int64_t chunk, int worker) {
  const Chunked &all = *static_cast<const Chunked *>(context);
  auto compute = [&] { all.job(all.context, all.chunks, chunk, worker); };
  if (all.times)
    return all.times->chunk(worker, compute);
  compute();
}

void weft::runtime::runChunks(Pool &pool, const LaunchName &name, int64_t tasks, ChunkJob job,
                              void *context) {
  LaunchTimes *times = pool.times;
  bool byTask = times && times->notesTasks();
  const Chunks chunks = byTask ? Chunks::ofSingleTasks(tasks) : Chunks(tasks, pool.threads());
  Chunked all{times, job, context, chunks};
  auto runAll = [&] {
    if (!byTask)
      return pool.run(chunks.count(), runOne, &all);
    for (int64_t task = 0; task < tasks; ++task)
      runOne(&all, task, 0);
  };
  if (!times)
    return runAll();
  if (name.kernel)
    return times->launch(name.kernel, name.sizes, tasks, runAll);
  times->launch(name.words, tasks, runAll);
}

static void runParts(void *context, const Chunks &chunks, int64_t chunk, int worker) {
  const Launch &launch = *static_cast<const Launch *>(context);
  if (launch.pool.skips())
    return;
  auto border = [&](const LaunchPart &part, int64_t before) {
    return chunks.firstOf(part.tasks, before);
  };
  const LaunchPart &first = launch.parts.front();
  if (launch.parts.size() == 1)
    return launch.compute(first, border(first, chunk), border(first, chunk + 1), worker);
  int64_t most = 0;
  for (const LaunchPart &part : launch.parts)
    most = std::max(most, border(part, chunk + 1) - border(part, chunk));
  for (int64_t i = 0; i < most; ++i)
    for (const LaunchPart &part : launch.parts)
      if (int64_t task = border(part, chunk) + i; task < border(part, chunk + 1))
        launch.compute(part, task, task + 1, worker);
}

void weft::runtime::runLaunch(Pool &pool, WeftKernel kernel, std::span<const LaunchPart> parts) {
  int64_t tasks = 0;
  for (const LaunchPart &part : parts)
    tasks = std::max(tasks, part.tasks);
  if (tasks <= 0 || pool.skips())
    return;
  Launch launch{pool, kernel, parts};
  runChunks(pool, {kernel, parts.front().call->sizes, nullptr}, tasks, runParts, &launch);
}
