// `OUT profile`: where the time of an entry, a training step or a token goes.
#include "runtime/base/files/NewFile.h"
#include "runtime/program/Command.h"
#include "runtime/program/Subject.h"
#include "runtime/program/profile/Report.h"

#include <chrono>
#include <cstdio>

using namespace weft::runtime;

namespace {
/// What was noted of some runs.
struct Noted {
  Noted(const Model &model) : launches(model.pool->threads(), model.facts.dims.size()) {}
  LaunchTimes launches;
  KernelTimes ofDevice;
  size_t lastRun = 0; // the first of its launches
  double seconds = 0; // of all runs
};

/// Has a model note its launches while it lasts.
class Noting {
public:
  Noting(Model &model, Noted &noted) : model(model) {
    if (model.device)
      model.device->times = &noted.ofDevice;
    else
      model.pool->times = &noted.launches;
  }
  ~Noting() {
    if (model.device)
      model.device->times = nullptr;
    model.pool->times = nullptr;
  }
  Noting(const Noting &) = delete;

private:
  Model &model;
};
} // namespace

/// Runs so many times, behind two runs that warm up.
static Status runAll(Model &model, const Subject &subject, int64_t count, Noted &noted) {
  using Clock = std::chrono::steady_clock;
  for (int64_t i = 0; i < 2; ++i)
    if (Status status = subject.once(i + 1); !status)
      return status;
  Noting noting(model, noted);
  Clock::time_point start = Clock::now();
  for (int64_t i = 0; i < count; ++i) {
    noted.lastRun = noted.launches.launches().size();
    if (Status status = subject.once(i + 3); !status)
      return status;
  }
  if (model.device)
    if (Status status = model.device->wait(); !status)
      return status;
  noted.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return success();
}

/// Runs so many times again, a task at a time on this thread.
static Result<std::vector<LaunchCosts>> runTasks(Model &model, const Subject &subject,
                                                 int64_t count) {
  Noted noted(model);
  noted.launches = LaunchTimes::ofTasks(model.facts.dims.size());
  Noting noting(model, noted);
  std::vector<LaunchCosts> costs;
  for (int64_t i = 0; i < count; ++i) {
    noted.launches.clear();
    if (Status status = subject.once(i + 3); !status)
      return status.error();
    keepLeast(costs, costsOf(noted.launches, model));
  }
  return costs;
}

/// Error: of a device, a picture, a trace or a count that only this machine's launches give.
static Status checkForDevice(const Model &model, const Options &options) {
  constexpr const char *reasons[][2] = {
      {"trace", "launches of a device are timed one by one"},
      {"roofline", "what a device does at most is not measured"},
      {"cores", "it counts tasks that threads of this machine take, and a device has none"}};
  for (auto [name, reason] : reasons)
    if (model.device && options.has(name))
      return Error{Code::Usage, text("--%s: %s; leave it out, or --device cpu", name, reason)};
  return success();
}

/// Those that are asked for.
static Status writeFiles(const Options &options, const Noted &noted, const Model &model,
                         const Profile &profile) {
  auto write = [&](const char *name, auto contents) {
    return options.has(name) ? writeFile(options.string(name), contents()) : success();
  };
  for (Status status :
       {write("trace", [&] { return profileTrace(noted.launches, noted.lastRun, model, profile); }),
        write("flame", [&] { return flameGraph(profile); }),
        write("roofline", [&] { return roofline(profile); })})
    if (!status)
      return status;
  return success();
}

/// Without what is counted for other numbers of cores.
static Result<Profile> profileOf(Model &model, const Subject &subject, int64_t runs,
                                 const Noted &noted) {
  Profile profile;
  profile.subject = subject.name;
  profile.place = model.place();
  profile.runs = runs;
  profile.threads = model.device ? 0 : model.pool->threads();
  profile.seconds = noted.seconds / static_cast<double>(runs);
  profile.kernels = model.device ? kernelsOf(noted.ofDevice, model, runs)
                                 : kernelsOf(noted.launches, model, runs);
  if (model.device)
    return profile;
  Result<Peaks> peaks = measurePeaks(*model.pool, model.isa);
  if (!peaks)
    return peaks.error();
  profile.peaks = *peaks;
  return profile;
}

static Result<int> profileModel(Model &model, const Options &options) {
  Result<int64_t> runs = options.integer("runs", 5, 1, 1000000);
  if (!runs)
    return runs.error();
  for (Status status :
       {checkForDevice(model, options), checkOutputs(options, {"trace", "flame", "roofline"})})
    if (!status)
      return status.error();
  Result<std::vector<int64_t>> cores = std::vector<int64_t>();
  if (options.has("cores"))
    cores = readCores(options.string("cores"));
  if (!cores)
    return cores.error();
  Result<Subject> subject = subjectOf(model, options);
  if (!subject)
    return subject.error();
  Noted noted(model);
  if (Status status = runAll(model, *subject, *runs, noted); !status)
    return status.error();
  Result<Profile> profile = profileOf(model, *subject, *runs, noted);
  if (!profile)
    return profile.error();
  if (!cores->empty()) {
    Result<std::vector<LaunchCosts>> costs = runTasks(model, *subject, *runs);
    if (!costs)
      return costs.error();
    profile->scaling = scalingOf(*costs, std::move(*cores), profile->seconds - profile->launched());
  }
  if (Status status = writeFiles(options, noted, model, *profile); !status)
    return status.error();
  fputs(options.has("json") ? (profileJson(*profile) + "\n").c_str()
                            : profileText(*profile).c_str(),
        stdout);
  return 0;
}

Command weft::runtime::profileCommand() {
  std::vector<OptionSpec> options = subjectOptions();
  options.push_back({"runs", "N", "how many runs to take the mean of (default 5)"});
  options.push_back({"trace", "FILE", "launches and threads of one run, for Perfetto (JSON)"});
  options.push_back({"flame", "FILE.svg", "the parts of the model as nested bars"});
  options.push_back({"roofline", "FILE.svg", "kernels by what they compute for each byte"});
  options.push_back({"cores", "N,...", "also what tasks would take on so many cores"});
  options.push_back(jsonOption());
  return {
      "profile", "where the time of an entry, a training step or a token goes, by kernel",
      "Prints what each kernel takes in a run, on random weights and inputs: launches, how busy "
      "the\nthreads are, and operations and bytes that it has at least, beside what this "
      "machine was\nmeasured to do at most. On a device each launch is waited for.",
      options, profileModel};
}
