// When the launches of runs began and ended, and what each thread did meanwhile.
#ifndef WEFT_RUNTIME_MACHINE_LAUNCHTIMES_H
#define WEFT_RUNTIME_MACHINE_LAUNCHTIMES_H

#include "runtime/Abi.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace weft::runtime {

/// Notes launches one after the other, and their chunks by several threads at once: each has a list
/// of its own. Times are seconds since it was made.
class LaunchTimes {
public:
  struct Span {
    double begin = 0, end = 0;
    double seconds() const { return end - begin; }
  };
  struct Launch {
    WeftKernel kernel; ///< nullptr: what the runtime does itself
    const char *name;  ///< of that; a literal
    int64_t tasks;
    size_t sizes; ///< of the run, as a number of sizesOf()
    Span span;
  };
  struct Chunk {
    size_t launch;
    Span span;
  };

  /// `dimensions`: how many sizes a run has.
  LaunchTimes(int threads, size_t dimensions)
      : chunks(static_cast<size_t>(threads)), dimensions(dimensions) {}
  /// Notes each task as a chunk: the calling thread does them all, one after the other.
  static LaunchTimes ofTasks(size_t dimensions) {
    LaunchTimes times(1, dimensions);
    times.byTask = true;
    return times;
  }
  bool notesTasks() const { return byTask; }

  double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  /// Runs `body` as a launch, all of whose chunks are noted in between.
  template <class Body>
  void launch(WeftKernel kernel, const int64_t *sizes, int64_t tasks, Body body) {
    all.push_back({kernel, nullptr, tasks, noted(sizes), {now(), 0}});
    body();
    all.back().span.end = now();
  }
  /// The same of what is no kernel, and has no sizes.
  template <class Body> void launch(const char *name, int64_t tasks, Body body) {
    all.push_back({nullptr, name, tasks, 0, {now(), 0}});
    body();
    all.back().span.end = now();
  }
  /// Runs `body` as a chunk of the last launch, on a thread of the pool.
  template <class Body> void chunk(int thread, Body body) {
    Chunk chunk{all.size() - 1, {now(), 0}};
    body();
    chunk.span.end = now();
    chunks[static_cast<size_t>(thread)].push_back(chunk);
  }
  /// Forgets all of it; time goes on.
  void clear();

  const std::vector<Launch> &launches() const { return all; }
  /// By thread.
  const std::vector<std::vector<Chunk>> &chunksByThread() const { return chunks; }
  /// Of a kernel's.
  const std::vector<int64_t> &sizesOf(const Launch &launch) const { return sizes[launch.sizes]; }

private:
  size_t noted(const int64_t *of);

  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::vector<Launch> all;
  std::vector<std::vector<Chunk>> chunks;
  std::vector<std::vector<int64_t>> sizes; // of runs that follow each other, where they differ
  size_t dimensions;
  bool byTask = false;
};

} // namespace weft::runtime
#endif
