#include "compiler/flyte/type_table.h"

#include <algorithm>
#include <utility>

#include "compiler/base/text.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] std::string_view take_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = std::min(text.find(' ', begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

[[nodiscard]] bool has_version(std::string_view mark, FlyteVersion version) {
  return version == FlyteVersion::unknown || mark == (version == FlyteVersion::v1 ? "1" : "2");
}

void add_field(std::string_view word, FlyteVersion version, GoStruct& structure) {
  const std::size_t equals = word.find('=');
  GoField field;
  field.name = word.substr(0, equals);
  field.type = word.substr(equals + 1);
  field.omit_empty = field.name.ends_with('?');
  field.is_inline = field.name.ends_with('~');
  if (field.omit_empty || field.is_inline) field.name.remove_suffix(1);
  if (const std::size_t at = field.name.find('@'); at != std::string_view::npos) {
    if (!has_version(field.name.substr(at + 1), version)) return;
    field.name = field.name.substr(0, at);
  }
  structure.fields.push_back(field);
}

void read_table(std::string_view text, FlyteVersion version,
                std::unordered_map<std::string_view, GoStruct>& structs) {
  GoStruct* current = nullptr;
  while (!text.empty()) {
    std::string_view line = take_part(text, '\n');
    if (line.empty()) continue;
    if (line.front() != ' ') {
      const std::string_view name = take_word(line);
      current = &structs[name];
      current->name = name;
    }
    for (auto word = take_word(line); !word.empty(); word = take_word(line)) {
      add_field(word, version, *current);
    }
  }
}

}  // namespace

TypeTable::TypeTable(FlyteVersion version) {
  read_table(flyte_types_text(), version, structs_);
  read_table(kubernetes_types_text(), version, structs_);
}

const GoStruct* TypeTable::find(GoType type) const {
  const auto at = structs_.find(type);
  return at == structs_.end() ? nullptr : &at->second;
}

}  // namespace gpulint::flyte
