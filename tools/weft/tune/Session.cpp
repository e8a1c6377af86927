// One run of `weft tune`.
#include "tools/weft/tune/Session.h"

#include "ir/cpu/tuning/TunedSchedules.h"
#include "runtime/base/files/NewFile.h"
#include "runtime/machine/Cores.h"
#include "runtime/training/Interrupt.h"
#include "tools/tune/Candidates.h"
#include "tools/tune/CostModel.h"
#include "tools/tune/ThisMachine.h"
#include "tools/weft/base/Options.h"

#include <fmt/format.h>

#include <chrono>

namespace weft {

/// Kernels below this part of a run are not worth a search.
constexpr double leastShare = 0.001;
/// A search of less time than this tries next to nothing.
constexpr double leastSeconds = 5;

static double now() {
  std::chrono::duration<double> time = std::chrono::steady_clock::now().time_since_epoch();
  return time.count();
}

TuneSession::TuneSession(mlir::ModuleOp module, std::vector<tune::Subject> all, TuneWishes asked,
                         std::vector<cpu::Tuning> known)
    : module(module), dims(kernel::DimTable::of(module)), subjects(std::move(all)),
      wishes(std::move(asked)), tunings(std::move(known)), machineName(tune::thisMachine()),
      pool(WeftPool::start(runtime::availableCores(), /*pin=*/true)) {}

std::string TuneSession::sizesOf(const tune::Subject &subject) const {
  std::string text;
  for (const trial::Sizes &sizes : subject.points) {
    text += text.empty() ? "" : ", ";
    for (const std::string &dim : subject.key.dims)
      text +=
          fmt::format("{}{}={}", dim == subject.key.dims.front() ? "" : " ", dim, sizes.at(dim));
  }
  return text.find_first_not_of(", ") == std::string::npos ? "static" : text;
}

std::optional<TuneSession::Job> TuneSession::jobFor(const tune::Subject &subject) {
  cpu::Machine machine = cpu::machineFor(wishes.isa, subject.op);
  auto schedules = tune::candidatesOf(subject, dims, machine, pool->threads());
  if (failed(schedules))
    return std::nullopt;
  Job job;
  job.subject = &subject;
  job.schedules = std::move(*schedules);
  for (kernel::ScheduleAttr schedule : job.schedules) {
    double sum = 0;
    for (size_t i = 0; i < subject.points.size(); ++i)
      sum += subject.launches[i] * tune::predicted({subject.op, dims}, schedule, machine,
                                                   pool->threads(), subject.points[i]);
    job.predicted.push_back(sum);
  }
  return job;
}

bool TuneSession::isOver() const {
  return runtime::Interrupt::received() || now() >= end;
}

/// The entry of the file for this kernel, at these sizes and on this machine.
std::optional<cpu::Tuning> TuneSession::known(const Job &job) const {
  kernel::FusedOp op = job.subject->op;
  for (const cpu::Tuning &each : tunings)
    if (!wishes.again && each.kernel == job.subject->key.hash &&
        each.set == cpu::machineOf(wishes.isa).schedules && each.machine == machineName &&
        each.by == cpu::madeBy(op.getFamily()) && each.sizes == sizesOf(*job.subject) &&
        each.usual == cpu::textOf(job.schedules.front()))
      return each;
  return std::nullopt;
}

/// A kernel that needs no search.
void TuneSession::take(const Job &job, const cpu::Tuning &known) {
  double launches = job.subject->allLaunches() * 1e-6;
  ++had;
  total += known.usualMicroseconds * launches;
  saved += (known.usualMicroseconds - known.tunedMicroseconds) * launches;
  better += !known.isDefault();
}

/// Whether a kernel's default runs; then how long it takes is known.
bool TuneSession::timed(Job &job) {
  tune::KernelBench bench(*job.subject, wishes.isa, {job.schedules.front()}, *pool,
                          tune::KernelBench::rough);
  constexpr int64_t rounds = 3;
  if (!bench.problem())
    return job.seconds = bench.usualSeconds(rounds), true;
  refuse(job, bench);
  return false;
}

void TuneSession::refuse(const Job &job, const tune::KernelBench &bench) {
  fmt::print(stderr, "weft tune: {}{}: {}\n", bench.isWrong() ? "internal error: " : "",
             tune::nameOf(job.subject->op), *bench.problem());
  wrong |= bench.isWrong();
}

/// Times each kernel with its default, and puts them in order.
bool TuneSession::prepare() {
  std::vector<Job> all;
  for (const tune::Subject &subject : subjects) {
    std::optional<Job> job = jobFor(subject);
    if (!job)
      return false;
    all.push_back(std::move(*job));
  }
  // Those that seem to take the most first: if there is no time for all, it goes to them.
  std::ranges::sort(all, {}, [](const Job &job) {
    return std::pair(-job.predicted.front(), job.subject->key.hash);
  });
  for (Job &job : all) {
    job.earlier = known(job);
    if (job.earlier && job.earlier->untried == 0) {
      take(job, *job.earlier);
    } else if (isOver()) {
      ++left;
    } else if (timed(job)) {
      total += job.seconds;
      jobs.push_back(std::move(job));
    }
  }
  auto isSmall = [&](const Job &job) { return job.seconds < leastShare * total; };
  small = std::erase_if(jobs, isSmall);
  for (Job &job : jobs) { // time that is likely to be gained, as far as anything is predicted
    constexpr double least = 0.05, most = 0.5;
    double best = *std::ranges::min_element(job.predicted) / job.predicted.front();
    job.weight = job.seconds * std::clamp(1 - best, least, most);
  }
  std::ranges::sort(jobs, {}, [](const Job &job) {
    return std::tuple(job.earlier.has_value(), -job.weight, job.subject->key.hash);
  });
  return true;
}

int TuneSession::run() {
  runtime::Interrupt interrupt;
  end = now() + wishes.seconds;
  fmt::print(stderr, "{}, {}\n{} kernels are timed …\n", cpu::isaName(wishes.isa).str(),
             machineName, subjects.size());
  if (!prepare())
    return exitUser;
  fmt::print(stderr, "a run takes {:.2f} ms in them; {} to search{}{}\n", total * 1e3, jobs.size(),
             small ? fmt::format(", {} below a thousandth of it left alone", small) : "",
             had ? fmt::format(", {} in {} already", had, wishes.output) : "");
  std::vector<double> weights;
  for (const Job &job : jobs)
    weights.push_back(job.weight);
  for (size_t i = 0; i < jobs.size() && !isOver(); ++i)
    if (!searchOne(
            jobs[i], i,
            std::min(end, now() + std::max(leastSeconds, tune::allotted(end - now(), weights, i)))))
      return exitUser;
  left += jobs.size() - searched;
  conclude();
  return wrong ? exitInternal : exitOk;
}

bool TuneSession::searchOne(Job &job, size_t number, double until) {
  tune::KernelBench bench(*job.subject, wishes.isa, job.schedules, *pool);
  bench.expect(wishes.small);
  ++searched;
  double share = job.seconds;
  if (bench.problem())
    return refuse(job, bench), true;
  constexpr int64_t rounds = 5;
  double usual = bench.usualSeconds(rounds);
  size_t before = job.earlier ? size_t(job.earlier->untried) : SIZE_MAX;
  tune::Found found = tune::search(bench, job.predicted, until, {}, before);
  job.seconds = usual;
  size_t pruned = found.count(tune::Verdict::pruned), untried = found.count(tune::Verdict::untried),
         tried = job.schedules.size() - 1 - pruned - untried;
  fmt::print(stderr, "[{}/{}] {:4.1f} % {}: {} of {} tried{}, {}\n", number + 1, jobs.size(),
             share / total * 100, tune::nameOf(job.subject->op), tried, job.schedules.size() - 1,
             pruned ? fmt::format(" ({} pruned)", pruned) : "", outcome(job, found));
  for (size_t i = 0; i < found.tried.size(); ++i)
    if (found.tried[i].verdict == tune::Verdict::wrong) {
      wrong = true;
      fmt::print(stderr,
                 "weft tune: internal error: {} with {}: {}. That is a fault of Weft, please "
                 "report it; the schedule is not used\n",
                 tune::nameOf(job.subject->op), cpu::textOf(job.schedules[i]), found.tried[i].why);
    }
  if (wishes.explain)
    explain(job, found);
  cpu::Tuning tuning = tuningOf(job, found);
  better += !tuning.isDefault();
  saved += share * (1 - tuning.tunedMicroseconds / tuning.usualMicroseconds);
  left += untried > 0 || found.cut;
  // A second series that was cut off says nothing: the next search begins anew.
  return (found.cut && !found.best) || tried == found.count(tune::Verdict::before) || save(tuning);
}

bool TuneSession::earlierStays(const Job &job, const tune::Found &found) {
  return job.earlier && !job.earlier->isDefault() &&
         job.earlier->tunedMicroseconds <= job.earlier->usualMicroseconds * found.ratio;
}

std::string TuneSession::outcome(const Job &job, const tune::Found &found) {
  if (earlierStays(job, found))
    return fmt::format("what was found before stays ({:.3f})",
                       job.earlier->tunedMicroseconds / job.earlier->usualMicroseconds);
  if (!found.best)
    return "the default stays";
  double usual = job.seconds * 1e6;
  return fmt::format("{:.1f} us -> {:.1f} us ({:.3f})", usual, usual * found.ratio, found.ratio);
}

/// What was found, or what an earlier search has found if that gains more.
cpu::Tuning TuneSession::tuningOf(const Job &job, const tune::Found &found) const {
  const tune::Subject &subject = *job.subject;
  kernel::FusedOp op = subject.op;
  double ratio = found.ratio,
         microseconds = std::max(job.seconds * 1e6 / subject.allLaunches(), 0.01);
  cpu::Tuning tuning{.kernel = subject.key.hash,
                     .what = tune::nameOf(op),
                     .set = cpu::machineOf(wishes.isa).schedules.str(),
                     .machine = machineName,
                     .by = cpu::madeBy(op.getFamily()),
                     .sizes = sizesOf(subject),
                     .usual = cpu::textOf(job.schedules.front()),
                     .tuned = cpu::textOf(job.schedules[found.best]),
                     .usualMicroseconds = microseconds,
                     .pairs = found.pairs,
                     .untried = int64_t(found.count(tune::Verdict::untried))};
  if (earlierStays(job, found)) {
    ratio = job.earlier->tunedMicroseconds / job.earlier->usualMicroseconds;
    tuning.tuned = job.earlier->tuned;
    tuning.pairs = job.earlier->pairs;
  }
  tuning.tunedMicroseconds = std::max(microseconds * ratio, 0.01);
  return tuning;
}

/// Puts what was found in the place of what was there of the same kernel, and writes the file anew.
bool TuneSession::save(const cpu::Tuning &tuning) {
  llvm::erase_if(tunings, [&](const cpu::Tuning &each) {
    return each.kernel == tuning.kernel && each.set == tuning.set &&
           each.machine == tuning.machine && each.by == tuning.by;
  });
  tunings.push_back(tuning);
  runtime::Status status =
      runtime::writeFile(wishes.output, cpu::writeTunings(cpu::merged(tunings)));
  if (!status)
    fmt::print(stderr, "weft tune: {}\n", status.error().message);
  written |= bool(status);
  return bool(status);
}

void TuneSession::explain(const Job &job, const tune::Found &found) const {
  fmt::print("{}, {:.1f} us a run\n  {:>9} {:>8} {:>5}  {:11} schedule\n",
             tune::nameOf(job.subject->op), job.seconds * 1e6, "predicted", "measured", "pairs",
             "");
  for (size_t i = 0; i < found.tried.size(); ++i) {
    const tune::Tried &each = found.tried[i];
    std::string measured = each.measured > 0 ? fmt::format("{:.3f}", each.measured) : "";
    fmt::print("  {:>9.3f} {:>8} {:>5}  {:11} {}{}\n", each.predicted, measured, each.pairs,
               tune::verdictName(each.verdict), cpu::textOf(job.schedules[i]),
               each.why.empty() ? "" : "  " + each.why);
  }
  if (auto rank = tune::agreement(found.tried))
    fmt::print("  predicted and measured agree in order by {:.2f} (rank correlation)\n", *rank);
  std::fflush(stdout);
}

void TuneSession::conclude() const {
  if (runtime::Interrupt::received())
    fmt::print(stderr, "interrupted: what was found so far is kept\n");
  if (left)
    fmt::print(stderr, "{}{} kernel{} not searched to the end: the same command goes on there\n",
               runtime::Interrupt::received() ? "" : "the time is over; ", left,
               left == 1 ? " was" : "s were");
  if (better)
    fmt::print(
        stderr,
        "{} kernel{} faster than by default: a run takes {:.2f} ms in all {} instead of {:.2f} "
        "({:.3f})\n",
        better, better == 1 ? " is" : "s are", (total - saved) * 1e3, subjects.size(), total * 1e3,
        (total - saved) / total);
  else
    fmt::print(stderr, "of the kernels that were searched none is faster than by default\n");
  if (written)
    fmt::print(stderr, "written to {}: weft build … --tuned {}\n", wishes.output, wishes.output);
  else
    fmt::print(stderr, "nothing new for {}\n", wishes.output);
}

} // namespace weft
