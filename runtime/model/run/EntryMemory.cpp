// What a run takes of this machine's memory, and whether it can have it.
#include "runtime/machine/memory/Memory.h"
#include "runtime/model/EntryRun.h"

#include <algorithm>
#include <functional>
#include <set>

using namespace weft::runtime;

static int64_t bytesFor(const Argument &argument, const Sizes &sizes) {
  return std::max<int64_t>(bytesOf(argument.element, sizes.count(argument.dims)), 1);
}

MemoryUse EntryRun::memoryAt(const Sizes &sizes) const {
  MemoryUse use;
  for (const Argument &input : entry().inputs)
    if (input.gradientOf.empty())
      use.add(input.cache ? MemoryUse::Caches : MemoryUse::Tensors, bytesFor(input, sizes));
  for (const Argument &output : entry().outputs)
    use.add(output.gradientOf.empty() ? MemoryUse::Tensors : MemoryUse::Gradients,
            bytesFor(output, sizes));
  const WeftEntryCode &code = model->code(number);
  int64_t values = startsOf(entry().work, sizes.data(), entry().behind).back();
  std::vector<int64_t> weights = packedStartsAt(sizes);
  use.add(MemoryUse::Work, values + (packsInWork ? weights.back() : 0));
  use.add(MemoryUse::Work, code.shared ? code.shared(sizes.data()) : 0);
  std::set<int> seen; // what is shared may be listed twice
  for (size_t i = 0; i < entry().packed.size() && !packsInWork && !packsAgain(); ++i)
    if (!factsOf(i).varies.empty() || seen.insert(entry().packed[i]).second)
      use.add(MemoryUse::Packed, weights[i + 1] - weights[i]);
  use.add(MemoryUse::Scratch, code.scratch(sizes.data()) * model->pool->threads());
  return use;
}

/// The most positions of `dimension` with which a run at `sizes` fits; 0: none.
static int64_t mostOf(const Model &model, int entry, const Sizes &sizes, int dimension,
                      const std::function<bool(const Sizes &)> &fits) {
  const std::vector<Dimension> &dims = model.facts.dims;
  auto with = [&](int64_t count) {
    Sizes tried(model.facts);
    for (int i = 0; i < static_cast<int>(dims.size()); ++i)
      if (!dims[i].size && !dims[i].formula && sizes[i] > 0)
        if (!tried.set(i, i == dimension ? count : sizes[i], "a trial"))
          return false;
    return tried.resolve(entry) && fits(tried);
  };
  int64_t fitting = 0;
  for (int64_t least = 1, most = sizes[dimension] - 1; least <= most;) {
    int64_t middle = least + (most - least) / 2;
    if (with(middle))
      fitting = middle, least = middle + 1;
    else
      most = middle - 1;
  }
  return fitting;
}

/// Error: this machine does not have what the run takes beside what the process has already.
Status EntryRun::checkMemory(const Sizes &sizes) const {
  constexpr int64_t little = int64_t(64) << 20; // not worth a look at what there is
  if (device())
    return success();
  int64_t have = 0;
  for (const auto *all : {&inputMemory, &outputMemory})
    for (const Memory &each : *all)
      have += each.own.size();
  for (const CodeMemory *each : {&work().arena, &scratch(), &work().shared})
    have += each->size();
  std::set<const PackedWeight *> there; // of this run, or of others that share it
  for (size_t i = 0; i < entry().packed.size() && !packsInWork && !packsAgain(); ++i) {
    std::shared_ptr<PackedWeight> weight = i < packed.size() ? packed[i] : nullptr;
    if (auto known = model->packed.find(entry().packed[i]); !weight && known != model->packed.end())
      weight = known->second.lock();
    if (weight && there.insert(weight.get()).second)
      have += weight->memory.size();
  }
  auto more = [&](const Sizes &at) {
    MemoryUse use = memoryAt(at);
    return use.total() - use[MemoryUse::Caches] - have; // caches are lent, by who counts them
  };
  if (more(sizes) < little)
    return success();
  MemoryGrant grant = memoryGrant();
  int64_t left = grant.bytes - residentBytes();
  if (more(sizes) <= left)
    return success();
  std::string advice;
  for (const Argument &input : entry().inputs) {
    int leading = input.dims.empty() || input.cache ? -1 : input.dims[0];
    if (leading < 0 || model->facts.dims[leading].size || model->facts.dims[leading].formula)
      continue;
    int64_t most =
        mostOf(*model, number, sizes, leading, [&](const Sizes &at) { return more(at) <= left; });
    const char *name = model->facts.dims[leading].name.c_str();
    advice = most > 0 ? text("%s = %lld fits", name, wide(most))
                      : text("not even %s = 1 fits: take a smaller model", name);
    break;
  }
  return Error{
      Code::Memory,
      text("not enough memory: %s takes %s beside the %s that the process has, and %s has %s; %s",
           entry().name.c_str(), memoryAt(sizes).text().c_str(), bytesText(residentBytes()).c_str(),
           grant.by, bytesText(grant.bytes).c_str(),
           advice.empty() ? "take a smaller model" : advice.c_str())};
}
