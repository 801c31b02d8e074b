#include "backends/markup.h"

#include "backends/unicode.h"

namespace gpulint {
namespace {

enum class Quotes : bool { kept, escaped };
enum class Commands : bool { kept, escaped };

[[nodiscard]] std::string escape(std::string_view text, Quotes quotes, Commands commands) {
  std::string result;
  result.reserve(text.size());
  char32_t last = 0;
  while (!text.empty()) {
    const CodePoint c = decode_code_point(text);
    // `::error::`, `##[error]` and `##vso[…]` are commands to the runner of a pipeline.
    const bool is_doubled = c.value == last && commands == Commands::escaped;
    last = c.value;
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
      case ':':
      case '#':
        result += !is_doubled ? std::string(1, text[0]) : c.value == ':' ? "&#58;" : "&#35;";
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

std::string escape_xml(std::string_view text) {
  return escape(text, Quotes::escaped, Commands::kept);
}

std::string escape_markup(std::string_view text) {
  return escape(text, Quotes::escaped, Commands::escaped);
}

std::string escape_element(std::string_view text) {
  return escape(text, Quotes::kept, Commands::escaped);
}

}  // namespace gpulint
