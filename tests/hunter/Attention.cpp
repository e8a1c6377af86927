// Statements of what models are made of: attention, experts, losses, rotations.
#include "Body.h"

#include <fmt/format.h>

namespace weft::hunter {

void Body::attention() {
  Value *x = floats({"s"}, {"k", "h", "d"});
  std::string from = x ? dim(*x, true) : "";
  if (!parameters || from.empty() || isLoop(from) || !dims.has("k"))
    return;
  Names rest = without(x->dims, {from});
  if (!fits(joined(rest, {"h", "d"})) || dims.count(joined(rest, {"h", "k"})) > 4 * whole.most)
    return;
  // Whether heads share keys, or values.
  auto heads = [](const std::string &slot) { return slot == "d" ? Names{"d"} : Names{"h", "d"}; };
  std::string keys = oneOf(numbers, {"(h, d)", "(h, d)", "d"}),
              held = numbers.chance(0.6) ? keys : oneOf(numbers, {"(h, d)", "d"});
  Value *q = bind(fmt::format("Project[{}, (h, d)]({})", from, x->name), "",
                  joined(rest, {"h", "d"}), {x});
  Value *k = bind(
      fmt::format("{}[{}, {}]({})", oneOf(numbers, {"Project", "Linear"}), from, keys, x->name), "",
      joined(rest, heads(keys)), {x});
  Value *v = bind(fmt::format("Linear[{}, {}]({})", from, held, x->name), "",
                  joined(rest, heads(held)), {x});
  if (!q || !k || !v)
    return;
  std::string qt = q->name, kt = k->name;
  if (dims["d"].sizes[0] % 2 == 0 && numbers.chance(0.3)) {
    const char *turn =
        oneOf(numbers, {"rope[s, d]({})", "rope_pairs[s, d]({})", "rope[s, d]({}, base = 100)"});
    qt = fmt::format(fmt::runtime(turn), qt);
    kt = fmt::format(fmt::runtime(turn), kt);
  }
  if (numbers.chance(0.15))
    qt = label() + "RMSNorm[d](" + qt + ")";
  std::string mask;
  if (causal || numbers.chance(0.7)) {
    mask = causal
               ? oneOf(numbers,
                       {"index(k) <= index(s)", "index(k) <= index(s) and index(k) > index(s) - 3"})
               : oneOf(numbers,
                       {"index(k) <= index(s)", "index(k) <= index(s) and index(k) > index(s) - 3",
                        "index(k) != index(s)", "index(s) - index(k) < 2", "index(k) == index(s)",
                        "floor(index(k) / 2) == floor(index(s) / 2)", "index(k) == index(s)",
                        "index(k) * 1000000007 <= index(s) * 7", "index(k) < 3",
                        "index(k) + 2147483647 > index(s)", "(index(k) + index(s)) % 2 == 0"});
    if (!causal && numbers.chance(0.4))
      mask = positionMask("k", "s");
    if (Value *p = any(&Value::isBool, {}, {"k", "d"});
        !causal && p && within(p->dims, joined(rest, {"h"})) && numbers.chance(0.4)) {
      std::string given = p->has("s") && numbers.chance(0.6) ? p->name + "[s as k]" : p->name;
      mask = numbers.chance(0.5) ? given : mask + " and " + given;
    }
  }
  std::string key = "(" + kt + ")[s as k]", value = v->name + "[s as k]";
  if (numbers.chance(0.4)) {
    std::string scores = scoresOf(qt, key, mask);
    bind(fmt::format("sum[k]({} * {})", scores, value), "", joined(rest, {"h", "d"}), {q, k, v});
    return;
  }
  if (!mask.empty())
    mask = ", mask = " + mask;
  if (numbers.chance(0.2))
    mask += oneOf(numbers, {", scale = 0.3", ", scale = 1", ", rate = 0.2"});
  bind(fmt::format("attend[s, k, d]({}, {}, {}{})", qt, key, value, mask), "",
       joined(rest, {"h", "d"}), {q, k, v});
}

/// Weights with what models add to scores, how they cap them, and what they drop.
std::string Body::scoresOf(const std::string &query, const std::string &key,
                           const std::string &mask) {
  std::string text = fmt::format("sum[d]({} * {})", query, key);
  text += oneOf(numbers, {"", " * 0.5", " / sqrt(size(d))", " * -0.7"});
  auto add = [&] {
    std::string bias =
        oneOf(numbers, {"alibi[h, s, k]()", "0.1 * (index(k) - index(s))",
                        "0.2 * (index(h) + 1) * min(index(k), index(s))", "0.3 * index(k)"});
    // A number for each distance, as T5 has (Raffel et al. 2019), for each head or for all.
    if (std::string to = fresh({"h", "s", "k"}); !to.empty() && dims[to].fixed)
      if (Value *table = numbers.chance(0.6) ? parameter({"h", to}) : parameter({to})) {
        table->used = true;
        bias = fmt::format("{0}[{1} = clamp[{1}](index(s) - index(k))]", table->name, to);
      }
    text = numbers.chance(0.8) ? fmt::format("({} + {})", text, bias)
                               : fmt::format("({} - {})", bias, text);
  };
  auto cap = [&] {
    text =
        fmt::format(fmt::runtime(oneOf(numbers, {"2 * tanh(({}) / 2)", "1.5 * tanh({})"})), text);
  };
  if (numbers.chance(0.5))
    add();
  if (numbers.chance(0.4))
    cap();
  if (numbers.chance(0.3))
    add();
  if (mask.empty())
    text = fmt::format("softmax[k]({})", text);
  else
    text = fmt::format(fmt::runtime(numbers.chance(0.7) ? "masked_softmax[k]({0}, {1})"
                                                        : "softmax[k](where({1}, {0}, -inf))"),
                       text, mask);
  if (numbers.chance(0.4))
    text = fmt::format("dropout({}, 0.3)", text);
  else if (!causal && text.find(": ") == std::string::npos && numbers.chance(0.4)) // no label twice
    text = fmt::format("where(random({0}) < 0.4, 0, {0})", text);
  return text;
}

/// Scores written out: with what a recogniser must take along, or leave alone.
void Body::writtenAttention() {
  Value *x = floats({"s"}, {"k"});
  if (!x || !dims.has("k"))
    return;
  std::string d = dim(*x);
  if (d.empty())
    return;
  Value *y = floats({"s", d}, {"k"});
  if (d == "s" || d.empty() || !y)
    return;
  if (x->has("s") && x->has(d) && numbers.chance(0.4)) // of itself, as elsewhere with a weight
    y = x;
  if (std::string to = fresh(x->dims); dims[d].fixed && !to.empty() && numbers.chance(0.4))
    if (Value *w = parameter({d, to}))
      bind(fmt::format("sum[{}]({} * {})", d, x->name, w->name), "",
           joined(without(x->dims, {d}), {to}), {x, w});
  Names scores = joined(without(joined(x->dims, without(y->dims, {"s"})), {d}), {"k"});
  if (!fits(scores))
    return;
  std::string score = fmt::format(
      fmt::runtime(oneOf(
          numbers,
          {"sum[{2}]({0} * {1}[s as k])", "sum[{2}]({0} * {1}[s as k]) / sqrt(size({2}))",
           "3 * tanh(sum[{2}]({0} * {1}[s as k]) / 3)", "sum[{2}]({0} * {1}[s as k]) * 0.5",
           "sum[{2}]({0} * {1}[s as k]) - 0.1 * expand[s](index(k)) + 0.1 * expand[k](index(s))"})),
      x->name, y->name, d);
  Value *raw = bind(score, "", scores, {x, y});
  if (!raw)
    return;
  // Scaled by what comes with the data: by what q could be multiplied with, and by what it could
  // not.
  Value *z = numbers.chance(0.4) ? floats({d}, {"k"}) : nullptr;
  if (!z && numbers.chance(0.5))
    z = floats({}, {"k"});
  if (z && within(z->dims, joined(scores, {d})) && fits(joined(scores, z->dims))) {
    scores = joined(scores, z->dims);
    raw = bind(fmt::format(fmt::runtime(oneOf(numbers, {"{0} / (1 + {1} * {1})", "{0} * {1}"})),
                           raw->name, z->name),
               "", scores, {raw, z});
    if (!raw)
      return;
  }
  if (within({"h"}, raw->dims) && numbers.chance(0.4))
    raw = bind(raw->name + " + alibi[h, s, k]()", "", scores, {raw});
  std::string weights;
  const char *masked =
      oneOf(numbers, {"index(k) <= index(s)", "index(k) < 2", "index(s) - index(k) < 3"});
  switch (numbers.below(4)) {
  case 0:
    weights = fmt::format("masked_softmax[k]({}, {})", raw->name, masked);
    break;
  case 1:
    weights = fmt::format("softmax[k](where({}, {}, -10000))", masked, raw->name);
    break;
  case 2:
    weights = fmt::format("softmax[{}]({})", oneOf(numbers, {"k", "k", "s"}), raw->name);
    break;
  default:
    weights = fmt::format("softmax[k]({})", raw->name);
  }
  Value *w = bind(weights, "", scores, {raw});
  Value *v = floats({"s"}, {"k"});
  if (!w || !v)
    return;
  // Values have a dimension of their own, most of the time.
  std::string inside = dim(*v, true), to = fresh(joined(scores, v->dims));
  if (!inside.empty() && !to.empty() && within(v->dims, joined(scores, {"s"})) &&
      numbers.chance(0.6))
    if (Value *map = parameter({inside, to}))
      if (Value *mapped = bind(fmt::format("sum[{}]({} * {})", inside, v->name, map->name), "",
                               joined(without(v->dims, {inside}), {to}), {v, map}))
        v = mapped;
  Names all = joined(scores, without(v->dims, {"s"}));
  std::string sum = oneOf(numbers, {"k", "k", "k", "s"});
  bind(fmt::format("sum[{}]({} * {}[s as k])", sum, w->name, v->name), "", without(all, {sum}),
       {w, v});
}

void Body::experts() {
  Value *x = floats({"m"}, {"e", "f", "c"});
  if (!x || !parameters)
    return;
  Names rest = without(x->dims, {"m"});
  if (!fits(joined(rest, {"e", "f"})) || !fits(joined(rest, {"e", "m"})) ||
      dims.count({"e", "m", "f"}) > 2 * whole.most)
    return;
  Value *up = parameter(numbers.chance(0.5) ? Names{"e", "m", "f"} : Names{"m", "e", "f"});
  Value *down = parameter(numbers.chance(0.5) ? Names{"e", "f", "m"} : Names{"f", "m", "e"});
  if (!up || !down)
    return;
  Value *score = bind(fmt::format("Project[m, e]({})", x->name), "", joined(rest, {"e"}), {x});
  Value *h = bind(fmt::format("{}(sum[m]({} * {}))", oneOf(numbers, {"gelu", "relu", "silu"}),
                              x->name, up->name),
                  "", joined(rest, {"e", "f"}), {x, up});
  Value *y = h ? bind(fmt::format("sum[f]({} * {})", h->name, down->name), "",
                      joined(rest, {"e", "m"}), {h, down})
               : nullptr;
  if (!score || !y)
    return;
  Names out = joined(rest, {"m"});
  switch (numbers.below(4)) {
  case 0:
    bind(fmt::format("sum[e](softmax[e]({}) * {})", score->name, y->name), "", out, {score, y});
    return;
  case 1:
    bind(fmt::format("{}[e = argmax[e]({})]", y->name, score->name), "", out, {score, y});
    return;
  default:
    if (dims["c"].sizes[0] > dims["e"].sizes[0])
      return;
    Value *c = bind(fmt::format("top[c, e]({})", score->name), "e", joined(rest, {"c"}), {score});
    if (!c)
      return;
    Value *w = bind(fmt::format("softmax[c]({}[e = {}])", score->name, c->name), "",
                    joined(rest, {"c"}), {score, c});
    if (!w)
      return;
    if (numbers.chance(0.5))
      bind(fmt::format("sum[c]({} * {}[e = {}])", w->name, y->name, c->name), "", out, {w, y, c});
    else
      bind(fmt::format("sum[e](sum[c](where(index(e) == {}, {}, 0)) * {})", c->name, w->name,
                       y->name),
           "", out, {w, y, c});
  }
}

void Body::losses() {
  Value *x = floats();
  if (!x || x->dims.empty())
    return;
  std::string d = dim(*x);
  if (d.empty())
    return;
  Names rest = without(x->dims, {d});
  std::vector<Value *> targets;
  for (Value &value : values)
    if (value.element == d && !value.has(d))
      targets.push_back(&value);
  if (targets.empty()) {
    Value *t = floats();
    const char *form =
        oneOf(numbers, {"huber({0}, {1})", "squared_error({0}, {1})",
                        "binary_cross_entropy({0}, sigmoid({1}))", "absolute_error({0}, {1})"});
    if (within(t->dims, x->dims))
      bind(fmt::format(fmt::runtime(form), x->name, t->name), "", x->dims, {x, t});
    return;
  }
  Value *target = one(numbers, targets);
  if (!within(target->dims, rest))
    return;
  bind(fmt::format(fmt::runtime(oneOf(
                       numbers, {"cross_entropy[{1}]({0}, {2})", "cross_entropy[{1}]({0}, {2})",
                                 "smoothed_cross_entropy[{1}]({0}, {2})", "{0}[{1} = {2}]",
                                 "log_softmax[{1}]({0})[{1} = {2}]"})),
                   x->name, d, target->name),
       "", rest, {x, target});
}

void Body::rotate() {
  Value *x = floats({"s"});
  if (!x)
    return;
  std::string d = dim(*x, true);
  if (d.empty() || d == "s")
    return;
  if (dims[d].sizes[0] % 2 == 0 && numbers.chance(0.6))
    bind(fmt::format(fmt::runtime(oneOf(numbers, {"rope[s, {1}]({0})", "rope_pairs[s, {1}]({0})"})),
                     x->name, d),
         "", x->dims, {x});
  else
    bind(fmt::format("{} + sinusoid[s, {}]()", x->name, d), "", x->dims, {x});
}

} // namespace weft::hunter
