// Ctrl-C: finish what is under way, then stop.
#ifndef WEFT_RUNTIME_TRAINING_INTERRUPT_H
#define WEFT_RUNTIME_TRAINING_INTERRUPT_H

#include <csignal>

namespace weft::runtime {

/// While it lives, the first SIGINT or SIGTERM only sets a flag; the second ends the process as
/// usual. SIGHUP (a terminal that is closed) does so however often it comes: the system and the
/// shell each send one.
class Interrupt {
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt &) = delete;
  /// The first signal that came, or 0.
  static int received();
};

/// While it lives, a reader of the output who goes away (SIGPIPE) is an error of what is written,
/// and does not end the process.
class ReaderMayLeave {
public:
  ReaderMayLeave();
  ~ReaderMayLeave();
  ReaderMayLeave(const ReaderMayLeave &) = delete;

private:
  struct sigaction before;
};

} // namespace weft::runtime
#endif
