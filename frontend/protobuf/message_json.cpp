#include "frontend/protobuf/message_json.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "frontend/limits.h"
#include "frontend/load.h"
#include "frontend/protobuf/wire_reader.h"

namespace gpulint::protobuf {
namespace {

using flyteidl::Field;
using Fields = std::vector<WireField>;

/// Larger whole numbers are not exact (IEEE 754, binary64).
constexpr double most_exact = 9007199254740992.0;

[[nodiscard]] bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::uint32_t size = utf8_length(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

[[nodiscard]] const WireField* last_of(const Fields& fields, std::uint32_t number, WireType type) {
  const WireField* found = nullptr;
  for (const WireField& field : fields) {
    if (field.number == number && field.type == type) found = &field;
  }
  return found;
}

/// Appends a text as a JSON string.
void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

class Printer {
 public:
  explicit Printer(std::string& out) : out_(out) {}

  void print(std::string_view bytes, const flyteidl::Message& kind) {
    const Fields fields = enter(bytes);
    out_ += '{';
    const char* separator = "";
    for (const Field& field : kind.fields) {
      if (!why_.empty()) break;
      const std::size_t before = out_.size();
      out_ += separator;
      append_json_string(field.name, out_);
      out_ += ": ";
      if (print(fields, field)) {
        separator = ", ";
      } else {
        out_.resize(before);
      }
    }
    leave('}');
  }

  [[nodiscard]] std::string_view why() const { return why_; }

 private:
  /// The fields of the message to print next. Call leave() at its end.
  [[nodiscard]] Fields enter(std::string_view bytes) {
    Fields fields;
    if (++depth_ > limits::message_nesting) why_ = "it is nested too deeply";
    if (out_.size() > limits::packaged_text_bytes) why_ = "it contains too much";
    if (!why_.empty()) return fields;
    WireReader reader(bytes);
    while (const auto field = reader.next()) fields.push_back(*field);
    if (reader.is_broken()) why_ = "it is not protobuf";
    return fields;
  }

  void leave(char bracket) {
    --depth_;
    out_ += bracket;
  }

  void print_text(std::string_view text) {
    if (text.size() > limits::packaged_text_bytes) {
      why_ = "it contains too much";
    } else if (!is_utf8(text)) {
      why_ = "a text in it is not UTF-8";
    }
    append_json_string(why_.empty() ? text : "", out_);
  }

  /// False if the message has no such field.
  [[nodiscard]] bool print(const Fields& fields, const Field& field) {
    switch (field.kind) {
      case Field::Kind::text: {
        const WireField* found = last_of(fields, field.number, WireType::bytes);
        if (found != nullptr) print_text(found->bytes);
        return found != nullptr;
      }
      case Field::Kind::boolean:
      case Field::Kind::word: {
        const WireField* found = last_of(fields, field.number, WireType::varint);
        if (found != nullptr) print_number(found->value, field);
        return found != nullptr;
      }
      case Field::Kind::message:
        return field.is_list ? print_list(fields, field) : print_one(fields, field);
      case Field::Kind::text_map:
        return print_map(fields, field.number, false);
      case Field::Kind::structure: {
        std::string merged;
        if (!gather(fields, field.number, merged)) return false;
        print_structure(merged);
        return true;
      }
    }
    return false;
  }

  void print_number(std::uint64_t number, const Field& field) {
    if (field.kind == Field::Kind::boolean) {
      out_ += number == 0 ? "false" : "true";
    } else if (number < field.words.size()) {
      append_json_string(field.words[static_cast<std::size_t>(number)], out_);
    } else {
      out_ += std::to_string(number);
    }
  }

  /// A message that occurs several times is one message of all parts (protobuf.dev, "Last One
  /// Wins").
  [[nodiscard]] static bool gather(const Fields& fields, std::uint32_t number, std::string& into) {
    bool is_any = false;
    for (const WireField& field : fields) {
      if (field.number != number || field.type != WireType::bytes) continue;
      into += field.bytes;
      is_any = true;
    }
    return is_any;
  }

  [[nodiscard]] bool print_one(const Fields& fields, const Field& field) {
    std::string merged;
    if (!gather(fields, field.number, merged)) return false;
    print(merged, *field.message);
    return true;
  }

  [[nodiscard]] bool print_list(const Fields& fields, const Field& field) {
    bool is_any = false;
    for (const WireField& each : fields) {
      if (each.number != field.number || each.type != WireType::bytes || !why_.empty()) continue;
      out_ += is_any ? ", " : "[";
      is_any = true;
      print(each.bytes, *field.message);
    }
    if (is_any) out_ += ']';
    return is_any;
  }

  /// `map<string, …>` of texts, or of google.protobuf.Value: entries with key 1 and value 2.
  [[nodiscard]] bool print_map(const Fields& fields, std::uint32_t number, bool holds_values) {
    bool is_any = false;
    for (const WireField& each : fields) {
      if (each.number != number || each.type != WireType::bytes || !why_.empty()) continue;
      out_ += is_any ? ", " : "{";
      is_any = true;
      const Fields entry = enter(each.bytes);
      const WireField* key = last_of(entry, 1, WireType::bytes);
      const WireField* value = last_of(entry, 2, WireType::bytes);
      print_text(key == nullptr ? "" : key->bytes);
      out_ += ": ";
      const std::string_view bytes = value == nullptr ? std::string_view() : value->bytes;
      if (holds_values) {
        print_value(bytes);
      } else {
        print_text(bytes);
      }
      --depth_;
    }
    if (is_any) out_ += '}';
    return is_any;
  }

  /// google.protobuf.Struct
  void print_structure(std::string_view bytes) {
    const Fields fields = enter(bytes);
    if (!print_map(fields, 1, true)) out_ += "{}";
    --depth_;
  }

  /// google.protobuf.Value: the last of its kinds counts.
  void print_value(std::string_view bytes) {
    const Fields fields = enter(bytes);
    const WireField none;
    const WireField& value = fields.empty() ? none : fields.back();
    const bool is_bytes = value.type == WireType::bytes;
    if (value.number == 2 && value.type == WireType::fixed64) {
      print_double(std::bit_cast<double>(value.value));
    } else if (value.number == 3 && is_bytes) {
      print_text(value.bytes);
    } else if (value.number == 4 && value.type == WireType::varint) {
      out_ += value.value == 0 ? "false" : "true";
    } else if (value.number == 5 && is_bytes) {
      print_structure(value.bytes);
    } else if (value.number == 6 && is_bytes) {
      print_values(value.bytes);
    } else {
      out_ += "null";
    }
    --depth_;
  }

  /// google.protobuf.ListValue
  void print_values(std::string_view bytes) {
    out_ += '[';
    const char* separator = "";
    for (const WireField& each : enter(bytes)) {
      if (each.number != 1 || each.type != WireType::bytes || !why_.empty()) continue;
      out_ += separator;
      separator = ", ";
      print_value(each.bytes);
    }
    leave(']');
  }

  void print_double(double number) {
    if (!std::isfinite(number)) {
      out_ += "null";
    } else if (number == std::floor(number) && std::fabs(number) < most_exact) {
      fmt::format_to(std::back_inserter(out_), "{}", static_cast<std::int64_t>(number));
    } else {
      fmt::format_to(std::back_inserter(out_), "{}", number);
    }
  }

  std::string& out_;
  std::string_view why_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string_view append_message(std::string_view bytes, const flyteidl::Message& kind,
                                std::string& out) {
  Printer printer(out);
  printer.print(bytes, kind);
  return printer.why();
}

}  // namespace gpulint::protobuf
