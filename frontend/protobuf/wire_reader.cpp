#include "frontend/protobuf/wire_reader.h"

#include <cstddef>

namespace gpulint::protobuf {
namespace {

/// Seven bits for each byte: enough for 64 bits.
constexpr int most_varint_bytes = 10;
constexpr std::uint64_t most_number = (1U << 29U) - 1;

}  // namespace

std::optional<WireField> WireReader::next() {
  if (rest_.empty() || is_broken_) return std::nullopt;
  const auto tag = read_varint();
  WireField field;
  is_broken_ = !tag || *tag >> 3U == 0 || *tag >> 3U > most_number;
  if (is_broken_) return std::nullopt;
  field.number = static_cast<std::uint32_t>(*tag >> 3U);
  is_broken_ = !read_value(field, static_cast<unsigned>(*tag & 7U));
  if (is_broken_) return std::nullopt;
  return field;
}

bool WireReader::read_value(WireField& field, unsigned type) {
  switch (type) {
    case 0: {
      const auto value = read_varint();
      field.value = value.value_or(0);
      return value.has_value();
    }
    case 1:
      field.type = WireType::fixed64;
      return read_fixed(8, field.value);
    case 2: {
      const auto size = read_varint();
      if (!size || *size > rest_.size()) return false;
      field.type = WireType::bytes;
      field.bytes = rest_.substr(0, static_cast<std::size_t>(*size));
      rest_.remove_prefix(field.bytes.size());
      return true;
    }
    case 5:
      field.type = WireType::fixed32;
      return read_fixed(4, field.value);
    default:
      return false;
  }
}

std::optional<std::uint64_t> WireReader::read_varint() {
  std::uint64_t value = 0;
  for (int i = 0; i < most_varint_bytes && !rest_.empty(); ++i) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << (7U * static_cast<unsigned>(i));
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

bool WireReader::read_fixed(std::size_t size, std::uint64_t& value) {
  if (rest_.size() < size) return false;
  for (std::size_t i = size; i > 0; --i) {
    value = value << 8U | static_cast<unsigned char>(rest_[i - 1]);
  }
  rest_.remove_prefix(size);
  return true;
}

}  // namespace gpulint::protobuf
