// Arguments by name, from a file or the command line.
#include "runtime/program/run/RunInputs.h"

using namespace weft::runtime;

Result<RunInputs> RunInputs::open(const Options &options) {
  RunInputs inputs;
  Result<std::vector<Literal>> literals = readLiterals(options.all("input"));
  if (!literals)
    return literals.error();
  inputs.literals = std::move(*literals);
  if (!options.has("inputs"))
    return inputs;
  Result<SafetensorsFile> file = SafetensorsFile::open(options.string("inputs"));
  if (!file)
    return file.error();
  inputs.file.emplace(std::move(*file));
  return inputs;
}

void RunInputs::add(const std::string &input, std::vector<int64_t> shape,
                    const std::vector<int32_t> &values) {
  Literal given{input, std::move(shape), {}, Literal::Kind::Wholes};
  given.values.assign(values.begin(), values.end());
  literals.push_back(std::move(given));
}

const Literal *RunInputs::literal(const std::string &name) const {
  for (const Literal &each : literals)
    if (each.name == name)
      return &each;
  return nullptr;
}

Status RunInputs::checkNames(const Entry &entry, const Facts &facts) const {
  std::vector<std::string> missing, surplus, names;
  const std::vector<Argument> &inputs = entry.inputs;
  for (const Argument &argument : inputs) {
    bool inFile = stored(argument.name), isLiteral = literal(argument.name);
    names.push_back(argument.name);
    if (!inFile && !isLiteral)
      missing.push_back(argument.name);
    if (inFile && isLiteral)
      return Error{Code::Usage,
                   text("--input %s: %s has it too", argument.name.c_str(), file->path().c_str())};
  }
  for (const Literal &each : literals)
    if (argumentNamed(inputs, each.name) < 0)
      return Error{Code::Name, text("--input %s: entry %s has no input of that name; it has %s",
                                    each.name.c_str(), entry.name.c_str(),
                                    names.empty() ? "none" : listed(names, 12).c_str())};
  for (size_t i = 0; file && i < file->tensors().size(); ++i)
    if (const StoredTensor &tensor = file->tensors()[i]; argumentNamed(inputs, tensor.name) < 0)
      surplus.push_back(tensor.name);
  if (!file && !missing.empty()) {
    const Argument &first = inputs[argumentNamed(inputs, missing.front())];
    return Error{
        Code::Name,
        text("entry %s needs %s: give each by --input NAME=VALUE, or all by --inputs FILE; "
             "`%s` is %s %s",
             entry.name.c_str(), listed(missing, 12).c_str(), first.name.c_str(),
             elementName(first.element), facts.dimNames(first.dims).c_str())};
  }
  if (missing.empty() && surplus.empty())
    return success();
  return Error{Code::Name,
               text("%s: %s%s%s%s%s of entry %s", file->path().c_str(),
                    missing.empty() ? "" : "lacks ", missing.empty() ? "" : listed(missing).c_str(),
                    missing.empty() || surplus.empty() ? "" : " and has ",
                    missing.empty() ? "has " : "",
                    surplus.empty() ? ", an input" : (listed(surplus) + ", no input").c_str(),
                    entry.name.c_str())};
}

Status RunInputs::bind(EntryRun &run, const Facts &facts) const {
  if (Status status = checkNames(run.entry(), facts); !status)
    return status;
  const std::vector<Argument> &inputs = run.entry().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Argument &argument = inputs[i];
    int number = static_cast<int>(i);
    if (const Literal *given = literal(argument.name)) {
      if (Status status = fits(*given, argument); !status)
        return status;
      if (Status status = run.bindShape(number, given->shape, "input " + argument.name); !status)
        return status;
      continue;
    }
    const StoredTensor *tensor = stored(argument.name);
    if (!converts(tensor->type, argument.element))
      return Error{Code::Type,
                   text("%s: tensor `%s` holds %s, expected %s %s", file->path().c_str(),
                        argument.name.c_str(), elementTypeName(tensor->type),
                        elementName(argument.element), facts.dimNames(argument.dims).c_str())};
    if (Status status = run.bindShape(number, tensor->shape, "input " + argument.name); !status)
      return status;
  }
  return success();
}

Status RunInputs::store(EntryRun &run) const {
  const std::vector<Argument> &inputs = run.entry().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Argument &argument = inputs[i];
    int number = static_cast<int>(i);
    if (const Literal *given = literal(argument.name)) {
      if (Status status = runtime::store(*given, argument, run.input(number)); !status)
        return status;
      continue;
    }
    const StoredTensor *tensor = stored(argument.name);
    Result<int64_t> bad =
        file->read(*tensor, 0, run.inputCount(number), argument.element, run.input(number));
    if (!bad)
      return bad.error();
    if (*bad >= 0)
      return Error{Code::Value,
                   text("%s: tensor `%s` holds a value that %s cannot hold, at element %lld",
                        file->path().c_str(), argument.name.c_str(),
                        argument.element == Element::Int ? "int32" : "bool", wide(*bad))};
  }
  return success();
}
