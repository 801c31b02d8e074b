#include "compiler/driver/help_formatter.h"

#include <cstddef>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/unicode.h"
#include "compiler/base/text.h"

namespace gpulint {
namespace {

/// `--help` within 80 columns.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(name_width); }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string name = "  " + make_option_name(option, is_positional);
    if (const std::size_t at = name.find("{any}"); at != name.npos)
      name.replace(at, 5, "[=own|helm]");
    std::string help = option->get_description();
    const std::string value = is_positional ? "" : option->get_type_name();
    const bool is_long =
        value.find('|') != std::string::npos && name.size() + value.size() + 2 > name_width;
    if (!value.empty()) name += is_long ? " WORD" : " " + value;
    if (is_long) help += fmt::format(": {}", fmt::join(split(value, '|'), ", "));
    if (name.size() + 2 <= name_width) {
      name.resize(name_width, ' ');
    } else {
      name += '\n' + std::string(name_width, ' ');
    }
    return name + wrapped(help, name_width, name_width, 80) + '\n';
  }

 private:
  static constexpr std::size_t name_width = 30;
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> make_help_formatter() {
  return std::make_shared<HelpFormatter>();
}

}  // namespace gpulint
