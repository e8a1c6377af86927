// AMX instructions as they are, done where the processor traps them (SIGILL). Their encoding is
// that of Intel's manual: VEX, three bytes, then opcode, ModRM, SIB and displacement.
#include "tools/kernel/amx/TrappedTiles.h"

#include "tools/kernel/amx/Tiles.h"

#include <csignal>
#include <cstdint>
#include <cstring>
#include <ucontext.h>

namespace {

struct sigaction before;

/// One instruction, read byte by byte from where the processor stopped.
class Instruction {
public:
  explicit Instruction(gregset_t &registers)
      : registers(registers), at(reinterpret_cast<const uint8_t *>(registers[REG_RIP])) {}

  /// Does it, and lets the processor go on behind it; false where it is none of AMX.
  bool run() {
    if (!readPrefix())
      return false;
    const uint8_t opcode = next(), modes = next();
    isRegister = modes >> 6 == 3;
    number = modes >> 3 & 7;
    if (!act(opcode, modes))
      return false;
    registers[REG_RIP] = reinterpret_cast<greg_t>(at);
    return true;
  }

private:
  uint8_t next() { return *at++; }

  /// 128 bits, of the map 0F38, W0.
  bool readPrefix() {
    if (next() != 0xc4)
      return false;
    const uint8_t first = next(), second = next();
    index = first & 0x40 ? 0 : 8;
    base = first & 0x20 ? 0 : 8;
    third = ~(second >> 3) & 15;
    mandatory = second & 3;
    return (first & 0x9f) == 0x82 && !(second & 0x84);
  }

  bool act(uint8_t opcode, uint8_t modes) {
    enum { none, x66, xF3, xF2 };
    using namespace weft::trial;
    const uint8_t other = modes & 7;
    if (opcode == 0x49 && mandatory == none && modes == 0xc0)
      return tiles::release(), true;
    if (opcode == 0x49 && mandatory == xF2 && isRegister && other == 0)
      return tiles::clear(number), true;
    if (opcode == 0x49 && mandatory == none && !isRegister && number == 0)
      return configure(modes), true;
    if (opcode == 0x5c && mandatory == xF3 && isRegister)
      return tiles::multiply(number, other, third), true;
    if (opcode != 0x4b || isRegister || other != 4)
      return false;
    char *place = reinterpret_cast<char *>(address(modes));
    if (mandatory == xF2 || mandatory == x66) // to stay in the caches, or not
      return tiles::load(number, place, stride), true;
    if (mandatory == xF3)
      return tiles::store(number, place, stride), true;
    return false;
  }

  /// The one whose operand has an index as others have.
  void configure(uint8_t modes) {
    int64_t place = address(modes);
    weft::trial::tiles::configure(reinterpret_cast<const uint8_t *>(place + stride));
  }

  int64_t general(int which) const {
    constexpr int order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                             REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                             REG_R12, REG_R13, REG_R14, REG_R15};
    return registers[order[which]];
  }

  int64_t displacement(int bytes) {
    int64_t value = 0;
    if (bytes == 1) {
      value = static_cast<int8_t>(next());
    } else if (bytes == 4) {
      int32_t wide;
      memcpy(&wide, at, sizeof wide);
      at += sizeof wide;
      value = wide;
    }
    return value;
  }

  /// Without the index, which is a stride.
  int64_t address(uint8_t modes) {
    const int mode = modes >> 6;
    const int bytes = mode == 1 ? 1 : mode == 2 ? 4 : 0;
    int from = modes & 7;
    if (from != 4) {
      if (mode == 0 && from == 5) { // behind the instruction, which has no operand after it
        int64_t far = displacement(4);
        return reinterpret_cast<int64_t>(at) + far;
      }
      return general(from | base) + displacement(bytes);
    }
    const uint8_t parts = next();
    const int indexed = (parts >> 3 & 7) | index;
    stride = indexed == 4 ? 0 : general(indexed) << (parts >> 6);
    from = parts & 7;
    int64_t start = mode == 0 && from == 5 ? displacement(4) : general(from | base);
    return start + displacement(bytes);
  }

  gregset_t &registers;
  const uint8_t *at;
  int index = 0, base = 0;
  uint8_t third = 0, mandatory = 0, number = 0;
  bool isRegister = false;
  int64_t stride = 0;
};

void onIllegal(int, siginfo_t *, void *context) {
  if (!Instruction(static_cast<ucontext_t *>(context)->uc_mcontext.gregs).run())
    sigaction(SIGILL, &before, nullptr); // it is met again, by who was asked before
}

} // namespace

void weft::trial::trapTiles() {
  static const bool once = [] {
    struct sigaction action{};
    action.sa_sigaction = onIllegal;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGILL, &action, &before) == 0;
  }();
  static_cast<void>(once);
}
