// Continuing sequences through the C interface.
#include "runtime/generation/Generator.h"

#include "runtime/api/Model.h"
#include "runtime/api/Sized.h"

using namespace weft::runtime;

struct WeftGenerator {
  std::shared_ptr<Opened> opened;
  Generator generator;
  std::vector<Argument> inputs; // besides ids
};

static Result<WeftGenerator *> open(const std::shared_ptr<Opened> &opened, const char *decoding,
                                    int64_t capacity) {
  const Facts &facts = opened->model->facts;
  Result<const Decoding *> chosen = findDecoding(facts, decoding);
  if (!chosen)
    return chosen.error();
  std::optional<ContextLimit> limit = contextLimit(facts, **chosen);
  if (capacity < 1 || (limit && capacity > limit->positions))
    return Error{Code::Size, text("a capacity of %lld positions: expected 1 to %s", wide(capacity),
                                  limit ? text("%lld%s", wide(limit->positions),
                                               facts.place(facts.dims[limit->dimension]).c_str())
                                              .c_str()
                                        : "what fits into memory")};
  Result<Generator> generator = Generator::create(*opened->model, **chosen, capacity);
  if (!generator)
    return generator.error();
  return new WeftGenerator{opened, std::move(*generator), givenInputsOf(facts, **chosen)};
}

WeftGenerator *weft_generator_open(WeftModel *model, const char *decoding, int64_t capacity) {
  return callOn<WeftGenerator *>("weft_generator_open", nullptr, model, {{"model", model}},
                                 [&] { return open(model->opened, decoding, capacity); });
}

void weft_generator_close(WeftGenerator *generator) {
  delete generator;
}

WeftStatus weft_generator_rows(WeftGenerator *generator, int64_t rows) {
  auto body = [&]() -> Status {
    if (rows < 1)
      return Error{Code::Usage, "weft_generator_rows() needs at least one row"};
    return generator->generator.setRows(rows);
  };
  return statusCallOn("weft_generator_rows", generator, {{"generator", generator}}, body);
}

static Status giveInput(WeftGenerator &generator, const char *name, const void *data,
                        const int64_t *shape, int32_t rank) {
  if (rank < 0 || (rank > 0 && !shape))
    return Error{Code::Usage, text("input %s: %d sizes, and `shape` is %s", printable(name).c_str(),
                                   rank, shape ? "there" : "NULL")};
  int number = argumentNamed(generator.inputs, name);
  GivenInput value{{shape, shape + rank}, {}};
  int64_t bytes = number < 0 ? 0 : bytesOf(generator.inputs[number].element);
  for (int64_t size : value.shape)
    if (size < 1 || __builtin_mul_overflow(bytes, size, &bytes))
      return Error{Code::Size, text("input %s: the shape %s makes no sense",
                                    printable(name).c_str(), shapeText(value.shape).c_str())};
  // before anything is read: of another rank, data has another length than it seems
  if (number >= 0 && value.shape.size() == generator.inputs[number].dims.size()) {
    auto begin = static_cast<const char *>(data);
    value.data.assign(begin, begin + bytes);
  }
  return generator.generator.give(name, std::move(value));
}

WeftStatus weft_generator_input(WeftGenerator *generator, const char *name, const void *data,
                                const int64_t *shape, int32_t rank) {
  return statusCallOn("weft_generator_input", generator,
                      {{"generator", generator}, {"name", name}, {"data", data}},
                      [&] { return giveInput(*generator, name, data, shape, rank); });
}

/// Whether all of these are rows.
static Status checkRows(std::span<const int64_t> from, int64_t rows) {
  for (size_t row = 0; row < from.size(); ++row)
    if (from[row] < 0 || from[row] >= rows)
      return Error{Code::Usage, text("row %zu cannot go on from row %lld: there are %lld", row,
                                     wide(from[row]), wide(rows))};
  return success();
}

WeftStatus weft_generator_reorder(WeftGenerator *generator, const int64_t *from) {
  auto body = [&]() -> Status {
    int64_t rows = generator->generator.rows();
    std::span<const int64_t> all(from, static_cast<size_t>(rows));
    if (Status status = checkRows(all, rows); !status)
      return status;
    return generator->generator.reorder(all);
  };
  return statusCallOn("weft_generator_reorder", generator,
                      {{"generator", generator}, {"from", from}}, body);
}

static Result<WeftGenerator *> branch(WeftGenerator &generator, const int64_t *from, int64_t rows) {
  if (rows < 1)
    return Error{Code::Usage, "weft_generator_branch() needs at least one row"};
  std::vector<int64_t> same;
  for (int64_t row = 0; !from && row < rows && row <= generator.generator.rows(); ++row)
    same.push_back(row); // one too many is found below
  std::span<const int64_t> all =
      from ? std::span<const int64_t>(from, static_cast<size_t>(rows)) : same;
  if (Status status = checkRows(all, generator.generator.rows()); !status)
    return status.error();
  Result<Generator> other = generator.generator.branch(all);
  if (!other)
    return other.error();
  return new WeftGenerator{generator.opened, std::move(*other), generator.inputs};
}

