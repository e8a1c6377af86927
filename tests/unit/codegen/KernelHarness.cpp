// Compiles one `kernel.fused` from its text and runs it on tensors.
#include "KernelHarness.h"

#include "ir/reference/Interpreter.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

using namespace llvm;
using mlir::OpBuilder;

namespace weft::test {

//===-- Tensors
//-----------------------------------------------------------------------------------===//

Tensor::Tensor(std::vector<std::string> names, const Sizes &sizes) : dims(std::move(names)) {
  int64_t count = 1;
  for (const std::string &dim : dims) {
    shape.push_back(sizes.at(dim));
    count *= shape.back();
  }
  data.resize(count);
}

Tensor Tensor::normal(std::vector<std::string> dims, const Sizes &sizes, unsigned seed) {
  Tensor result(std::move(dims), sizes);
  std::mt19937 engine(seed);
  std::normal_distribution<float> draw;
  for (double &x : result.data)
    x = draw(engine);
  return result;
}

Tensor Tensor::whole(std::vector<std::string> dims, const Sizes &sizes, int64_t below,
                     unsigned seed) {
  Tensor result(std::move(dims), sizes);
  std::mt19937 engine(seed);
  for (double &x : result.data)
    x = double(engine() % below);
  return result;
}

Tensor Tensor::of(std::vector<std::string> dims, const Sizes &sizes,
                  const std::function<double(const Index &)> &value) {
  Tensor result(std::move(dims), sizes);
  everywhere(result.dims, sizes, [&](const Index &index) { result.at(index) = value(index); });
  return result;
}

double &Tensor::at(const Index &index) {
  int64_t place = 0;
  for (size_t i = 0; i < dims.size(); ++i)
    place = place * shape[i] + index.at(dims[i]);
  return data.at(place);
}

static void everywhereFrom(const std::vector<std::string> &dims, size_t from, const Sizes &sizes,
                           Index &index, const std::function<void(const Index &)> &body) {
  if (from == dims.size())
    return body(index);
  for (int64_t i = 0; i < sizes.at(dims[from]); ++i) {
    index[dims[from]] = i;
    everywhereFrom(dims, from + 1, sizes, index, body);
  }
}

void everywhere(const std::vector<std::string> &dims, const Sizes &sizes,
                const std::function<void(const Index &)> &body) {
  Index index;
  everywhereFrom(dims, 0, sizes, index, body);
}

testing::AssertionResult close(const Tensor &got, const Tensor &want, double relative) {
  if (got.dims != want.dims || got.shape != want.shape)
    return testing::AssertionFailure() << "other dimensions";
  double scale = 0;
  for (double x : want.data)
    if (std::isfinite(x))
      scale = std::max(scale, std::abs(x));
  for (size_t i = 0; i < want.data.size(); ++i) {
    double a = got.data[i], b = want.data[i];
    if (std::isnan(b) ? std::isnan(a)
                      : a == b || std::abs(a - b) <= relative * (std::abs(b) + scale))
      continue;
    return testing::AssertionFailure()
           << "element " << i << " of " << want.data.size() << ": got " << a << ", want " << b;
  }
  return testing::AssertionSuccess();
}

//===-- The kernel
//------------------------------------------------------------------------------===//

struct Kernel::Text {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  kernel::FusedOp op;
};

Kernel::~Kernel() = default;

kernel::FusedOp Kernel::op() {
  return text->op;
}

Kernel::Kernel(cpu::Isa isa, const std::string &source) : text(std::make_unique<Text>()), jit(isa) {
  text->context.loadDialect<model::ModelDialect, kernel::KernelDialect, mlir::func::FuncDialect>();
  text->module = mlir::parseSourceString<mlir::ModuleOp>(source, &text->context);
  if (!text->module) {
    ADD_FAILURE() << "the kernel's text does not parse";
    return;
  }
  for (auto dim : text->module->getOps<model::DimOp>()) {
    auto &entry = table.dims[dim.getSymName()];
    entry.number = table.dims.size() - 1;
    if (auto size = dim.getSize())
      entry.size = size->getValue().constant();
  }
  text->module->walk([&](kernel::FusedOp op) { text->op = op; });
  cpu::Emission emission{jit.module(), isa, table};
  mlir::FailureOr<cpu::KernelFunctions> functions = cpu::emitKernel(text->op, "kernel", emission);
  if (failed(functions)) {
    ADD_FAILURE() << "the kernel was refused";
    return;
  }
  std::string names[] = {functions->run->getName().str(), functions->tasks->getName().str(),
                         functions->scratch->getName().str()};
  if (!jit.compile())
    return;
  run_ = jit.function<Run>(names[0]);
  tasks_ = jit.function<Count>(names[1]);
  scratch_ = jit.function<Count>(names[2]);
}

std::string Kernel::alone(kernel::FusedOp op) {
  OpBuilder builder(op.getContext());
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(builder, op.getLoc());
  builder.setInsertionPointToEnd(module->getBody());
  for (auto dim : op->getParentOfType<mlir::ModuleOp>().getOps<model::DimOp>())
    builder.clone(*dim);
  auto type = builder.getFunctionType(op.getOperandTypes(), {});
  auto function = mlir::func::FuncOp::create(builder, op.getLoc(), "kernel", type);
  mlir::Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  builder.clone(*op)->setOperands(body->getArguments());
  mlir::func::ReturnOp::create(builder, op.getLoc());
  std::string text;
  raw_string_ostream stream(text);
  module->print(stream);
  return text;
}

static reference::Array arrayOf(const Tensor &tensor, mlir::Type element) {
  reference::Array array;
  array.shape.assign(tensor.shape.begin(), tensor.shape.end());
  if (element.isF32())
    array.data = reference::Floats(tensor.data.begin(), tensor.data.end());
  else if (element.isInteger(1))
    array.data = reference::Switches(tensor.data.begin(), tensor.data.end());
  else
    array.data = reference::Wholes(tensor.data.begin(), tensor.data.end());
  return array;
}

// The kernel's ops as the body of a function beside the dimensions.
std::vector<Tensor> Kernel::interpret(const Sizes &sizes, const std::vector<Tensor> &inputs) {
  mlir::OwningOpRef<mlir::ModuleOp> module = text->module->clone();
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  mlir::Block &ops = text->op.getBody().front();
  auto type = builder.getFunctionType(ops.getArgumentTypes(), text->op.getResultTypes());
  auto function = mlir::func::FuncOp::create(builder, text->op.getLoc(), "interpreted", type);
  mlir::Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  mlir::IRMapping copies;
  copies.map(ops.getArguments(), body->getArguments());
  for (mlir::Operation &op : ops.without_terminator())
    builder.clone(op, copies);
  std::vector<mlir::Value> results;
  for (mlir::Value value : ops.getTerminator()->getOperands())
    results.push_back(copies.lookup(value));
  mlir::func::ReturnOp::create(builder, text->op.getLoc(), results);

  llvm::StringMap<int64_t> given;
  for (auto dim : module->getOps<model::DimOp>())
    if (auto at = sizes.find(dim.getSymName().str()); at != sizes.end() && !dim.getSize())
      given[dim.getSymName()] = at->second;
  std::vector<reference::Array> arrays;
  for (auto [input, argument] : zip_equal(inputs, ops.getArguments()))
    arrays.push_back(arrayOf(input, model::typeOf(argument).getElement()));
  reference::Interpreter interpreter(*module, given);
  interpreter.setRandom({random.seed, random.step});
  auto outputs = interpreter.run("interpreted", arrays);
  if (failed(outputs)) {
    ADD_FAILURE() << "the interpreter refused the kernel";
    return {};
  }
  std::vector<Tensor> tensors;
  for (auto [value, output] : zip_equal(text->op.getResults(), *outputs)) {
    std::vector<std::string> dims;
    for (mlir::StringAttr dim : model::typeOf(value).getDims())
      dims.push_back(dim.str());
    Tensor tensor(dims, sizes);
    std::visit([&](const auto &data) { tensor.data.assign(data.begin(), data.end()); },
               output.data);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

std::vector<int64_t> Kernel::numbered(const Sizes &sizes) const {
  std::vector<int64_t> result(table.dims.size());
  for (const auto &dim : table.dims) {
    auto at = sizes.find(dim.getKey().str());
    result[dim.getValue().number] =
        at != sizes.end() ? at->second : dim.getValue().size.value_or(0);
  }
  return result;
}

int64_t Kernel::scratchBytes(const Sizes &sizes) {
  return scratch_(numbered(sizes).data());
}

int64_t Kernel::tasks(const Sizes &sizes) {
  return tasks_(numbered(sizes).data());
}

namespace {

/// A scratch area whose neighbours are watched.
std::vector<char> scratchArea(int64_t bytes) {
  return std::vector<char>(bytes + 192, char(0xff)); // NaNs
}
char *inside(std::vector<char> &area) {
  return reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(area.data()) + 127) / 64 * 64);
}

/// A tensor in memory, 4 bytes off any alignment, between guards.
class Memory {
public:
  Memory(mlir::Attribute layout, mlir::Type element, const Tensor &shape, const Sizes &sizes)
      : shape(shape), width(element.isInteger(1) ? 1 : 4), isFloat(element.isF32()) {
    int64_t end = 0;
    if (auto panels = dyn_cast<kernel::PanelsAttr>(layout)) {
      end = placeInPanels(panels, sizes);
    } else {
      placeStrided(cast<kernel::LayoutAttr>(layout), sizes);
      for (int64_t place : places)
        end = std::max(end, place + 1);
    }
    bytes.resize(64 + 4 + end * width + 64);
    fill(bytes);
  }
  void *address() { return bytes.data() + 68; }

  void put(const Tensor &tensor) {
    for (int64_t place : padding)
      memset(bytes.data() + 68 + place * width, 0, width);
    each([&](size_t i, char *at) {
      if (isFloat) {
        float x = float(tensor.data[i]);
        memcpy(at, &x, 4);
      } else if (width == 1) {
        *at = char(tensor.data[i] != 0);
      } else {
        int32_t x = int32_t(tensor.data[i]);
        memcpy(at, &x, 4);
      }
    });
  }
  Tensor get() {
    Tensor result = shape;
    each([&](size_t i, const char *at) {
      if (isFloat) {
        float x;
        memcpy(&x, at, 4);
        result.data[i] = x;
      } else if (width == 1) {
        result.data[i] = *at;
      } else {
        int32_t x;
        memcpy(&x, at, 4);
        result.data[i] = x;
      }
    });
    return result;
  }
  /// Whether every byte that is not an element is still poison.
  bool guarded() {
    std::vector<char> clean(bytes.size());
    fill(clean);
    std::vector<char> now = bytes;
    each([&](size_t, char *at) {
      memcpy(now.data() + (at - bytes.data()), clean.data() + (at - bytes.data()), width);
    });
    for (int64_t place : padding)
      memcpy(now.data() + 68 + place * width, clean.data() + 68 + place * width, width);
    return now == clean;
  }
  /// Whether what fills up panels is zero.
  bool padded() const {
    return std::ranges::all_of(padding, [&](int64_t place) {
      float x;
      memcpy(&x, bytes.data() + 68 + place * width, width);
      return x == 0;
    });
  }
  const std::vector<char> &raw() const { return bytes; }

private:
  // 0x7fc1a5a5 is a NaN, an unlikely whole number, and bytes that are no switch.
  static void fill(std::vector<char> &bytes) {
    const char poison[] = {char(0xa5), char(0xa5), char(0xc1), char(0x7f)};
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = poison[i % 4];
  }
  template <class Body> void each(Body body) {
    for (size_t i = 0; i < places.size(); ++i)
      body(i, bytes.data() + 68 + places[i] * width);
  }

  void placeStrided(kernel::LayoutAttr layout, const Sizes &sizes) {
    everywhere(shape.dims, sizes, [&](const Index &index) {
      int64_t place = 0;
      for (const auto &[dim, position] : index)
        if (std::optional<Size> stride =
                layout.stride(mlir::StringAttr::get(layout.getContext(), dim)))
          place +=
              position * *stride->evaluate([&](const std::string &name) { return sizes.at(name); });
      places.push_back(place);
    });
  }

  /// Gives the number of elements with the padding.
  int64_t placeInPanels(kernel::PanelsAttr panels, const Sizes &sizes) {
    auto flat = [&](ArrayRef<mlir::StringAttr> dims, const Index *index) {
      int64_t position = 0, count = 1;
      for (mlir::StringAttr dim : dims) {
        int64_t size = sizes.at(dim.str());
        position = position * size + (index ? index->at(dim.str()) : 0);
        count *= size;
      }
      return index ? position : count;
    };
    int64_t rows = flat(panels.getRows(), nullptr), columns = flat(panels.getColumns(), nullptr);
    int64_t width = panels.getWidth(), perBatch = (columns + width - 1) / width;
    int64_t count = flat(panels.getBatch(), nullptr) * perBatch * rows * width;
    std::vector<bool> taken(count);
    everywhere(shape.dims, sizes, [&](const Index &index) {
      int64_t column = flat(panels.getColumns(), &index);
      int64_t panel = flat(panels.getBatch(), &index) * perBatch + column / width;
      places.push_back((panel * rows + flat(panels.getRows(), &index)) * width + column % width);
      taken[places.back()] = true;
    });
    for (int64_t place = 0; place < count; ++place)
      if (!taken[place])
        padding.push_back(place);
    return count;
  }

  Tensor shape;
  int width;
  bool isFloat;
  std::vector<int64_t> places, padding; // of the elements in their order, and of what is between
  std::vector<char> bytes;
};

} // namespace

void Kernel::runRaw(const Sizes &sizes, const std::vector<void *> &buffers) {
  std::vector<int64_t> numbers = numbered(sizes);
  std::vector<char> scratch = scratchArea(scratch_(numbers.data()));
  run_(numbers.data(), buffers.data(), 0, tasks_(numbers.data()), inside(scratch));
}

std::vector<Tensor> Kernel::run(const Sizes &given, const std::vector<Tensor> &inputs,
                                const std::map<unsigned, unsigned> &inPlace) {
  Sizes sizes = given;
  for (const auto &dim : table.dims)
    if (dim.getValue().size)
      sizes[dim.getKey().str()] = *dim.getValue().size;
  std::vector<int64_t> numbers = numbered(sizes);
  int64_t scratchBytes = scratch_(numbers.data()), count = tasks_(numbers.data());
  auto layout = [&](size_t i) { return text->op.getLayoutsAttr()[i]; };
  auto element = [](mlir::Value value) {
    return cast<model::NamedTensorType>(value.getType()).getElement();
  };

  auto once = [&](bool backwards) {
    std::vector<Memory> memory;
    std::vector<void *> buffers;
    memory.reserve(inputs.size() + text->op.getNumResults());
    for (size_t i = 0; i < inputs.size(); ++i) {
      memory.emplace_back(layout(i), element(text->op.getOperand(i)), inputs[i], sizes);
      memory.back().put(inputs[i]);
    }
    for (size_t r = 0; r < text->op.getNumResults(); ++r) {
      std::vector<std::string> dims;
      for (mlir::StringAttr dim :
           cast<model::NamedTensorType>(text->op.getResult(r).getType()).getDims())
        dims.push_back(dim.str());
      memory.emplace_back(layout(inputs.size() + r), element(text->op.getResult(r)),
                          Tensor(dims, sizes), sizes);
    }
    std::vector<size_t> home;
    for (size_t i = 0; i < memory.size(); ++i) {
      auto taken = i < inputs.size() ? inPlace.end() : inPlace.find(unsigned(i - inputs.size()));
      home.push_back(taken == inPlace.end() ? i : taken->second);
      buffers.push_back(memory[home.back()].address());
    }
    buffers.push_back(&random);
    std::vector<char> scratch = scratchArea(scratchBytes), untouched = scratch;
    if (backwards)
      for (int64_t task = count; task-- > 0;)
        run_(numbers.data(), buffers.data(), task, task + 1, inside(scratch));
    else
      run_(numbers.data(), buffers.data(), 0, count, inside(scratch));
    memset(inside(scratch), 0xff, scratchBytes);
    EXPECT_TRUE(scratch == untouched) << "wrote beyond the scratch it asked for";
    for (size_t i = 0; i < memory.size(); ++i)
      EXPECT_TRUE(memory[i].guarded() && memory[i].padded()) << "wrote outside buffer " << i;
    std::vector<Memory> results;
    for (size_t r = inputs.size(); r < memory.size(); ++r)
      results.push_back(memory[home[r]]);
    return results;
  };
  std::vector<Memory> forwards = once(false), backwards = once(true);
  std::vector<Tensor> results;
  for (size_t r = 0; r < forwards.size(); ++r) {
    EXPECT_TRUE(forwards[r].raw() == backwards[r].raw())
        << "result " << r << " depends on how tasks are cut";
    results.push_back(forwards[r].get());
  }
  return results;
}

} // namespace weft::test
