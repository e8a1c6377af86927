// Functions that are compiled once for each kind of machine.
#ifndef WEFT_RUNTIME_MACHINE_PERMACHINE_H
#define WEFT_RUNTIME_MACHINE_PERMACHINE_H

/// Before a function that takes most of the time of something: the dynamic linker chooses the code
/// for this machine.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WEFT_PER_MACHINE // what chooses would run before the sanitizer is ready
#endif
#endif
#ifndef WEFT_PER_MACHINE
#define WEFT_PER_MACHINE                                                                           \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif

#endif // WEFT_RUNTIME_MACHINE_PERMACHINE_H
