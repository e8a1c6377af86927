// A profile as a table and as JSON.
#include "runtime/program/profile/Report.h"

#include "runtime/base/Json.h"

using namespace weft::runtime;

/// "  12.3", with three digits that count.
static std::string figure(double value) {
  return text(value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
}

static std::string share(double part, double whole) {
  return whole > 0 ? text("%.0f %%", 100 * part / whole) : "";
}

static std::string row(const KernelProfile &kernel, const Profile &profile) {
  std::string flops, ofPeak, bytes, ofReads;
  if (kernel.known && profile.peaks) {
    flops = (kernel.isMasked ? "<" : "") + figure(kernel.flopsPerSecond() * 1e-9);
    ofPeak = share(kernel.flopsPerSecond(), profile.peakOf(kernel));
    bytes = figure(kernel.bytesPerSecond() * 1e-9);
    ofReads = share(kernel.bytesPerSecond(), profile.peaks->bytesRead);
  }
  std::string busy =
      profile.threads > 0 ? share(kernel.busy, kernel.seconds * profile.threads) : "";
  return text("%10.3f %6s %6g %6s %9s %6s %8s %6s  %-12s %s\n", kernel.seconds * 1e3,
              share(kernel.seconds, profile.seconds).c_str(), kernel.launches, busy.c_str(),
              flops.c_str(), ofPeak.c_str(), bytes.c_str(), ofReads.c_str(), kernel.lines.c_str(),
              kernel.name.c_str());
}

std::string weft::runtime::ofPairs(const Peaks &peaks) {
  return peaks.pairFlops > 0 ? text(", %.0f of bfloat16 by bfloat16", peaks.pairFlops * 1e-9) : "";
}

std::string weft::runtime::profileText(const Profile &profile) {
  std::string out = text("%s: %.3f ms, the mean of %lld runs; %s\n", profile.subject.c_str(),
                         profile.seconds * 1e3, wide(profile.runs), profile.place.c_str());
  if (profile.peaks)
    out += text("this machine: %.0f GFLOP/s of multiply-adds in float32%s, reads %.1f GB/s\n\n",
                profile.peaks->flops * 1e-9, ofPairs(*profile.peaks).c_str(),
                profile.peaks->bytesRead * 1e-9);
  out += text("%10s %6s %6s %6s %9s %6s %8s %6s  %-12s %s\n", "ms", "share", "calls", "busy",
              "GFLOP/s", "peak", "GB/s", "reads", "lines", "kernel");
  bool isMasked = false;
  for (const KernelProfile &kernel : profile.kernels) {
    out += row(kernel, profile);
    isMasked |= kernel.known && kernel.isMasked;
  }
  double between = profile.seconds - profile.launched();
  out += text("%10.3f %6s%*s  %-12s between kernels\n", between * 1e3,
              share(between, profile.seconds).c_str(), 47, "", "");
  if (isMasked)
    out += "<: what a mask hides is counted, and not computed where whole blocks are hidden\n";
  if (profile.scaling)
    out += scalingText(*profile.scaling);
  return out;
}

std::string weft::runtime::profileJson(const Profile &profile) {
  Json kernels = Json::array();
  for (const KernelProfile &kernel : profile.kernels) {
    Json one = jsonObject({{"kernel", kernel.name},
                           {"family", kernel.family},
                           {"lines", kernel.lines},
                           {"launches", kernel.launches},
                           {"seconds", kernel.seconds}});
    if (profile.threads > 0)
      one["busy"] = kernel.busy;
    if (kernel.known) {
      one["flops"] = kernel.flops;
      one["bytes"] = kernel.bytes;
      one["masked"] = kernel.isMasked;
      one["pairs"] = kernel.multipliesPairs;
    }
    kernels.push_back(std::move(one));
  }
  Json all = jsonObject({{"subject", profile.subject},
                         {"place", profile.place},
                         {"runs", profile.runs},
                         {"seconds", profile.seconds}});
  if (profile.threads > 0)
    all["threads"] = profile.threads;
  if (profile.peaks) {
    all["peak_flops"] = profile.peaks->flops;
    if (profile.peaks->pairFlops > 0)
      all["peak_pair_flops"] = profile.peaks->pairFlops;
    all["peak_bytes_read"] = profile.peaks->bytesRead;
  }
  all["kernels"] = std::move(kernels);
  if (profile.scaling)
    all["on_cores"] = scalingJson(*profile.scaling);
  return jsonText(all);
}
