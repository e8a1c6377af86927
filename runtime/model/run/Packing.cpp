// Parameters as an entry's products read them: made once, for all entries that read them so, or
// taken from what the program carries.
#include "runtime/model/EntryRun.h"

#include <utility>

using namespace weft::runtime;

std::vector<int64_t> EntryRun::packedStartsAt(const Sizes &sizes) const {
  BufferSizes buffers;
  for (int number : entry().packed)
    buffers.push_back({model->facts.packed[static_cast<size_t>(number)].bytes});
  return startsOf(buffers, sizes.data());
}

Status EntryRun::allocatePacked() {
  if (packsInWork) { // at these sizes it may lie elsewhere
    *inWork = 0;
    return success();
  }
  std::vector<std::shared_ptr<PackedWeight>> all;
  for (size_t i = 0; i < entry().packed.size(); ++i) {
    std::weak_ptr<PackedWeight> &known = model->packed[entry().packed[i]];
    int64_t bytes = packedStarts[i + 1] - packedStarts[i];
    std::shared_ptr<PackedWeight> weight = known.lock();
    if (!weight || weight->memory.size() != bytes) {
      Result<CodeMemory> created =
          CodeMemory::create(model->memory(), bytes, "a packed weight of " + entry().name);
      if (!created)
        return created.error();
      weight = std::make_shared<PackedWeight>();
      weight->memory = std::move(*created);
      known = weight;
    }
    all.push_back(std::move(weight));
  }
  packed = std::move(all);
  return success();
}

/// Whether it is what the parameters make now.
bool EntryRun::isPacked(size_t number) const {
  uint64_t now = model->parameters.version();
  if (packsInWork)
    return *inWork == now;
  const PackedWeight &weight = *packed[number];
  const PackedFacts &facts = model->facts.packed[static_cast<size_t>(entry().packed[number])];
  if (weight.isCarried && model->isAsCarried(facts))
    return true;
  return weight.version == now &&
         (!facts.varies || std::equal(weight.sizes.begin(), weight.sizes.end(), settled.data()));
}

/// Copies what the program carries, if that is what the parameter makes.
bool EntryRun::takeCarried(size_t number, char *to) const {
  int weight = entry().packed[number];
  if (!model->isAsCarried(model->facts.packed[static_cast<size_t>(weight)]))
    return false;
  model->carried->copyPacked(weight, to);
  return true;
}

/// Notes what was packed just now.
void EntryRun::markPacked(size_t number) {
  PackedWeight &weight = *packed[number];
  weight.version = model->parameters.version();
  weight.isCarried = false;
  if (model->facts.packed[static_cast<size_t>(entry().packed[number])].varies)
    weight.sizes.assign(settled.data(), settled.data() + model->facts.dims.size());
}

/// Packs what a call reads, if parameters have changed since; whether nothing was left out.
bool EntryRun::pack(WeftCall call) {
  const WeftEntryCode &code = model->code(number);
  const void *holder = std::exchange(work().holder, inWork.get());
  if (packsInWork && holder != inWork.get())
    *inWork = 0; // another run wrote over it: also where packing ends before its end
  std::vector<char *> missing(packedBuffers);
  std::vector<size_t> numbers;
  for (size_t i = 0; i < missing.size(); ++i) {
    if (isPacked(i))
      missing[i] = nullptr;
    else if (takeCarried(i, missing[i])) {
      missing[i] = nullptr;
      if (!packsInWork)
        packed[i]->isCarried = true;
    } else
      numbers.push_back(i);
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
