// Printing texts as they come, and as JSON.
#include "runtime/program/TextOutput.h"

#include <cstdio>

using namespace weft::runtime;

/// Bytes may be zeros.
static void write(const std::string &text) {
  fwrite(text.data(), 1, text.size(), stdout);
}

void TextOutput::begun(size_t text) {
  const std::vector<int32_t> &ids = prompts[text].ids;
  texts[text].waiting.insert(texts[text].waiting.begin(), ids.begin(), ids.end());
  print();
}

void TextOutput::token(size_t text, int32_t id) {
  texts[text].waiting.push_back(id);
  print();
}

bool TextOutput::ended(size_t text, const Continuation &) {
  texts[text].done = true;
  print();
  return !ferror(stdout); // which is said at the end
}

void TextOutput::print() {
  while (current < texts.size()) {
    for (int32_t id : std::exchange(texts[current].waiting, {}))
      print(id);
    if (!texts[current].done)
      break;
    endLine();
    if (++current < texts.size() && tokenizer)
      putchar('\n');
  }
  fflush(stdout);
}

void TextOutput::print(int32_t id) {
  if (tokenizer && !hasBegun)
    decoder.emplace(*tokenizer);
  if (tokenizer)
    write(stream.push(decoder->push(id)));
  else
    printf("%s%d", hasBegun ? " " : "", id);
  hasBegun = true;
}

void TextOutput::endLine() {
  write(stream.finish());
  putchar('\n');
  hasBegun = false;
}

void TextOutput::stop() {
  if (hasBegun)
    endLine();
  fflush(stdout); // before what follows on the other stream
}

bool JsonOutput::ended(size_t text, const Continuation &made) {
  const Prompt &prompt = prompts[text];
  Json line = jsonObject({{"ended", made.ended}, {"tokens", std::ssize(made.ids)}});
  if (settings.sampling.temperature > 0)
    line["seed"] = prompt.seed;
  if (settings.tokenizer) {
    TextDecoder decoder(*settings.tokenizer);
    Utf8Stream stream;
    std::string before, behind;
    for (int32_t id : prompt.ids)
      before += stream.push(decoder.push(id));
    for (int32_t id : made.ids)
      behind += stream.push(decoder.push(id));
    line["prompt"] = before;
    line["text"] = behind + stream.finish();
  } else {
    line["prompt"] = prompt.ids;
    line["text"] = made.ids;
  }
  lines[text] = jsonText(line);
  for (; current < lines.size() && !lines[current].empty(); ++current)
    puts(std::exchange(lines[current], {}).c_str());
  fflush(stdout);
  return !ferror(stdout);
}
