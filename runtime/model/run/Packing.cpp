// Parameters as an entry's products read them: made once, for all entries that read them so, or
// taken from what the program carries.
#include "runtime/model/EntryRun.h"

#include <utility>

using namespace weft::runtime;

std::vector<int64_t> EntryRun::packedStartsAt(const Sizes &sizes) const {
  BufferSizes buffers;
  for (int number : entry().packed)
    if (!packsAgain())
      buffers.push_back({model->facts.packed[static_cast<size_t>(number)].bytes});
  return startsOf(buffers, sizes.data());
}

void EntryRun::takePackedOfOthers() {
  packed.clear();
  for (int number : entry().packed) {
    std::shared_ptr<PackedWeight> weight = model->packed[number].lock();
    if (weight) // until it is written again
      weight->version = 0;
    packed.push_back(std::move(weight));
  }
}

void EntryRun::givePackedOfOthers() {
  for (size_t i = 0; i < packed.size(); ++i)
    if (packed[i])
      packed[i]->version = versionOf(factsOf(i));
  packed.clear();
}

Status EntryRun::allocatePacked() {
  if (packsAgain())
    return success();
  if (packsInWork) { // at these sizes it may lie elsewhere
    *inWork = 0;
    return success();
  }
  std::vector<std::shared_ptr<PackedWeight>> all;
  for (size_t i = 0; i < entry().packed.size(); ++i) {
    const bool isShared = factsOf(i).varies.empty();
    std::shared_ptr<PackedWeight> weight = isShared ? model->packed[entry().packed[i]].lock()
                                           : i < packed.size() ? packed[i]
                                                               : nullptr;
    if (int64_t bytes = packedStarts[i + 1] - packedStarts[i];
        !weight || weight->memory.size() < bytes) {
      // one that grows with what comes, as sequences do, gets half as much again
      int64_t wanted = weight ? bytes + bytes / 2 : bytes;
      if (i < packed.size())
        packed[i] = nullptr; // the old one is given back first
      weight = std::make_shared<PackedWeight>();
      Result<CodeMemory> created =
          CodeMemory::create(model->memory(), wanted, "a packed weight of " + entry().name);
      if (!created)
        return created.error();
      weight->memory = std::move(*created);
      if (isShared)
        model->packed[entry().packed[i]] = weight;
    }
    all.push_back(std::move(weight));
  }
  packed = std::move(all);
  return success();
}

const PackedFacts &EntryRun::factsOf(size_t packed) const {
  return model->facts.packed[static_cast<size_t>(entry().packed[packed])];
}

/// The sizes of this run by which a packed weight varies.
std::vector<int64_t> EntryRun::sizesOf(const PackedFacts &facts) const {
  std::vector<int64_t> sizes;
  for (int dim : facts.varies)
    sizes.push_back(settled[dim]);
  return sizes;
}

/// What the version of a packed weight has to be.
uint64_t EntryRun::versionOf(const PackedFacts &facts) const {
  return model->parameters.version(facts.of);
}

/// Whether it is what the parameters make now.
bool EntryRun::isPacked(size_t number) const {
  if (packsInWork)
    return *inWork == model->parameters.version();
  const PackedWeight &weight = *packed[number];
  if (weight.isCarried && model->isAsCarried(factsOf(number)))
    return true;
  return weight.version == versionOf(factsOf(number)) && weight.sizes == sizesOf(factsOf(number));
}

/// Copies what the program carries, if that is what the parameter makes.
bool EntryRun::takeCarried(size_t number, char *to) const {
  if (!model->isAsCarried(factsOf(number)))
    return false;
  model->carried->copyPacked(entry().packed[number], to);
  return true;
}

/// Notes what was packed just now.
void EntryRun::markPacked(size_t number) {
  packed[number]->version = versionOf(factsOf(number));
  packed[number]->sizes = sizesOf(factsOf(number));
}

/// Packs what a call reads, if parameters have changed since; whether nothing was left out.
bool EntryRun::pack(WeftCall call) {
  const WeftEntryCode &code = model->code(number);
  const void *holder = std::exchange(work().holder, inWork.get());
  if (packsInWork && holder != inWork.get())
    *inWork = 0; // another run wrote over it: also where packing ends before its end
  if (packsAgain())
    return true;
  std::vector<char *> missing(packedBuffers);
  std::vector<size_t> numbers;
  for (size_t i = 0; i < missing.size(); ++i) {
    if (isPacked(i)) {
      missing[i] = nullptr;
      continue;
    }
    if (!packsInWork) { // from here on it is neither what it was nor what it will be
      packed[i]->version = 0;
      packed[i]->isCarried = false;
    }
    if (!takeCarried(i, missing[i])) {
      numbers.push_back(i);
      continue;
    }
    missing[i] = nullptr;
    if (!packsInWork)
      packed[i]->isCarried = true;
  }
  if (!device()) // whose code packs all
    call.packed = missing.data();
  if (!numbers.empty() && !ask(code.prepare, preparation, call))
    return false;
  if (packsInWork)
    *inWork = model->parameters.version();
  else
    for (size_t number : numbers)
      markPacked(number);
  return true;
}
