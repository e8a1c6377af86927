// Functions by segments of their argument. Coefficients are minimax for the relative error, each
// rounded before the next one was chosen.
#include "codegen/cpu/base/SegmentedMath.h"

#include "codegen/emit/math/Parts.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicsX86.h"

#include <array>

using namespace llvm;

namespace weft::cpu {

using namespace weft::emit::math;

namespace {

using PerSegment = std::array<float, 16>;
constexpr unsigned segments = std::tuple_size_v<PerSegment>;

/// An odd function: segment n has t = |x| - n width, |t| <= width / 2, and the value
/// c[0][n] + c[1][n] t + c[2][n] t² + … From `most` on, which the last segment has, it is 1. The
/// first segment has odd powers alone, so that small arguments keep their digits.
struct Segmented {
  StringLiteral name;
  double width, most; ///< a width of few bits, so that its multiples are exact
  ArrayRef<PerSegment> c;
};

} // namespace

/// The coefficients of power `power`, for segments whose numbers are in the low bits of `segment`.
static Value *coefficients(IRBuilderBase &b, const Segmented &f, size_t power, Value *segment) {
  auto *vector = dyn_cast<FixedVectorType>(segment->getType());
  if (vector && vector->getNumElements() == segments)
    return b.CreateIntrinsic(Intrinsic::x86_avx512_permvar_sf_512,
                             {ConstantDataVector::get(b.getContext(), f.c[power]), segment});
  // Scalars, and vectors of another length, read them from memory.
  GlobalVariable *table = constantTable(b, ("weft." + f.name + Twine(power)).str(), [&] {
    return ConstantDataArray::get(b.getContext(), f.c[power]);
  });
  Value *number = b.CreateAnd(segment, ConstantInt::get(segment->getType(), segments - 1));
  return lookUp(b, table, b.getFloatTy(), number);
}

static Value *evaluate(IRBuilderBase &b, const Segmented &f, Value *x) {
  Value *size = magnitude(b, x), *most = constant(x, f.most);
  size = b.CreateSelect(b.CreateFCmpOGT(size, most), most, size);
  Rounded n = roundSum(b, size, 1 / f.width);
  Value *t = fma(b, n.number, -f.width, size), *segment = bits(b, n.shifted);
  Value *p = coefficients(b, f, f.c.size() - 1, segment);
  for (size_t power = f.c.size() - 1; power-- > 0;)
    p = fma(b, p, t, coefficients(b, f, power, segment));
  return b.CreateBinaryIntrinsic(Intrinsic::copysign, p, x);
}

// Relative error 1.7e-7, all roundings included. The last segment is drawn up by 2.8e-8 at its end,
// so that it is rounded to 1 there.
static constexpr PerSegment erfCoefficients[] = {
    {0, 0.276326388F, 0.520499885F, 0.711155653F, 0.842700779F, 0.92290014F, 0.966105163F,
     0.986671686F, 0.995322287F, 0.998537302F, 0.999593019F, 0.999899387F, 0.999977887F,
     0.999995708F, 0.999999285F, 0.999999881F},
    {1.12837911F, 1.06001425F, 0.87878263F, 0.642931104F, 0.415107489F, 0.236521125F, 0.118930288F,
     0.0527749956F, 0.0206669867F, 0.00714231934F, 0.00217828411F, 0.000586277281F, 0.000139253054F,
     2.91890265e-05F, 5.39942721e-06F, 9.37432219e-07F},
    {0, -0.264999002F, -0.439388424F, -0.482204616F, -0.415101171F, -0.29565987F, -0.178406104F,
     -0.0923649296F, -0.0413453244F, -0.0160793774F, -0.00543078594F, -0.00161680405F,
     -0.000405982079F, -0.00010058871F, -3.3143242e-05F, 1.07170388e-06F},
    {-0.376092255F, -0.309197664F, -0.146480367F, 0.0267740656F, 0.138371035F, 0.167533949F,
     0.138752192F, 0.0901578069F, 0.0482229628F, 0.021724537F, 0.0083500715F, 0.00276029715F,
     0.000789054262F, 0.000195788278F, 4.2288204e-05F, 1.15516077e-05F},
    {0, 0.126092985F, 0.182128087F, 0.150671244F, 0.0688509047F, -0.00528647378F, -0.043614991F,
     -0.0474062525F, -0.0337108485F, -0.0185423139F, -0.00962119177F, -0.00299336109F,
     -0.00180968933F, 7.5650627e-05F, 0.000842748501F, -0.0002441002F},
    {0.110236317F, 0.0811314657F, 0.00833037309F, -0.0520825051F, -0.0690594241F, -0.0470030829F,
     -0.0149370926F, 0.00650137104F, 0.0130329328F, 0.0106474357F, 0.00612715026F, 0.00277162553F,
     0.00102559547F, 0.000317827216F, 8.34953244e-05F, 1.87550304e-05F},
};

static Value *erfBySegments(IRBuilderBase &b, Value *x) {
  return evaluate(b, {"erf", 0.25, 3.8749998, erfCoefficients}, x);
}

// Relative error 1e-7, all roundings included.
static constexpr PerSegment tanhCoefficients[] = {
    {0, 0.53258729F, 0.829801917F, 0.944829464F, 0.982845008F, 0.994736671F, 0.998391807F,
     0.999509275F, 0.999850333F, 0.999954343F, 0.999986053F, 0.999995768F, 0.999998689F,
     0.999999583F, 0.999999881F, 0.99999994F},
    {1.0F, 0.716350794F, 0.311428785F, 0.107297339F, 0.0340156481F, 0.0104989931F, 0.00321375742F,
     0.000981237157F, 0.000299362524F, 9.13099066e-05F, 2.78488296e-05F, 8.49349635e-06F,
     2.59037756e-06F, 7.90021204e-07F, 2.40942938e-07F, 7.34834416e-08F},
    {0, -0.381520182F, -0.258425891F, -0.101383343F, -0.0334278718F, -0.0104476819F,
     -0.00320430659F, -0.00098358898F, -0.000304444868F, -9.10689778e-05F, -2.3172699e-05F,
     -1.15110925e-05F, 6.88868283e-07F, 3.73257808e-06F, -4.97822612e-07F, 4.57959186e-06F},
    {-0.33333078F, -0.0355938636F, 0.110631578F, 0.0600183196F, 0.0215201657F, 0.00688906945F,
     0.00213219388F, 0.0006531892F, 0.000199482849F, 6.08647933e-05F, 1.85653062e-05F,
     5.66220388e-06F, 1.72691421e-06F, 5.26683607e-07F, 1.6062755e-07F, 4.89895342e-08F},
    {0, 0.146161363F, -0.00559866522F, -0.0227483325F, -0.0101354364F, -0.00325212278F,
     -0.00118869392F, -0.000240248948F, 5.53863283e-05F, -3.7585778e-05F, -0.000150693362F,
     8.84334513e-05F, -0.000100039848F, -0.000137043477F, 7.68868449e-06F, -0.000140750737F},
    {0.133155987F, -0.0499181487F, -0.0252730437F, 0.00404769648F, 0.00341387303F, 0.00129187037F,
     0.000417711068F, 0.000130013257F, 3.98901357e-05F, 1.21682888e-05F, 3.70705197e-06F,
     1.13369128e-06F, 3.45217103e-07F, 1.05225247e-07F, 3.2144424e-08F, 9.7825037e-09F},
    {0, -0.0309534296F, 0.016416233F, 0.000405303785F, 0.000215311695F, -0.0012971625F,
     0.000842725742F, -0.00069155934F, -0.00118631183F, 5.0067636e-05F, 0.00106841349F,
     -0.000690721383F, 0.000750071835F, 0.00103459379F, -5.87768736e-05F, 0.00106447493F},
    {-0.0504396968F, 0.0286576673F, -0.00365278986F, -0.00189855951F, 4.43133904e-05F,
     8.19512425e-05F, 4.05203318e-05F, 1.1170272e-05F, 3.33203684e-06F, 1.15412593e-06F,
     3.93890815e-07F, 9.96738976e-08F, 3.45310589e-08F, 1.09395231e-08F, 2.97058178e-09F,
     1.04667486e-09F},
};

static Value *tanhBySegments(IRBuilderBase &b, Value *x) {
  return evaluate(b, {"tanh", 0.59375, 9.2, tanhCoefficients}, x);
}

emit::math::Function::Code segmentedFunction(StringRef name) {
  return StringSwitch<emit::math::Function::Code>(name)
      .Case("erf", erfBySegments)
      .Case("tanh", tanhBySegments)
      .Default(nullptr);
}

} // namespace weft::cpu
