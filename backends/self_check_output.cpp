#include "backends/self_check_output.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backends/unicode.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] std::string list_text(const std::vector<SelfCheck::Named>& all) {
  std::string text;
  for (const auto& [name, release] : all) {
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ", name, release.empty() ? "" : " ",
                        release);
  }
  return text;
}

[[nodiscard]] Json named_json(const std::vector<SelfCheck::Named>& all) {
  Json json = Json::object();
  for (const auto& [name, release] : all) {
    json[name] = release.empty() ? Json(nullptr) : Json(release);
  }
  return json;
}

}  // namespace

void write_self_check(const SelfCheck& check, std::ostream& out) {
  out << check.version << "\nbuilt with: " << check.build
      << "\nlibraries: " << list_text(check.libraries) << '\n'
      << fmt::format("rules: {} in {} categories\nformats: {}\nknows: {}\n", check.rules,
                     check.categories, fmt::join(check.formats, ", "), list_text(check.known))
      << fmt::format("configuration: {} ({})\n",
                     check.configuration.empty() ? "none" : printable(check.configuration),
                     printable(check.why));
}

void write_self_check_json(const SelfCheck& check, std::ostream& out) {
  const Json json = {
      {"version", 1},
      {"gpulint", check.version},
      {"build", check.build},
      {"libraries", named_json(check.libraries)},
      {"rules", check.rules},
      {"categories", check.categories},
      {"formats", check.formats},
      {"knows", named_json(check.known)},
      {"configuration",
       {{"file", check.configuration.empty() ? Json(nullptr) : Json(check.configuration)},
        {"why", check.why},
        {"errors", check.errors}}}};
  out << escape_hidden(json.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace gpulint
