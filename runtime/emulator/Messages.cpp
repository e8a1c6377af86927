// What a cluster says where it cannot go on.
#include "runtime/emulator/Cluster.h"

namespace weft::emulator {

std::string Block::named() const {
  return "block (" + std::to_string(position[0]) + ", " + std::to_string(position[1]) + ", " +
         std::to_string(position[2]) + ")";
}

std::string Cluster::named(const Thread &thread) const {
  return "thread " + std::to_string(thread.number) + " of " + thread.block->named();
}

/// Who waits for what, as ranges of threads.
std::string Cluster::deadlock() const {
  std::string text = "deadlock";
  auto says = [](const Thread &thread) {
    if (thread.ended)
      return std::string("ended");
    if (!thread.what)
      return std::string("have not begun");
    return "wait at " + std::string(thread.what) + " at " + std::to_string(thread.site) +
           (thread.details ? " (" + thread.details(thread.of) + ")" : "");
  };
  for (auto &block : blocks) {
    text += (block->rank ? "; in " : " in ") + block->named() + ":";
    const Thread *own = &threads[block->rank * grid.threads];
    for (unsigned first = 0, end; first < grid.threads; first = end) {
      for (end = first + 1; end < grid.threads && says(own[end]) == says(own[first]);)
        ++end;
      text += (first ? ", threads " : " threads ") + std::to_string(first) + " to " +
              std::to_string(end - 1) + " " + says(own[first]);
    }
  }
  return text;
}

/// What still goes on where all threads have ended.
std::string Cluster::unfinished() const {
  const Operation *left = operations.any();
  if (!left)
    return "";
  return "all threads of " + blocks[0]->named() + " have ended, and " + left->what + " of thread " +
         std::to_string(left->thread) + " at " + std::to_string(left->site) + " was not waited for";
}

} // namespace weft::emulator
