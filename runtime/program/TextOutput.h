// Texts on standard output, in the order of their prompts, whichever is done first.
#ifndef WEFT_RUNTIME_PROGRAM_TEXTOUTPUT_H
#define WEFT_RUNTIME_PROGRAM_TEXTOUTPUT_H

#include "runtime/base/Utf8Stream.h"
#include "runtime/generation/Continuations.h"

namespace weft::runtime {

/// Prints each text with its prompt, token by token as they are made: the first that is not done is
/// seen to grow, others wait for it. An empty line parts texts; of ids each is a line.
class TextOutput : public TextListener {
public:
  /// `tokenizer` is nullptr where ids are printed.
  TextOutput(const Tokenizer *tokenizer, std::span<const Prompt> prompts)
      : tokenizer(tokenizer), prompts(prompts), texts(prompts.size()) {}
  void begun(size_t text) override;
  void token(size_t text, int32_t id) override;
  bool ended(size_t text, const Continuation &made) override;
  /// Ends a line that was begun, where the texts do not come to their end.
  void stop();

private:
  struct Text {
    std::vector<int32_t> waiting; // not printed
    bool done = false;
  };
  void print();
  void print(int32_t id);
  void endLine();
  const Tokenizer *tokenizer;
  std::span<const Prompt> prompts;
  std::vector<Text> texts;
  size_t current = 0;
  std::optional<TextDecoder> decoder; // of the current text, once it has begun
  Utf8Stream stream;
  bool hasBegun = false;
};

/// Prints a line of JSON for each text that is done: its prompt, what was made behind it, its
/// seed where it was drawn, and whether the model ended it.
class JsonOutput : public TextListener {
public:
  JsonOutput(const ContinuationSettings &settings, std::span<const Prompt> prompts)
      : settings(settings), prompts(prompts), lines(prompts.size()) {}
  void begun(size_t) override {}
  void token(size_t, int32_t) override {}
  bool ended(size_t text, const Continuation &made) override;

private:
  const ContinuationSettings &settings;
  std::span<const Prompt> prompts;
  std::vector<std::string> lines;
  size_t current = 0;
};

} // namespace weft::runtime
#endif
