// How the tasks of a launch are cut into the chunks that threads take, and how long threads are
// then busy.
#ifndef WEFT_RUNTIME_MACHINE_CHUNKS_H
#define WEFT_RUNTIME_MACHINE_CHUNKS_H

#include <cstdint>
#include <vector>

namespace weft::runtime {

/// Chunks for so many threads: few enough that one is worth its overhead, enough that a slow core
/// does not hold up the join.
int64_t chunksOf(int64_t tasks, int threads);

/// The first task of a chunk; chunk number `chunks` begins behind the last task. Tasks are below
/// 2^53 / chunks in any program that fits memory, so the product does not overflow.
inline int64_t firstTaskOf(int64_t chunk, int64_t tasks, int64_t chunks) {
  return tasks * chunk / chunks;
}

/// How long so many threads take for tasks of these seconds, if all begin at once and nothing but
/// the tasks takes time: the seconds of the thread that ends last, by the pool's way of handing out
/// chunks.
double secondsOnThreads(const std::vector<double> &tasks, int threads);

} // namespace weft::runtime
#endif
