#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpulint::protobuf {

/// The encoding of a field's value (protobuf.dev, "Encoding"). proto3 has no groups.
enum class WireType : std::uint8_t { varint, fixed64, bytes, fixed32 };

struct WireField {
  std::uint32_t number = 0;
  WireType type = WireType::varint;
  std::uint64_t value = 0;  ///< For all types but `bytes`.
  std::string_view bytes;   ///< A string, a message, or packed numbers.
};

/// Reads the fields of one message, in order. Ends, because each step reads at least a byte.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  /// The next field; nullopt after the last, and if no valid field follows (is_broken()).
  [[nodiscard]] std::optional<WireField> next();
  [[nodiscard]] bool is_broken() const { return is_broken_; }

 private:
  [[nodiscard]] std::optional<std::uint64_t> read_varint();
  [[nodiscard]] bool read_value(WireField& field, unsigned type);
  [[nodiscard]] bool read_fixed(std::size_t size, std::uint64_t& value);

  std::string_view rest_;
  bool is_broken_ = false;
};

}  // namespace gpulint::protobuf
