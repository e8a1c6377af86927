// The kinds of data that are read by archives (Archives.h): in programs without one a kind has its
// name, and nothing that reads it.
#include "runtime/Archives.h"
#include "runtime/data/OpenData.h"

using namespace weft::runtime;

DataKind weft::runtime::imagesKind() {
  const ImagesArchive *images = imagesArchive();
  return {"images", "PATH", true, images ? images->reader() : DataReader(), "images(image, label)"};
}

DataKind weft::runtime::pairsKind() {
  const TranslationArchive *translation = translationArchive();
  return {"pairs", "FILE.tsv", true, translation ? translation->reader() : DataReader(),
          "pairs(source, valid, target, label, length)"};
}
