// Ctrl-C: finish what is under way, then stop.
#ifndef WEFT_RUNTIME_TRAINING_INTERRUPT_H
#define WEFT_RUNTIME_TRAINING_INTERRUPT_H

namespace weft::runtime {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP (a terminal that is closed) only sets a
/// flag; the second ends the process as usual.
class Interrupt {
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt &) = delete;
  /// The signal that came, or 0.
  static int received();
};

} // namespace weft::runtime
#endif
