// The text of nested blocks of C while it is written.
#ifndef WEFT_CODEGEN_C_BLOCKS_H
#define WEFT_CODEGEN_C_BLOCKS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

namespace weft::c {

/// The blocks that are open; 0 is the function's own. A line may go to any of them: what is
/// invariant in an inner loop is written before it.
class Blocks {
public:
  Blocks() { open.emplace_back(); }

  unsigned innermost() const { return open.size() - 1; }
  /// Appends a line to block `level`.
  void write(unsigned level, const llvm::Twine &line) {
    open[level].text += std::string(2 * (level + 1), ' ') + line.str() + "\n";
  }
  /// Appends a line to the innermost block, as llvm::formatv writes it.
  template <class... Parts> void line(llvm::StringRef format, Parts &&...parts) {
    write(innermost(), llvm::formatv(false, format.data(), std::forward<Parts>(parts)...));
  }
  /// A loop over the positions below `count`, from the last one where `reverse`, around what `body`
  /// writes.
  void loop(const std::string &i, const std::string &count, bool reverse,
            llvm::function_ref<void()> body) {
    open.emplace_back();
    body();
    std::string text = open.pop_back_val().text;
    line(reverse ? "for (int64_t {0} = {1}; {0}-- > 0;) {{"
                 : "for (int64_t {0} = 0; {0} < {1}; ++{0}) {{",
         i, count);
    open.back().text += text;
    line("}");
  }
  std::string take() { return std::move(open.front().text); }

  /// What the variable of a value is called in block `level`; empty if it has none there.
  std::string &nameOf(llvm::StringRef value, unsigned level) { return open[level].names[value]; }

private:
  struct Block {
    std::string text;
    llvm::StringMap<std::string> names;
  };
  llvm::SmallVector<Block> open;
};

} // namespace weft::c

#endif // WEFT_CODEGEN_C_BLOCKS_H
