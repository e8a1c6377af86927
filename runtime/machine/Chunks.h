// How the tasks of a launch are cut into the chunks that threads take, and how long threads are
// then busy.
#ifndef WEFT_RUNTIME_MACHINE_CHUNKS_H
#define WEFT_RUNTIME_MACHINE_CHUNKS_H

#include <cstdint>
#include <vector>

namespace weft::runtime {

/// The chunks of a launch, in the order in which threads take them. The first are a third of a
/// thread's share each: kernels do neighbouring tasks together where they can, and read less for
/// them. Then they become smaller, to single tasks, so that threads end at the same time also where
/// one began late or is slow (factoring: Hummel, Schonberg and Flynn, Communications of the ACM
/// 35(8), 1992).
class Chunks {
public:
  Chunks(int64_t tasks, int threads);
  /// Of one task each.
  static Chunks ofSingleTasks(int64_t tasks);

  int64_t count() const { return large + small; }
  /// The first task of a chunk; chunk number `count()` begins behind the last task.
  int64_t first(int64_t chunk) const;
  /// The same of a list of other length that is cut at the same places.
  int64_t firstOf(int64_t otherTasks, int64_t chunk) const;

private:
  Chunks() = default;

  int64_t tasks = 0, threads = 1;
  int64_t large = 0, inLarge = 0; // even chunks, and the tasks in all of them
  int64_t small = 0, half = 0;    // a thread's number of half as many tasks, of a quarter, …
};

/// How long so many threads take for tasks of these seconds, if all begin at once and nothing but
/// the tasks takes time: the seconds of the thread that ends last, by the pool's way of handing out
/// chunks.
double secondsOnThreads(const std::vector<double> &tasks, int threads);

} // namespace weft::runtime
#endif
