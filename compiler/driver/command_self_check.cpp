#include <ostream>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "backends/self_check_output.h"
#include "compiler/driver/build_info.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/driver/version.h"
#include "compiler/driver/version_text.h"
#include "compiler/engine/registry.h"
#include "compiler/pipeline.h"

namespace gpulint {
namespace {

/// `ON` of a CMake option.
[[nodiscard]] bool is_on(std::string_view option) { return option == "ON" || option == "TRUE"; }

[[nodiscard]] std::string build_text() {
  return fmt::format("{}, for {}, {}{}{}", compiler, target,
                     *build_type == '\0' ? "no build type" : build_type,
                     is_on(is_link_time_optimised) ? ", link-time optimised" : "",
                     is_on(has_static_libc) ? ", C library linked statically" : "");
}

[[nodiscard]] std::string reason(const Options& options, const std::string& path) {
  if (options.no_config) return "--no-config";
  if (!options.config.empty()) return "--config";
  const std::string from = options.paths.empty() ? "the current folder" : options.paths.front();
  return path.empty() ? fmt::format("no gpulint.yaml from {} up to the repository's root", from)
                      : fmt::format("the nearest from {} upward", from);
}

[[nodiscard]] SelfCheck look_at_itself(const Options& options) {
  const ConfigCheck config = check_config(options);
  SelfCheck check{.version = version_text(),
                  .build = build_text(),
                  .libraries = {{"yaml-cpp", yaml_cpp_version},
                                {"RE2", ""},
                                {"fmt", fmt_version},
                                {"nlohmann/json", json_version},
                                {"CLI11", cli11_version}},
                  .rules = all_rules().size(),
                  .categories = 0,
                  .formats = formats_of(Command::check),
                  // releases used for the recordings in testdata and the tables of facts
                  .known = {{"Flyte", "1.16 and 2"}, {"Kubernetes", "up to 1.37"}},
                  .configuration = config.path,
                  .why = reason(options, config.path),
                  .errors = config.errors};
  std::set<std::string_view> categories;
  for (const RegisteredRule& rule : all_rules()) categories.insert(rule.rule->info.category);
  check.categories = categories.size();
  return check;
}

}  // namespace

int run_self_check(const Options& options) {
  const SelfCheck check = look_at_itself(options);
  const int written = write_text(options, [&](bool is_json, std::ostream& out) {
    (is_json ? write_self_check_json : write_self_check)(check, out);
  });
  for (const std::string& error : check.errors) print_error(error);
  return written != 0 || !check.errors.empty() ? 2 : 0;
}

}  // namespace gpulint
