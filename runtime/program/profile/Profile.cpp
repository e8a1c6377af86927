// From launches to what each kernel takes.
#include "runtime/program/profile/Profile.h"

#include <algorithm>
#include <cstdlib>
#include <map>

using namespace weft::runtime;

double Profile::launched() const {
  double all = 0;
  for (const KernelProfile &kernel : kernels)
    all += kernel.seconds;
  return all;
}

std::string weft::runtime::nameOf(const LaunchTimes::Launch &launch, const Model &model) {
  if (launch.name) // in parentheses: a program may have a kernel of the same name
    return text("(%s)", launch.name);
  const WeftNamedKernel *named = model.program.kernels[model.isa];
  for (; named && named->kernel; ++named)
    if (named->kernel == launch.kernel)
      return named->name;
  return "";
}

static const KernelFacts *factsOf(const std::string &name, const Facts &facts) {
  auto found = std::find_if(facts.kernels.begin(), facts.kernels.end(),
                            [&](const KernelFacts &each) { return each.name == name; });
  return found == facts.kernels.end() ? nullptr : &*found;
}

static void describe(KernelProfile &kernel, const KernelFacts &facts, int isa) {
  kernel.family = facts.family;
  kernel.isMasked = facts.isMasked;
  // The gradient of attention does so by words only.
  const bool byWords = isa != WEFT_ISA_AMX;
  kernel.multipliesPairs =
      (facts.multipliesPairs && (byWords || facts.family != "attention_grad")) ||
      facts.multipliesScaledPairs;
  kernel.dots = facts.dots;
  for (int64_t line : facts.lines)
    kernel.lines += text("%s%lld", kernel.lines.empty() ? "" : ", ", wide(line));
}

/// Adds what one launch has to do at least. Sizes that no number holds are none that ran.
static void addWork(KernelProfile &kernel, const KernelFacts &facts, const int64_t *sizes) {
  auto at = [&](const SizeFormula &formula) {
    return static_cast<double>(formula.at(sizes).value);
  };
  kernel.known = true;
  kernel.flops += at(facts.products) + at(facts.others);
  auto least = [&](const std::pair<SizeFormula, SizeFormula> &bytes) {
    return std::min(at(bytes.first), at(bytes.second));
  };
  kernel.bytes += least(facts.writes);
  for (const auto &each : facts.reads)
    kernel.bytes += least(each);
}

static std::vector<KernelProfile> sorted(std::map<std::string, KernelProfile> &byName,
                                         int64_t runs) {
  std::vector<KernelProfile> all;
  for (auto &[name, kernel] : byName) {
    for (double *each :
         {&kernel.launches, &kernel.seconds, &kernel.busy, &kernel.flops, &kernel.bytes})
      *each /= static_cast<double>(runs);
    all.push_back(std::move(kernel));
  }
  std::stable_sort(all.begin(), all.end(), [](const KernelProfile &a, const KernelProfile &b) {
    return a.seconds > b.seconds;
  });
  return all;
}

std::vector<KernelProfile> weft::runtime::kernelsOf(const LaunchTimes &times, const Model &model,
                                                    int64_t runs) {
  std::map<std::string, KernelProfile> byName;
  std::vector<KernelProfile *> ofLaunch;
  std::map<std::pair<WeftKernel, const char *>, std::string> names;
  WeftKernel last = nullptr;
  for (const LaunchTimes::Launch &launch : times.launches()) {
    auto [name, isNewFunction] = names.try_emplace({launch.kernel, launch.name});
    if (isNewFunction)
      name->second = nameOf(launch, model);
    auto [at, isNew] = byName.try_emplace(name->second);
    KernelProfile &kernel = at->second;
    const KernelFacts *facts = factsOf(name->second, model.facts);
    if (isNew) {
      kernel.name = name->second.empty() ? "(unknown)" : name->second;
      if (facts)
        describe(kernel, *facts, model.isa);
    }
    ++kernel.launches;
    kernel.seconds += launch.span.seconds();
    // What is joined in a second launch is work that the first had to leave: it counts once.
    bool joins = !ofLaunch.empty() && ofLaunch.back() == &kernel && launch.kernel != last;
    if (facts && !joins)
      addWork(kernel, *facts, times.sizesOf(launch).data());
    ofLaunch.push_back(&kernel);
    last = launch.kernel;
  }
  for (const auto &chunks : times.chunksByThread())
    for (const LaunchTimes::Chunk &chunk : chunks)
      ofLaunch[chunk.launch]->busy += chunk.span.seconds();
  return sorted(byName, runs);
}

std::vector<KernelProfile> weft::runtime::kernelsOf(const KernelTimes &times, const Model &model,
                                                    int64_t runs) {
  std::map<std::string, KernelProfile> byName;
  for (const KernelTimes::Kernel &each : times.sorted()) {
    KernelProfile &kernel = byName[each.name];
    kernel.name = each.name;
    kernel.launches = static_cast<double>(each.launches);
    kernel.seconds = each.seconds;
    // `k7_up`: the kernel 7 of the facts (Abi.h).
    char *end = nullptr;
    size_t number = each.name[0] == 'k' ? strtoul(each.name.c_str() + 1, &end, 10) : 0;
    if (end && *end == '_' && number < model.facts.kernels.size())
      describe(kernel, model.facts.kernels[number], model.isa);
  }
  return sorted(byName, runs);
}
