// What many cores would take, as a table and as JSON.
#include "runtime/base/Json.h"
#include "runtime/program/profile/Scaling.h"

using namespace weft::runtime;

/// How much of so many threads' time the tasks fill.
static double balanceOf(double seconds, double onCores, int64_t cores) {
  return onCores > 0 ? seconds / (onCores * static_cast<double>(cores)) : 1;
}

std::string weft::runtime::scalingText(const Scaling &scaling) {
  std::string out = text("\non more cores, by the seconds of each task alone; launches are free, "
                         "and memory gives each core what it gives one\n%10s %6s %7s",
                         "ms on one", "calls", "tasks");
  for (int64_t cores : scaling.cores)
    out += text(" %8s %6s", text("on %lld", wide(cores)).c_str(), "busy");
  out += "  kernel\n";
  for (const KernelScaling &kernel : scaling.kernels) {
    double tasks = static_cast<double>(kernel.tasks) / static_cast<double>(kernel.launches);
    out += text("%10.3f %6lld %7.5g", kernel.seconds * 1e3, wide(kernel.launches), tasks);
    for (size_t i = 0; i < scaling.cores.size(); ++i)
      out += text(" %8.3f %4.0f %%", kernel.onCores[i] * 1e3,
                  100 * balanceOf(kernel.seconds, kernel.onCores[i], scaling.cores[i]));
    out += "  " + kernel.name + "\n";
  }
  auto row = [&](const char *name, double one, auto on) {
    out += text("%10.3f %6s %7s", one * 1e3, "", "");
    for (size_t i = 0; i < scaling.cores.size(); ++i)
      out += text(" %8.3f %6s", on(i) * 1e3, "");
    out += text("  %s\n", name);
  };
  row("between kernels", scaling.between, [&](size_t) { return scaling.between; });
  row("all", scaling.seconds(), [&](size_t i) { return scaling.secondsOn(i); });
  for (size_t i = 0; i < scaling.cores.size(); ++i)
    out += text("%lld cores: %.1f times one\n", wide(scaling.cores[i]),
                scaling.seconds() / scaling.secondsOn(i));
  return out;
}

Json weft::runtime::scalingJson(const Scaling &scaling) {
  Json all = Json::array();
  for (size_t i = 0; i < scaling.cores.size(); ++i) {
    Json kernels = Json::array();
    for (const KernelScaling &kernel : scaling.kernels)
      kernels.push_back(jsonObject(
          {{"kernel", kernel.name},
           {"launches", kernel.launches},
           {"tasks", kernel.tasks},
           {"seconds_alone", kernel.seconds},
           {"seconds", kernel.onCores[i]},
           {"balance", balanceOf(kernel.seconds, kernel.onCores[i], scaling.cores[i])}}));
    all.push_back(jsonObject({{"cores", scaling.cores[i]},
                              {"seconds_alone", scaling.seconds()},
                              {"seconds", scaling.secondsOn(i)},
                              {"between", scaling.between},
                              {"kernels", std::move(kernels)}}));
  }
  return all;
}
