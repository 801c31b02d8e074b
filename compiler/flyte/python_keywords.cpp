#include "compiler/flyte/python_keywords.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/text.h"

namespace gpulint::flyte {
namespace {

/// A keyword that the call does not have, and what to write; empty if it belongs elsewhere.
struct Mistake {
  std::string_view seen;
  std::string_view known;
};

/// flytekit 1.16, `storage` up to 1.10; flyte 2.12.
constexpr std::array<std::string_view, 5> flytekit_amounts = {"cpu", "mem", "gpu",
                                                              "ephemeral_storage", "storage"};
constexpr std::array<std::string_view, 5> flyte2_amounts = {"cpu", "memory", "gpu", "disk", "shm"};
constexpr std::array<Mistake, 4> flytekit_amount_mistakes = {
    {{"gpus", "gpu"}, {"cpus", "cpu"}, {"memory", "mem"}, {"disk", "ephemeral_storage"}}};
constexpr std::array<Mistake, 5> flyte2_amount_mistakes = {{{"gpus", "gpu"},
                                                            {"cpus", "cpu"},
                                                            {"mem", "memory"},
                                                            {"ephemeral_storage", "disk"},
                                                            {"storage", "disk"}}};
constexpr std::array<Mistake, 7> task_mistakes = {{{"request", "requests"},
                                                   {"limit", "limits"},
                                                   {"resource", "resources"},
                                                   {"accelerators", "accelerator"},
                                                   {"podtemplate", "pod_template"},
                                                   {"gpu", ""},
                                                   {"gpus", ""}}};
constexpr std::array<Mistake, 6> environment_mistakes = {{{"resource", "resources"},
                                                          {"requests", "resources"},
                                                          {"limits", ""},
                                                          {"accelerator", ""},
                                                          {"gpu", ""},
                                                          {"gpus", ""}}};
/// The environment has them, or `override`.
constexpr std::array<Mistake, 4> decorator_mistakes = {
    {{"resources", ""}, {"requests", ""}, {"limits", ""}, {"accelerator", ""}}};

void note_keyword(const python::Word& keyword, std::string_view known, std::string_view of,
                  PythonSdk sdk, std::vector<SdkRemark>& remarks) {
  SdkRemark& remark = remarks.emplace_back();
  remark.kind = SdkRemark::Kind::unknown_keyword;
  remark.span = keyword.span;
  remark.seen = keyword.text;
  remark.known = known;
  remark.device = of;
  remark.is_flyte2 = sdk == PythonSdk::flyte2;
  if (!known.empty()) remark.edit = Edit{keyword.span, std::string(known)};
}

[[nodiscard]] const Mistake* find_mistake(std::span<const Mistake> mistakes,
                                          std::string_view keyword) {
  const auto found = std::ranges::find(mistakes, keyword, &Mistake::seen);
  return found == mistakes.end() ? nullptr : &*found;
}

/// `with_overrides` and `override` have the requests of a task and of an environment.
[[nodiscard]] const Mistake* find_override_mistake(std::string_view keyword, PythonSdk sdk) {
  return sdk == PythonSdk::flyte2 ? find_mistake(environment_mistakes, keyword)
                                  : find_mistake(task_mistakes, keyword);
}

}  // namespace

void note_resources_keywords(const python::Expression& call, PythonSdk sdk,
                             std::vector<SdkRemark>& remarks) {
  const bool is_flyte2 = sdk == PythonSdk::flyte2;
  const std::span<const std::string_view> known = is_flyte2 ? flyte2_amounts : flytekit_amounts;
  const std::span<const Mistake> mistakes =
      is_flyte2 ? std::span<const Mistake>(flyte2_amount_mistakes)
                : std::span<const Mistake>(flytekit_amount_mistakes);
  for (const python::Expression& part : call.parts | std::views::drop(1)) {
    const python::Word& keyword = part.keyword;
    if (keyword.text.empty() || keyword.text.front() == '*') continue;
    if (is_listed(known, keyword.text)) continue;
    const Mistake* mistake = find_mistake(mistakes, keyword.text);
    const auto meant = nearest(keyword.text, known);
    note_keyword(keyword, mistake != nullptr ? mistake->known : meant.value_or(""), "Resources",
                 sdk, remarks);
  }
}

void note_task_keywords(const python::Expression& call, PythonSdk sdk, bool is_environment,
                        std::vector<SdkRemark>& remarks) {
  const bool is_flyte2 = sdk == PythonSdk::flyte2;
  const std::span<const Mistake> mistakes = !is_flyte2 ? std::span<const Mistake>(task_mistakes)
                                            : is_environment
                                                ? std::span<const Mistake>(environment_mistakes)
                                                : std::span<const Mistake>(decorator_mistakes);
  const std::string_view environment = is_flyte2 ? "TaskEnvironment" : "ActorEnvironment";
  const std::string_view of = is_environment ? environment : "task";
  for (const python::Expression& part : call.parts | std::views::drop(1)) {
    const Mistake* mistake = find_mistake(mistakes, part.keyword.text);
    if (mistake != nullptr) note_keyword(part.keyword, mistake->known, of, sdk, remarks);
  }
}

void note_override_keywords(const python::Expression& call, PythonSdk sdk,
                            std::vector<SdkRemark>& remarks) {
  for (const python::Expression& part : call.parts | std::views::drop(1)) {
    const Mistake* mistake = find_override_mistake(part.keyword.text, sdk);
    if (mistake == nullptr) continue;
    note_keyword(part.keyword, mistake->known, call.parts[0].text, sdk, remarks);
  }
}

bool is_override_mistake(std::string_view keyword, PythonSdk sdk) {
  return find_override_mistake(keyword, sdk) != nullptr;
}

}  // namespace gpulint::flyte
