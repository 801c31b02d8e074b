#include "rules/support/settings.h"

#include <cstdint>
#include <string>

#include "compiler/edit/edits.h"
#include "compiler/model/gitops/release_layers.h"

namespace gpulint::rules {
namespace {

[[nodiscard]] bool ends_part(std::string_view path, std::size_t at) {
  return at == path.size() || path[at] == '.' || path[at] == '[';
}

/// Where `key` is a whole part of a path; npos where it is none, or several.
[[nodiscard]] std::size_t find_part(std::string_view path, std::string_view key) {
  std::size_t found = std::string_view::npos;
  for (std::size_t at = 0; (at = path.find(key, at)) != std::string_view::npos; ++at) {
    if ((at > 0 && path[at - 1] != '.') || !ends_part(path, at + key.size())) continue;
    if (found != std::string_view::npos) return std::string_view::npos;
    found = at;
  }
  return found;
}

}  // namespace

bool is_in_path(Node written, std::string_view key) {
  return written.text() != key && find_part(written.text(), key) != std::string_view::npos;
}

std::vector<Edit> rename_in_path(const SourceSet& sources, Node path, std::string_view key,
                                 std::string_view name) {
  const std::size_t at = find_part(path.text(), key);
  if (at == std::string_view::npos || key.empty()) return {};
  std::string renamed(path.text());
  renamed.replace(at, key.size(), name);
  return replace_string(sources, path, renamed);
}

bool help_to_stay_text(const SourceSet& sources, Node value, Finding finding) {
  const auto format = setting_format(value);
  if (!format) return false;
  switch (*format) {
    case SettingFormat::argo_cd:
      finding.help("`forceString: true` beside it keeps it a string")
          .fix(Safety::safe, "add `forceString: true`",
               insert_entry(sources, value.parent(), "forceString", "true"));
      break;
    case SettingFormat::terraform:
      finding.help("`type = \"string\"` beside it keeps it a string");
      break;
    case SettingFormat::helmfile:
      finding.help("write it in quotes under `values`, where it stays a string");
      break;
    case SettingFormat::k3s:
      finding.help("write it in quotes in `valuesContent`, where it stays a string");
      break;
  }
  return true;
}

}  // namespace gpulint::rules
