// A profile for people and for programs.
#ifndef WEFT_RUNTIME_PROGRAM_PROFILE_REPORT_H
#define WEFT_RUNTIME_PROGRAM_PROFILE_REPORT_H

#include "runtime/program/profile/Profile.h"

namespace weft::runtime {

/// A table, the longest first, and what is between kernels.
std::string profileText(const Profile &profile);

/// ", 1015 of bfloat16 by bfloat16", behind GFLOP/s of float32; or nothing.
std::string ofPairs(const Peaks &peaks);

/// One JSON object; seconds, operations and bytes per run.
std::string profileJson(const Profile &profile);

/// Launches from number `from` on and what each thread did, as Chrome's Trace Event Format has it,
/// which Perfetto and chrome://tracing open.
std::string profileTrace(const LaunchTimes &times, size_t from, const Model &model,
                         const Profile &profile);

/// An SVG of nested bars: the parts of a model, by their names, as wide as their kernels take.
std::string flameGraph(const Profile &profile);

/// An SVG of kernels by what they compute for each byte, below what this machine does at most
/// (Williams et al., Roofline: An Insightful Visual Performance Model, CACM 52(4), 2009). The
/// profile has `peaks`.
std::string roofline(const Profile &profile);

} // namespace weft::runtime
#endif
