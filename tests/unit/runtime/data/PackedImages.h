// Image files in memory, written by the libraries that read them.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <jpeglib.h>
#include <png.h>
#include <string>
#include <vector>
#include <zlib.h>

inline std::string gzipped(const std::string &text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, 0);
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// 16 bits a value, in the seven passes of Adam7, with a gamma of 1.
inline std::string interlacedPng(const std::vector<uint8_t> &values, int width, int height,
                                 int channels) {
  std::string out;
  png_structp writer = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(writer);
  auto append = [](png_structp png, png_bytep bytes, size_t count) {
    static_cast<std::string *>(png_get_io_ptr(png))->append(reinterpret_cast<char *>(bytes), count);
  };
  png_set_write_fn(writer, &out, append, nullptr);
  png_set_IHDR(writer, info, png_uint_32(width), png_uint_32(height), 16,
               channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_ADAM7,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_gAMA(writer, info, 1);
  png_write_info(writer, info);
  std::vector<uint8_t> wide;
  for (uint8_t value : values)
    wide.insert(wide.end(), 2, value); // 257 times the value
  std::vector<png_bytep> rows;
  for (int row = 0; row < height; ++row)
    rows.push_back(wide.data() + ptrdiff_t(row) * width * channels * 2);
  png_write_image(writer, rows.data());
  png_write_end(writer, info);
  png_destroy_write_struct(&writer, &info);
  return out;
}

inline std::string png(const std::vector<uint8_t> &values, int width, int height, int channels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = channels == 1 ? PNG_FORMAT_GRAY : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  std::string out(values.size() * 2 + 4096, 0);
  png_alloc_size_t bytes = out.size();
  png_image_write_to_memory(&image, out.data(), &bytes, 0, values.data(), 0, nullptr);
  out.resize(bytes);
  return out;
}

/// Of 1 (grey), 3 (colours) or 4 channels (CMYK).
inline std::string jpeg(std::vector<uint8_t> values, int width, int height, int channels) {
  jpeg_compress_struct encoder;
  jpeg_error_mgr errors;
  encoder.err = jpeg_std_error(&errors);
  jpeg_create_compress(&encoder);
  unsigned char *memory = nullptr;
  unsigned long bytes = 0;
  jpeg_mem_dest(&encoder, &memory, &bytes);
  encoder.image_width = static_cast<JDIMENSION>(width);
  encoder.image_height = static_cast<JDIMENSION>(height);
  encoder.input_components = channels;
  encoder.in_color_space = channels == 1 ? JCS_GRAYSCALE : channels == 3 ? JCS_RGB : JCS_CMYK;
  jpeg_set_defaults(&encoder);
  jpeg_set_quality(&encoder, 95, TRUE);
  jpeg_start_compress(&encoder, TRUE);
  while (encoder.next_scanline < encoder.image_height) {
    JSAMPROW row = values.data() + encoder.next_scanline * width * channels;
    jpeg_write_scanlines(&encoder, &row, 1);
  }
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
  std::string out(reinterpret_cast<char *>(memory), bytes);
  free(memory);
  return out;
}
