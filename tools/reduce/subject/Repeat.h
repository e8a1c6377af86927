// A subject as a file: the program, and above it the command that tries it again.
#ifndef WEFT_TOOLS_REDUCE_SUBJECT_REPEAT_H
#define WEFT_TOOLS_REDUCE_SUBJECT_REPEAT_H

#include "tools/reduce/subject/Subject.h"
#include "tools/reduce/subject/Verdict.h"

namespace weft::reduce {

/// The options of `weft reduce` by which a subject is tried as it was.
std::string optionsOf(const Subject &subject);
/// The text with two lines of comment above it: what is wrong, and `# try: OPTIONS`.
std::string withHeader(const Subject &subject, const Verdict &verdict, const std::string &origin);
/// Reads `--size b=3,s=2` and the like into `subject`; says what is wrong with it.
std::string readSizes(const std::string &text, SizeMap &into);
/// Reads a file: a subject for each line `# try:`, or one where there is none. Says what is wrong,
/// if something is.
std::string readSubjects(const std::string &path, std::vector<Subject> &into);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_SUBJECT_REPEAT_H
