#include "backends/markup.h"

#include "backends/unicode.h"

namespace gpulint {
namespace {

enum class Quotes : bool { kept, escaped };

[[nodiscard]] std::string escape(std::string_view text, Quotes quotes) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = decode_code_point(text);
    switch (c.value) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += quotes == Quotes::escaped ? "&quot;" : "\"";
        break;
      case '\'':
        result += quotes == Quotes::escaped ? "&#39;" : "'";
        break;
      case '\n':
      case '\t':
        result.push_back(text[0]);
        break;
      default:
        result += printable(text, c);
        break;
    }
    text.remove_prefix(c.size);
  }
  return result;
}

}  // namespace

std::string escape_markup(std::string_view text) { return escape(text, Quotes::escaped); }

std::string escape_element(std::string_view text) { return escape(text, Quotes::kept); }

}  // namespace gpulint
