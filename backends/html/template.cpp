#include "backends/html/template.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "backends/html/source_view.h"
#include "backends/markdown.h"
#include "backends/markup.h"
#include "compiler/base/text.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

struct Filter {
  std::string_view name;
  std::string (*apply)(std::string_view text);
};

/// A name that may be broken after each slash.
[[nodiscard]] std::string path_html(std::string_view text) {
  std::string html = escape_markup(text);
  for (std::size_t at = 0; (at = html.find('/', at)) != std::string::npos;) {
    html.insert(++at, "<wbr>");
    at += std::string_view("<wbr>").size();
  }
  return html;
}

constexpr Filter filters[] = {
    {"", escape_markup},
    {"path", path_html},
    {"element", escape_element},
    {"prose", prose_html},
    {"diff", diff_html},
    {"yaml", colored_html},
    {"markdown", markdown_to_html},
    {"raw", [](std::string_view text) { return std::string(text); }},
};

/// Null if there is none.
[[nodiscard]] const Json* value_at(const Json* value, std::string_view path) {
  if (path == ".") return value;
  while (value != nullptr && !path.empty()) {
    const auto found = value->find(std::string(take_part(path, '/')));
    value = found == value->end() ? nullptr : &*found;
  }
  return value;
}

[[nodiscard]] bool holds(const Json* value) {
  if (value == nullptr || value->is_null()) return false;
  if (value->is_boolean()) return value->get<bool>();
  if (value->is_string()) return !value->get_ref<const std::string&>().empty();
  return value->is_number() ? *value != 0 : !value->empty();
}

class TemplateFiller {
 public:
  TemplateFiller(std::string_view text, std::ostream& out) : text_(text), out_(out) {}

  /// Writes the template up to the end of the section, if there is a value. `index`: the value's
  /// index in its list.
  void fill(const Json* value, std::size_t index) {
    while (at_ < text_.size()) {
      const std::size_t open = std::min(text_.find("{{", at_), text_.size());
      if (value != nullptr) out_ << text_.substr(at_, open - at_);
      at_ = open;
      if (open == text_.size()) return;
      const std::size_t close = text_.find("}}", open);
      const std::string_view tag = text_.substr(open + 2, close - open - 2);
      at_ = close + 2;
      const bool is_section = std::string_view("#?^/").find(tag.front()) != std::string_view::npos;
      const bool begins_line = open == 0 || text_[open - 1] == '\n';
      if (is_section && begins_line && text_.substr(at_).starts_with('\n')) ++at_;
      if (tag.front() == '/') return;
      if (is_section) {
        fill_section(tag, value, index);
      } else if (value != nullptr) {
        put(tag, *value, index);
      }
    }
  }

 private:
  void fill_section(std::string_view tag, const Json* value, std::size_t index) {
    const std::size_t begin = at_;
    const Json* const inner = value_at(value, tag.substr(1));
    const bool is_shown = holds(inner) != (tag.front() == '^');
    if (!is_shown || tag.front() != '#') return fill(is_shown ? value : nullptr, index);
    if (!inner->is_array()) return fill(inner, 0);
    for (std::size_t i = 0; i < inner->size(); ++i) {
      at_ = begin;
      fill(&(*inner)[i], i);
    }
  }

  void put(std::string_view tag, const Json& values, std::size_t index) {
    if (tag == ",") {
      if (index > 0) out_ << ',';
      return;
    }
    const Json* const value = value_at(&values, take_part(tag, '|'));
    if (value == nullptr || value->is_null()) return;
    const std::string text =
        value->is_string() ? value->get_ref<const std::string&>() : value->dump();
    out_ << std::ranges::find(filters, tag, &Filter::name)->apply(text);
  }

  std::string_view text_;
  std::ostream& out_;
  std::size_t at_ = 0;
};

}  // namespace

void fill_template(std::string_view text, const Json& values, std::ostream& out) {
  TemplateFiller(text, out).fill(&values, 0);
}

}  // namespace gpulint
