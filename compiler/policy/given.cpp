#include "compiler/policy/given.h"

#include <algorithm>

#include "compiler/model/gpu_catalog.h"
#include "compiler/model/gpu_resource.h"
#include "compiler/model/mig_profile.h"
#include "compiler/policy/cel_text.h"

namespace gpulint::policy {
namespace {

using Kind = GpuResource::Kind;

/// Names of the tables that stand for themselves and are of one of the kinds.
[[nodiscard]] std::vector<std::string> names_of_kinds(std::initializer_list<Kind> kinds) {
  std::vector<std::string> names;
  for (const KnownResource& resource : known_resources()) {
    const Kind kind = classify_resource(resource.name).kind;
    if (resource.name.find('<') != std::string_view::npos) continue;
    if (std::ranges::find(kinds, kind) != kinds.end()) names.emplace_back(resource.name);
  }
  return names;
}

/// As resource names have them: `1g.5gb.me`.
[[nodiscard]] std::vector<std::string> mig_profiles() {
  std::set<std::string> names;
  for (const MigGpu& gpu : mig_gpus()) {
    std::vector<std::string_view> profiles(gpu.alternative_profiles.begin(),
                                           gpu.alternative_profiles.end());
    for (const MigGpuProfile& profile : gpu.profiles) profiles.push_back(profile.name);
    for (const std::string_view profile : profiles) {
      const std::string name = label_form(profile);
      if (classify_resource("nvidia.com/mig-" + name).kind == Kind::mig) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace

bool are_short(const Facts& facts) {
  constexpr std::size_t longest = 90'000;
  return cel_of(facts).size() <= longest;
}

Given give(const Facts& facts, FactsFrom from) {
  Given given;
  given.facts_are_parameters = from == FactsFrom::object;
  given.variables.push_back({"facts", given.facts_are_parameters ? "params.spec" : cel_of(facts)});
  given.variables.push_back(
      {"accelerators", cel_list(names_of_kinds({Kind::device, Kind::attribute}))});
  given.variables.push_back({"migProfiles", cel_list(mig_profiles())});
  given.variables.push_back({"measures", cel_list(names_of_kinds({Kind::attribute}))});
  if (facts.knows_gpu_nodes) given.known.insert("nodes");
  if (!facts.mig_strategy.empty()) given.known.insert("mig-strategy");
  if (!facts.runtime_class.empty()) given.known.insert("runtime-class");
  return given;
}

}  // namespace gpulint::policy
