// Runs the threads of a block until all have ended, one has failed, or none can go on.
#include "runtime/emulator/Block.h"

#include <algorithm>

namespace weft::emulator {

static thread_local Thread *running;

Thread &Block::current() {
  return *running;
}

Block::Block(const Grid &grid, Stacks &stacks, char *shared, uint64_t seed)
    : grid(grid), shared(shared), clocks(grid.threads / lanesOfWarp), stacks(stacks),
      schedule(seed, grid.threads), threads(grid.threads),
      warpMeetings(grid.threads / lanesOfWarp) {}

void Block::body(void *given) {
  auto &thread = *static_cast<Thread *>(given);
  (*thread.block->kernel)();
  thread.ended = true;
  --thread.block->alive;
  thread.fiber.yield();
}

std::optional<std::string> Block::run(const unsigned (&at)[3], const std::function<void()> &code) {
  std::copy(at, at + 3, position);
  kernel = &code;
  alive = threads.size();
  for (unsigned i = 0; i < threads.size(); ++i) {
    threads[i] = Thread();
    threads[i].block = this;
    threads[i].number = i;
    threads[i].fiber.prepare(stacks.bottom(i), &Block::body, &threads[i]);
  }
  for (unsigned warp = 0; warp < clocks.size(); ++warp) {
    clocks[warp] = Clock();
    clocks[warp].seen[warp] = 1;
    warpMeetings[warp] = Meeting();
  }
  blockMeeting = Meeting();
  while (alive && !problem) {
    bool moved = false;
    const std::vector<unsigned> &order = schedule.order();
    for (unsigned begin = 0; begin < order.size() && !problem; begin += lanesOfWarp) {
      paused = false;
      bool ran = runWarp(&order[begin]);
      moved |= ran;
      while (ran && schedule.isStrict() && !paused && !problem)
        ran = runWarp(&order[begin]);
    }
    if (!moved && !problem)
      problem = deadlock();
    schedule.next();
  }
  return problem;
}

/// Each of these lanes up to where it waits; whether one of them could run.
bool Block::runWarp(const unsigned *lanes) {
  bool ran = false;
  for (unsigned lane = 0; lane < lanesOfWarp && !problem; ++lane) {
    Thread &thread = threads[lanes[lane]];
    if (thread.ended || (thread.waits && thread.waits->round == thread.round))
      continue;
    thread.waits = nullptr;
    running = &thread;
    thread.fiber.resume();
    ran = true;
  }
  return ran;
}

void Block::fail(std::string message) {
  if (!problem)
    problem = std::move(message);
  while (true)
    running->fiber.yield();
}

void Block::meet(bool warp, const char *what, uint16_t site, const void *brings, void *takes,
                 void (*together)(Meeting &)) {
  Thread &thread = *running;
  Meeting &meeting = warp ? warpMeetings[thread.warp()] : blockMeeting;
  meeting.expected = warp ? lanesOfWarp : threads.size();
  if (meeting.there == 0)
    meeting.site = site;
  else if (meeting.site != site)
    fail(named(thread.number) + " comes to " + what + " at " + std::to_string(site) +
         " while others of its " + (warp ? "warp" : "block") + " are at " +
         std::to_string(meeting.site));
  unsigned place = warp ? thread.lane() : thread.number;
  meeting.brought[place] = brings;
  meeting.takes[place] = takes;
  if (++meeting.there < meeting.expected) {
    thread.waits = &meeting;
    thread.round = meeting.round;
    thread.what = what;
    thread.site = site;
    thread.fiber.yield();
    return;
  }
  if (together)
    together(meeting);
  meeting.there = 0;
  ++meeting.round;
  if (schedule.pauses()) {
    paused = true;
    thread.fiber.yield();
  }
}

void Block::synchronize(bool warp) {
  if (warp) {
    unsigned own = running->warp();
    ++clocks[own].seen[own];
    return;
  }
  Clock all;
  for (const Clock &clock : clocks)
    all.join(clock);
  for (unsigned own = 0; own < clocks.size(); ++own) {
    clocks[own] = all;
    ++clocks[own].seen[own];
  }
}

std::string Block::named(unsigned thread) const {
  auto text = [](unsigned number) { return std::to_string(number); };
  return "thread " + text(thread) + " of block (" + text(position[0]) + ", " + text(position[1]) +
         ", " + text(position[2]) + ")";
}

/// Who waits for what, as ranges of threads.
std::string Block::deadlock() const {
  std::string text = "deadlock in block (" + std::to_string(position[0]) + ", " +
                     std::to_string(position[1]) + ", " + std::to_string(position[2]) + "):";
  auto says = [](const Thread &thread) {
    return thread.ended
               ? std::string("ended")
               : "wait at " + std::string(thread.what) + " at " + std::to_string(thread.site);
  };
  for (unsigned first = 0, end; first < threads.size(); first = end) {
    for (end = first + 1; end < threads.size() && says(threads[end]) == says(threads[first]);)
      ++end;
    text += (first ? ", threads " : " threads ") + std::to_string(first) + " to " +
            std::to_string(end - 1) + " " + says(threads[first]);
  }
  return text;
}

} // namespace weft::emulator