WeftGenerator *weft_generator_branch(const WeftGenerator *generator, const int64_t *from,
                                     int64_t rows) {
  return callOn<WeftGenerator *>("weft_generator_branch", nullptr, generator,
                                 {{"generator", generator}}, [&] {
                                   return branch(const_cast<WeftGenerator &>(*generator), from,
                                                 rows); // reading may copy from a device
                                 });
}

int64_t weft_generator_vocabulary(const WeftGenerator *generator) {
  return callOn<int64_t>("weft_generator_vocabulary", -1, generator, {{"generator", generator}},
                         [&] { return Result<int64_t>(generator->generator.vocabulary()); });
}

const float *weft_advance(WeftGenerator *generator, const int32_t *ids, int64_t count) {
  auto body = [&]() -> Result<const float *> {
    int64_t all = 0;
    if (count < 1 || __builtin_mul_overflow(count, generator->generator.rows(), &all) ||
        all > INT64_MAX / 4)
      return Error{Code::Usage, text("weft_advance() of %lld ids for each of %lld rows: expected "
                                     "at least one",
                                     wide(count), wide(generator->generator.rows()))};
    Result<std::span<const float>> logits =
        generator->generator.advance({ids, static_cast<size_t>(all)});
    if (!logits)
      return logits.error();
    return logits->data();
  };
  return callOn<const float *>("weft_advance", nullptr, generator,
                               {{"generator", generator}, {"ids", ids}}, body);
}

/// The turns of a caller, as far as they can be looked at before any generator is. A caller's
/// structures lie one behind the other, by the size that it has of them.
static Result<std::vector<WeftTurn>> readTurns(const WeftTurn *turns, int64_t count) {
  std::vector<WeftTurn> all;
  auto *place = reinterpret_cast<const char *>(turns);
  for (int64_t i = 0; i < count; ++i) {
    const WeftTurn &given = *reinterpret_cast<const WeftTurn *>(place);
    Result<WeftTurn> turn = taken("turn", given);
    if (!turn)
      return turn.error();
    if (!turn->generator || !turn->ids || !turn->logits)
      return Error{Code::Usage, text("turn %lld: a generator, ids and places for logits must not "
                                     "be NULL",
                                     wide(i))};
    for (const WeftTurn &other : all)
      if (other.generator == turn->generator)
        return Error{Code::Usage, text("turn %lld is of a generator that has one before", wide(i))};
    if (!turn->generator->generator.isLike(turns->generator->generator))
      return Error{Code::Usage, text("turn %lld is of another model or decoding", wide(i))};
    int64_t ids = 0;
    if (turn->count < 1 ||
        __builtin_mul_overflow(turn->count, turn->generator->generator.rows(), &ids) ||
        ids > INT64_MAX / 4)
      return Error{Code::Usage,
                   text("turn %lld has %lld ids for each of %lld rows: expected at "
                        "least one, and what fits into memory",
                        wide(i), wide(turn->count), wide(turn->generator->generator.rows()))};
    all.push_back(*turn);
    place += given.size;
  }
  return all;
}

WeftStatus weft_advance_together(const WeftTurn *turns, int64_t count) {
  auto body = [&]() -> Status {
    Result<std::vector<WeftTurn>> all = readTurns(turns, count);
    if (!all)
      return all.error();
    std::vector<Generator::Turn> taken;
    for (const WeftTurn &turn : *all) {
      Generator &generator = turn.generator->generator;
      taken.push_back({&generator, {turn.ids, static_cast<size_t>(turn.count * generator.rows())}});
    }
    Result<std::vector<Generator::EachLogits>> logits = Generator::advanceTogether(taken);
    if (!logits)
      return logits.error();
    for (size_t i = 0; i < all->size(); ++i)
      for (size_t id = 0; id < (*logits)[i].size(); ++id)
        (*all)[i].logits[id] = (*logits)[i][id].data();
    return success();
  };
  if (count < 1) // nothing to do, and no generator whose model has a turn
    return statusCall("weft_advance_together", {}, [&]() -> Status {
      return count == 0
                 ? success()
                 : Error{Code::Usage, text("weft_advance_together() of %lld turns", wide(count))};
    });
  WeftGenerator *first = turns ? turns->generator : nullptr;
  return statusCallOn("weft_advance_together", first, {{"turns", turns}, {"generator", first}},
                      body);
}

int64_t weft_generator_known(const WeftGenerator *generator) {
  return callOn<int64_t>("weft_generator_known", -1, generator, {{"generator", generator}},
                         [&] { return Result<int64_t>(generator->generator.known()); });
}

WeftStatus weft_generator_rewind(WeftGenerator *generator, int64_t known) {
  return statusCallOn("weft_generator_rewind", generator, {{"generator", generator}},
                      [&] { return generator->generator.rewind(known); });
}
