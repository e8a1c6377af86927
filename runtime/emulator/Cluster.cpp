// Runs the threads of a cluster until all have ended, one has failed, or none can go on.
#include "runtime/emulator/Cluster.h"

#include "runtime/emulator/Profile.h"

#include <algorithm>
#include <cstring>

namespace weft::emulator {

constinit thread_local Thread *Cluster::runs = nullptr;

Cluster::Cluster(const Grid &grid, const Mode &mode, uint32_t launch, Stacks &stacks, char *shared,
                 GlobalWords *shadow)
    : grid(grid), mode(mode), launch(launch), shadow(shadow),
      schedule(mode.seed, grid.cluster * grid.threads / lanesOfWarp), stacks(stacks),
      threads(size_t(grid.cluster) * grid.threads), warps(threads.size() / lanesOfWarp) {
  for (unsigned rank = 0; rank < grid.cluster; ++rank)
    blocks.push_back(std::make_unique<Block>(*this, rank, shared + rank * sharedWindow));
  if (mode.profile)
    profile = std::make_unique<Profile>(*this);
}

Cluster::~Cluster() = default;

/// The next lane that can run, after the one that ran last.
inline Thread *Cluster::next(Warp &warp) {
  uint32_t all = warp.runnable;
  if (!all)
    return nullptr;
  if (warp.down) {
    uint32_t below = all & ((1u << warp.lane) - 1);
    warp.lane = 31 - __builtin_clz(below ? below : all);
  } else {
    uint32_t above = all & (~1u << warp.lane);
    warp.lane = __builtin_ctz(above ? above : all);
  }
  return &warp.threads[warp.lane];
}

/// From the current thread to the next lane, or to the scheduler.
inline void Cluster::leave(Thread &thread) {
  Warp &warp = warpOf(thread);
  Thread *follows = paused || problem ? nullptr : next(warp);
  if (follows == &thread)
    return;
  if (!follows)
    return Fiber::go(*thread.fiber, scheduler);
  if (!follows->fiber)
    follows->fiber = stacks.take(&Cluster::body);
  runs = follows;
  Fiber::go(*thread.fiber, *follows->fiber);
}

void Cluster::wait(const char *what, uint16_t site, std::string (*details)(uintptr_t),
                   uintptr_t of) {
  Thread &thread = running();
  thread.what = what;
  thread.site = site;
  thread.details = details;
  thread.of = of;
  moved = true;
  warpOf(thread).runnable &= ~(1u << thread.lane());
  leave(thread);
  thread.what = nullptr;
}

Meeting &Warp::meeting(uint32_t mask) {
  Meeting *idle = nullptr;
  for (Meeting &each : meetings) {
    if (each.mask == mask)
      return each;
    if (!each.there)
      idle = &each;
  }
  if (!idle) {
    meetings.reserve(lanesOfWarp); // lanes keep no addresses of meetings, but those that run do
    idle = &meetings.emplace_back();
  }
  idle->mask = mask;
  return *idle;
}

void Cluster::meet(uint32_t mask, const char *what, uint16_t site, const void *brings, void *takes,
                   void (*together)(Meeting &)) {
  Thread &thread = running();
  Warp &warp = warpOf(thread);
  uint32_t lane = thread.lane(), bit = 1u << lane;
  if (!(mask & bit)) {
    char text[16];
    snprintf(text, sizeof text, "0x%08x", mask);
    fail(named(thread) + " comes to " + what + " at " + std::to_string(site) + " whose mask " +
         text + " has not its lane");
  }
  Meeting &meeting = warp.meeting(mask);
  if (!meeting.there)
    meeting.site = site;
  else if (meeting.site != site)
    fail(named(thread) + " comes to " + what + " at " + std::to_string(site) +
         " while others of its warp are at " + std::to_string(meeting.site));
  meeting.brought[lane] = brings;
  meeting.takes[lane] = takes;
  if ((meeting.there |= bit) != mask)
    return wait(what, site);
  if (together)
    together(meeting);
  meeting.there = 0;
  warp.runnable |= mask;
  if (profile && mask == ~0u)
    profile->flush(warp);
  maybePause();
}

std::optional<std::string> Cluster::run(const unsigned (&at)[3], Kernel code, void *const *given) {
  kernel = code;
  arguments = given;
  number = at[0] + grid.blocks[0] * (at[1] + grid.blocks[1] * at[2]);
  schedule.begin(number);
  era = 1;
  agents = 0;
  eraBegan.assign(threads.size(), 0);
  alive = threads.size();
  barrier = Barrier();
  for (auto &block : blocks) {
    unsigned position[3] = {at[0] + block->rank, at[1], at[2]};
    block->begin(position);
  }
  for (unsigned i = 0; i < threads.size(); ++i) {
    Thread &thread = threads[i];
    thread = Thread();
    thread.block = blocks[i / grid.threads].get();
    thread.number = i % grid.threads;
    thread.index = i;
  }
  for (unsigned i = 0; i < warps.size(); ++i) {
    Warp &warp = warps[i];
    warp.threads = &threads[i * lanesOfWarp];
    warp.block = warp.threads->block;
    warp.runnable = -1;
    warp.polling = 0;
    warp.down = schedule.down();
    warp.lane = warp.down ? 0 : lanesOfWarp - 1;
    warp.registers = std::min(65536 / grid.threads / 8 * 8, 255u);
    for (Meeting &meeting : warp.meetings)
      meeting.there = 0;
  }
  while (alive && !problem) {
    moved = false;
    for (unsigned i : schedule.order())
      if (warps[i].runnable && !problem)
        runWarp(warps[i]);
    for (Warp &warp : warps) {
      warp.runnable |= warp.polling;
      warp.polling = 0;
    }
    if (!problem && !moved && !landOne() && alive && !problem)
      problem = deadlock();
    else if (schedule.landings() == Schedule::Landings::drawn && schedule.lands())
      landOne();
    schedule.next();
  }
  while (!problem && landOne())
    ;
  if (!problem)
    if (std::string text = unfinished(); !text.empty())
      problem = text;
  if (profile)
    profile->flush();
  return problem;
}

/// All of a warp's lanes, one after the other as they wait, until none can run or it pauses.
void Cluster::runWarp(Warp &warp) {
  Thread *thread = next(warp);
  if (!thread->fiber)
    thread->fiber = stacks.take(&Cluster::body);
  runs = thread;
  paused = false;
  Fiber::go(scheduler, *thread->fiber);
}

/// What a stack runs: a thread to its end, and then, without leaving it, the next lane if that has
/// not begun. A kernel in which nobody waits needs one stack, and no switch for a thread.
void Cluster::body() {
  while (true) {
    Cluster &cluster = current();
    (*cluster.kernel)(cluster.arguments);
    Thread &done = running();
    done.ended = true;
    Warp &warp = cluster.warpOf(done);
    warp.runnable &= ~(1u << done.lane());
    cluster.moved = true;
    --done.block->alive;
    Thread *follows = --cluster.alive && !cluster.problem ? cluster.next(warp) : nullptr;
    if (follows)
      runs = follows;
    if (follows && !follows->fiber) {
      follows->fiber = done.fiber;
      continue;
    }
    cluster.stacks.giveBack(done.fiber);
    Fiber::go(*done.fiber, follows ? *follows->fiber : cluster.scheduler);
  }
}

void Cluster::wake(Thread &thread) {
  moved = true;
  warpOf(thread).runnable |= 1u << thread.lane();
}

void Cluster::poll(const char *what, uint16_t site, std::string (*details)(uintptr_t),
                   uintptr_t of) {
  Thread &thread = running();
  thread.what = what;
  thread.site = site;
  thread.details = details;
  thread.of = of;
  Warp &warp = warpOf(thread);
  warp.runnable &= ~(1u << thread.lane());
  warp.polling |= 1u << thread.lane();
  leave(thread);
}

void Cluster::maybePause() {
  moved = true;
  if (!schedule.pauses())
    return;
  paused = true;
  leave(running());
}

void Cluster::fail(std::string message) {
  if (!problem)
    problem = std::move(message);
  while (true)
    Fiber::go(*running().fiber, scheduler);
}

bool Cluster::landsNow() {
  auto when = schedule.landings();
  return when == Schedule::Landings::early ||
         (when == Schedule::Landings::drawn && schedule.lands());
}

void Cluster::later(std::function<void()> lands) {
  if (landsNow()) {
    moved = true;
    return lands();
  }
  landings.push_back(std::move(lands));
}

bool Cluster::landOne() {
  if (landings.empty())
    return false;
  size_t which = schedule.choose(landings.size());
  std::function<void()> lands = std::move(landings[which]);
  landings.erase(landings.begin() + which);
  lands();
  return true;
}

Block *Cluster::blockOf(uintptr_t address) {
  uintptr_t offset = address - reinterpret_cast<uintptr_t>(blocks[0]->shared);
  return offset < blocks.size() * sharedWindow ? blocks[offset / sharedWindow].get() : nullptr;
}

} // namespace weft::emulator
