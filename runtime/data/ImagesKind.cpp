// The kind `images`, in programs that have it: those whose training takes images link the library
// that reads them (libweft_images.a), and in others the name stays empty.
#include "runtime/data/OpenData.h"

using namespace weft::runtime;

[[gnu::weak]]
Result<std::unique_ptr<DataSource>> openImages(const Model &model, const Training &training,
                                               const std::string &path,
                                               const DataRequest &request) asm("weft_open_images");

static Result<std::unique_ptr<DataSource>> openIfThere(const Model &model, const Training &training,
                                                       const std::string &path,
                                                       const DataRequest &request) {
  if (!openImages)
    return Error{Code::Value, text("images:%s: this program reads no images, because its model has "
                                   "no training with `data = images(image, label)`",
                                   path.c_str())};
  return openImages(model, training, path, request);
}

DataKind weft::runtime::imagesKind() {
  DataKind kind{"images", "PATH", {}, true, openIfThere};
  if (openImages)
    kind.options = {
        {"mean", "M[,M…]",
         "subtracted from values in 0 to 1, for all channels or each (default 0)"},
        {"std", "S[,S…]", "what is left is divided by (default 1)"},
        {"flip", "", "mirror half of the images in training, left to right"},
        {"crop", "N", "move images in training by up to N rows and columns, over a black border"}};
  return kind;
}
