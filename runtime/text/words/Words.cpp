// Cleaning, splitting, looking up.
#include "runtime/text/words/Words.h"

#include "runtime/base/LowerCase.h"
#include "runtime/base/Utf8.h"
#include "runtime/base/files/InputFile.h"

#include <algorithm>

using namespace weft::runtime;

static bool isSpace(uint32_t character) {
  return character == ' ' || character == 0xa0 || character == 0x202f ||
         (character >= '\t' && character <= '\r');
}

std::vector<std::string> weft::runtime::wordsOf(std::string_view text, WordRules rules) {
  std::vector<std::string> words;
  std::string word;
  auto finish = [&] {
    if (!word.empty())
      words.push_back(std::move(word));
    word.clear();
  };
  for (size_t i = 0; i < text.size();) {
    CodePoint point = nextCodePoint(text.substr(i));
    auto length = static_cast<size_t>(point.length);
    bool stop =
        point.value == ',' || point.value == '.' || point.value == '!' || point.value == '?';
    if (isSpace(point.value) || (rules.spaced && stop))
      finish();
    if (!isSpace(point.value))
      word += rules.lower && point.value != CodePoint::invalid ? toUtf8(lowerCase(point.value))
                                                               : text.substr(i, length);
    i += length;
  }
  finish();
  return words;
}

Result<TokenizerPtr> Words::create(Contents contents) {
  std::unique_ptr<Words> made(new Words(std::move(contents)));
  const Contents &all = made->contents;
  for (const std::string &word : all.words)
    if (!made->ids.emplace(word, static_cast<int32_t>(made->ids.size())).second || word.empty())
      return Error{Code::Value, text("id %zu, `%s`, is %s", made->ids.size(), word.c_str(),
                                     word.empty() ? "no word" : "there twice")};
  if (all.marks.unknown.empty())
    return Error{Code::Value, "it has no mark for unknown words"};
  for (const std::string *mark :
       {&all.marks.begin, &all.marks.end, &all.marks.padding, &all.marks.unknown})
    if (!mark->empty() && !made->ids.count(*mark))
      return Error{Code::Value, text("its mark `%s` has no id", mark->c_str())};
  if (all.closes && all.marks.end.empty())
    return Error{Code::Value, "sentences are to be closed, but it has no mark for the end"};
  return TokenizerPtr(std::move(made));
}

std::optional<int32_t> Words::idOf(const std::string &word) const {
  auto found = ids.find(word);
  return found == ids.end() ? std::nullopt : std::optional<int32_t>(found->second);
}

std::vector<int32_t> Words::idsOf(const std::vector<std::string> &words) const {
  const WordMarks &marks = contents.marks;
  std::vector<int32_t> out;
  for (const std::string &word : words) {
    bool isMark =
        word == marks.begin || word == marks.end || word == marks.padding || word == marks.unknown;
    std::optional<int32_t> id = isMark ? std::nullopt : idOf(word);
    out.push_back(id.value_or(unknown()));
  }
  return out;
}

std::vector<int32_t> Words::sentence(const std::vector<std::string> &words) const {
  std::vector<int32_t> out = idsOf(words);
  if (contents.closes)
    out.push_back(*endOfText());
  return out;
}

Result<std::vector<int32_t>> Words::encode(std::string_view all, Marks) const {
  if (size_t valid = validUtf8Length(all); valid < all.size())
    return Error{Code::Value, text("the text is not UTF-8 at byte %zu", valid)};
  return idsOf(wordsOf(all, contents.rules));
}

std::optional<std::string> Words::unknownWord(std::string_view all) const {
  for (std::string &word : wordsOf(all, contents.rules))
    if (word != contents.marks.unknown && idsOf({word})[0] == unknown())
      return std::move(word);
  return std::nullopt;
}

bool Words::isText(int32_t id) const {
  return id >= 0 && id < size() && id != startOfText() && id != endOfText() && id != padding();
}

std::string Words::decode(int32_t id, Place place) const {
  return isText(id) ? (place == Place::First ? "" : " ") + contents.words[static_cast<size_t>(id)]
                    : "";
}

