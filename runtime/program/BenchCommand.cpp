// `OUT bench`: how long an entry or a training step takes, on random weights and inputs.
#include "runtime/base/Json.h"
#include "runtime/machine/Isa.h"
#include "runtime/program/Command.h"
#include "runtime/program/Subject.h"

#include <algorithm>
#include <chrono>

using namespace weft::runtime;

/// Seconds of each of `count` runs, sorted, after two that warm up.
static Result<std::vector<double>> timeRuns(const Subject &subject, int64_t count) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int64_t i = -2; i < count; ++i) {
    Clock::time_point start = Clock::now();
    if (Status status = subject.once(i + 3); !status)
      return status.error();
    if (i >= 0)
      times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times;
}

static void print(const Subject &subject, const std::vector<double> &times, const Model &model,
                  bool json) {
  auto at = [&](double share) { // ms
    return times[static_cast<size_t>(share * static_cast<double>(times.size() - 1) + 0.5)] * 1e3;
  };
  double perSecond = static_cast<double>(subject.amount.count) * 1e3 / at(0.5);
  if (json) {
    Json line = jsonObject({{"entry", subject.name},
                            {"runs", times.size()},
                            {"ms", at(0.5)},
                            {"ms_quartiles", {at(0.25), at(0.75)}},
                            {"ms_least", at(0)},
                            {"bytes", subject.bytes},
                            {"isa", isaName(model.isa)},
                            {"threads", model.pool->threads()}});
    if (model.device)
      line["device"] = model.device->title();
    if (subject.amount.count > 0)
      line[text("%s_per_second", subject.amount.unit)] = perSecond;
    puts(jsonText(line).c_str());
    return;
  }
  printf("%s: median %.3f ms, quartiles %.3f to %.3f, least %.3f; %zu runs", subject.name.c_str(),
         at(0.5), at(0.25), at(0.75), at(0), times.size());
  if (subject.amount.count > 0)
    printf("; %.0f %s/s", perSecond, subject.amount.unit);
  if (subject.bytes > 0)
    printf("; work space %.1f MB", static_cast<double>(subject.bytes) * 1e-6);
  printf("; %s\n", model.place().c_str());
}

static Result<int> bench(Model &model, const Options &options) {
  Result<int64_t> runs = options.integer("runs", 20, 1, 1000000);
  if (!runs)
    return runs.error();
  Result<Subject> subject = subjectOf(model, options);
  if (!subject)
    return subject.error();
  Result<std::vector<double>> times = timeRuns(*subject, *runs);
  if (!times)
    return times.error();
  print(*subject, *times, model, options.has("json"));
  return 0;
}

Command weft::runtime::benchCommand() {
  std::vector<OptionSpec> options = subjectOptions();
  options.push_back({"runs", "N", "how many runs to time (default 20)"});
  options.push_back(jsonOption());
  return {"bench",
          "how long an entry, a training step or a token takes, on random weights and inputs",
          "Prints the median, the quartiles and the least time of a run, and how much that is per "
          "second.",
          options, bench};
}
