#include "compiler/ir/json_pointer.h"

namespace gpulint {

std::string escape_pointer_segment(std::string_view key) {
  std::string result;
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace gpulint