std::string Words::spelling(int32_t id) const {
  return id >= 0 && id < size() ? contents.words[static_cast<size_t>(id)] : Tokenizer::spelling(id);
}

Json Words::json() const {
  Json marks = Json::object();
  for (const auto &[name, mark] : {std::pair{"begin", contents.marks.begin},
                                   {"end", contents.marks.end},
                                   {"padding", contents.marks.padding},
                                   {"unknown", contents.marks.unknown}})
    if (!mark.empty())
      marks[name] = mark;
  return jsonObject({{"weft_tokenizer", 1},
                     {"kind", kind()},
                     {"lower", contents.rules.lower},
                     {"spaced", contents.rules.spaced},
                     {"closes", contents.closes},
                     {"marks", marks},
                     {"words", contents.words}});
}

const Words *weft::runtime::asWords(const Tokenizer *tokenizer) {
  bool is = tokenizer && std::string_view(tokenizer->kind()) == "words";
  return is ? static_cast<const Words *>(tokenizer) : nullptr;
}

Result<TokenizerPtr> Words::fromJson(const Json &json) {
  Words::Contents contents;
  auto words = json.find("words"), marks = json.find("marks");
  if (words == json.end() || !words->is_array() || marks == json.end() || !marks->is_object())
    return Error{Code::Value, "`words` or `marks` is missing"};
  for (const Json &word : *words) {
    if (!word.is_string())
      return Error{Code::Value, text("id %zu is no text", contents.words.size())};
    contents.words.push_back(word.get<std::string>());
  }
  for (auto [name, into] : {std::pair{"begin", &contents.marks.begin},
                            {"end", &contents.marks.end},
                            {"padding", &contents.marks.padding},
                            {"unknown", &contents.marks.unknown}})
    if (Json mark = marks->value(name, Json()); mark.is_string())
      *into = mark.get<std::string>();
  for (auto [name, into] : {std::pair{"lower", &contents.rules.lower},
                            {"spaced", &contents.rules.spaced},
                            {"closes", &contents.closes}}) {
    Json flag = json.value(name, Json());
    if (!flag.is_boolean())
      return Error{Code::Value, text("`%s` is missing", name)};
    *into = flag.get<bool>();
  }
  return Words::create(std::move(contents));
}

Result<TokenizerPtr> Words::fromFile(const std::string &path) {
  Result<WholeFile> file = WholeFile::read(path);
  if (!file)
    return file.error();
  Words::Contents contents;
  contents.rules = {false, false};
  contents.closes = false;
  if (file->view().empty())
    return Error{Code::File, path + ": is empty, expected a token on each line"};
  for (std::string_view rest = file->view(); !rest.empty();) {
    size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    const char *wrong = line.empty()                           ? "is empty"
                        : line.ends_with('\r')                 ? "ends with \\r\\n, expected \\n"
                        : validUtf8Length(line) != line.size() ? "is not UTF-8"
                                                               : nullptr;
    if (wrong)
      return Error{Code::File, text("%s:%zu: %s", path.c_str(), contents.words.size() + 1, wrong)};
    contents.words.emplace_back(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  auto mark = [&](std::string &into, const char *name) {
    if (std::find(contents.words.begin(), contents.words.end(), name) != contents.words.end())
      into = name;
  };
  for (auto [into, names] : {std::pair{&contents.marks.begin, std::pair{"<bos>", "<s>"}},
                             {&contents.marks.end, {"<eos>", "</s>"}},
                             {&contents.marks.padding, {"<pad>", "<blank>"}},
                             {&contents.marks.unknown, {"<unk>", "<unk>"}}}) {
    mark(*into, names.first);
    mark(*into, names.second);
  }
  if (contents.marks.unknown.empty())
    contents.words.push_back(contents.marks.unknown = "<unk>");
  Result<TokenizerPtr> made = Words::create(std::move(contents));
  if (!made)
    return Error{Code::File,
                 text("%s: is no vocabulary: %s", path.c_str(), made.error().message.c_str())};
  return made;
}
