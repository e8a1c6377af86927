// Reading `--device`.
#include "runtime/model/ChooseTarget.h"

#include "runtime/Archives.h"
#include "runtime/machine/Isa.h"

#include <cstdlib>
#include <cstring>

using namespace weft::runtime;

const WeftProgram *weft::runtime::programFor(const WeftProgram &programs, int isa) {
  for (const WeftProgram *each = &programs; each; each = each->next)
    if (each->code[isa])
      return each;
  return nullptr;
}

const WeftProgram *weft::runtime::forProcessors(const WeftProgram &programs) {
  for (const WeftProgram *each = &programs; each; each = each->next)
    for (int isa = 0; isa < setsOfProcessors; ++isa)
      if (each->code[isa])
        return each;
  return nullptr;
}

static Error lacks(const char *target, const char *build) {
  return {Code::Usage, text("this program has no code for %s; `weft build --target %s` makes a "
                            "program that has",
                            target, build)};
}

static Result<ChosenTarget> onProcessor(const WeftProgram &programs, const char *isa,
                                        std::string reason) {
  const WeftProgram *program = forProcessors(programs);
  if (!program && isa && *isa)
    program = &programs; // of which it is said what is wrong
  if (!program)
    return lacks("this machine's processor", "cpu,cuda");
  Result<int> chosen = chooseIsa(*program, isa);
  if (!chosen)
    return chosen.error();
  return ChosenTarget{program, *chosen, nullptr, std::move(reason)};
}

static Result<ChosenTarget> onDevice(const WeftProgram &programs, int isa, int number, bool opens) {
  bool isEmulated = isa == WEFT_ISA_CUDA_EMULATED;
  const WeftProgram *program = programFor(programs, isa);
  if (!program)
    return lacks(isEmulated ? "the emulated device" : "CUDA devices",
                 isEmulated ? "cuda-emulated" : "cpu,cuda");
  const DeviceArchive *archive = isEmulated ? emulatorArchive() : cudaArchive();
  if (!archive)
    return Error{
        Code::Internal,
        text("the program has code for %s and was linked without what runs it", isaName(isa))};
  if (!opens)
    return ChosenTarget{program, isa, nullptr, ""};
  Result<std::unique_ptr<Device>> device = archive->open(*program, number);
  if (!device)
    return device.error();
  std::string title = (*device)->title();
  return ChosenTarget{program, isa, std::move(*device), std::move(title)};
}

/// The number behind "cuda:", or nothing.
static std::optional<int> numberIn(const char *device) {
  if (!strcmp(device, "cuda"))
    return 0;
  constexpr size_t prefix = 5, mostDigits = 4;
  const char *digits = device + prefix;
  if (strncmp(device, "cuda:", prefix) != 0 || !*digits || strlen(digits) > mostDigits ||
      strspn(digits, "0123456789") != strlen(digits))
    return std::nullopt;
  return atoi(digits);
}

Result<ChosenTarget> weft::runtime::chooseTarget(const WeftProgram &programs,
                                                 const TargetWish &wish) {
  std::string isa = wish.isa ? wish.isa : "", device = wish.device ? wish.device : "";
  for (int set : {WEFT_ISA_CUDA, WEFT_ISA_CUDA_EMULATED}) // of a device there is one set only
    if ((device.empty() || device == "auto") && isa == isaName(set)) {
      device = isa;
      isa.clear();
    }
  bool hasCuda = programFor(programs, WEFT_ISA_CUDA), hasProcessor = forProcessors(programs);
  if (device.empty() || (device == "auto" && !isa.empty()))
    device = hasProcessor || !isa.empty() ? "cpu" : "auto";
  if (device == "cpu")
    return onProcessor(programs, isa.c_str(), "");
  std::optional<int> number = numberIn(device.c_str());
  bool isEmulated = device == isaName(WEFT_ISA_CUDA_EMULATED), isAuto = device == "auto";
  if (!number && !isEmulated && !isAuto)
    return Error{Code::Usage, text("no device `%s`: expected auto, cpu, cuda, cuda:N or "
                                   "cuda-emulated (--device, WEFT_DEVICE)",
                                   printable(device).c_str())};
  if (!isAuto && !isa.empty())
    return Error{Code::Usage, text("%s kernels are not for %s: give an instruction set or a device",
                                   isa.c_str(), device.c_str())};
  if (isEmulated || (isAuto && !hasCuda && !hasProcessor))
    return onDevice(programs, WEFT_ISA_CUDA_EMULATED, 0, wish.opens);
  if (isAuto && (!hasCuda || (!wish.opens && hasProcessor)))
    return onProcessor(programs, "", "");
  Result<ChosenTarget> chosen = onDevice(programs, WEFT_ISA_CUDA, number.value_or(0), wish.opens);
  if (!chosen && !isAuto && hasProcessor && chosen.error().code != Code::Usage)
    return Error{chosen.error().code, chosen.error().message + "; or compute with --device cpu"};
  if (chosen || !isAuto || !hasProcessor)
    return chosen;
  return onProcessor(programs, "", text("cpu, for %s", chosen.error().message.c_str()));
}
