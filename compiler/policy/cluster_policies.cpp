#include "compiler/policy/cluster_policies.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "compiler/model/mig/mig_config.h"
#include "compiler/policy/user_policy.h"
#include "compiler/policy/write_policies.h"

namespace gpulint::policy {
namespace {

/// The hashes in the annotations of a text, in any style of YAML or JSON.
[[nodiscard]] std::set<std::string> hashes_in(std::string_view text) {
  constexpr std::size_t length = 16;
  std::set<std::string> found;
  for (std::size_t at = text.find(hash_annotation); at != std::string_view::npos;
       at = text.find(hash_annotation, at)) {
    at += hash_annotation.size();
    const std::size_t begin = text.find_first_not_of("\"'\\: ", at);
    if (begin == std::string_view::npos) break;
    const std::string_view hash = text.substr(begin, length);
    if (hash.find_first_not_of("0123456789abcdef") == std::string_view::npos) {
      found.emplace(hash);
    }
  }
  return found;
}

/// False for the answer of an API server, which adds fields and sorts them.
[[nodiscard]] bool is_as_written(std::string_view text, std::string_view now) {
  return text.substr(0, text.find('\n')) == now.substr(0, now.find('\n')) &&
         text.find("resourceVersion") == std::string_view::npos;
}

/// The layouts in MIG Manager's configurations; none if these may define more.
[[nodiscard]] std::set<std::string, std::less<>> find_layouts(const Corpus& corpus) {
  std::set<std::string, std::less<>> names;
  for (const MigConfigFile& file : corpus.mig_configs) {
    if (file.opaque) return {};
    for (const MigNamedConfig& layout : file.configs) names.insert(layout.name);
  }
  return names;
}

/// Writes the rules of a policy on lines that `sed` and `paste` turn into a value of `--select`.
void put_rules(YamlLines& yaml, const AdmissionPolicy& policy) {
  constexpr std::size_t widest = 110;
  std::string line;
  for (const std::string& rule : policy.rules) {
    if (line.size() + rule.size() > widest) yaml.put_comment(std::exchange(line, {}));
    line += line.empty() ? fmt::format("{}: {}", policy.name, rule) : "," + rule;
  }
  yaml.put_comment(line);
}

/// Comments for readers of the file. The first line is always the same.
[[nodiscard]] std::string write_heading(const std::vector<AdmissionPolicy>& policies,
                                        const Facts& facts) {
  YamlLines yaml;
  yaml.put_comment(
      "Written by `gpulint policy`. Do not edit: change the inputs and write the file again.");
  for (const AdmissionPolicy& policy : policies) put_rules(yaml, policy);
  yaml.put_comment(fmt::format("kinds of nodes: {}.", facts.pools.size()));
  return yaml.text();
}

/// The definition is first: `kubectl apply` needs it for the object that follows.
[[nodiscard]] std::string write_all(const ClusterPolicies& policies, std::string_view format) {
  if (format == "map") return write_map(policies.rules, policies.given);
  const std::vector<AdmissionPolicy> composed = compose(policies.rules, policies.given);
  std::string text = write_heading(composed, policies.facts);
  if (format == "gatekeeper") return text + write_gatekeeper(composed);
  if (std::ranges::any_of(composed, &AdmissionPolicy::takes_parameters)) {
    text += write_facts_definition() + "---\n" + write_facts(policies.facts) + "---\n";
  }
  return text + write_vap(composed);
}

}  // namespace

ClusterPolicies policies_for(const Corpus& corpus, std::span<const RegisteredRule> rules,
                             std::span<const Policy* const> own, Selection selection,
                             const PolicyRequest& request) {
  ClusterPolicies result;
  result.facts = find_facts(corpus);
  result.facts.mig_layouts = find_layouts(corpus);
  FactsFrom from = request.facts_from;
  if (from == FactsFrom::automatic) {
    const bool takes_object =
        std::ranges::find(request.formats, "gatekeeper") == request.formats.end();
    result.needs_object = takes_object && !are_short(result.facts);
    from = result.needs_object ? FactsFrom::object : FactsFrom::literals;
  }
  result.given = give(result.facts, from);
  const Choices choices{.selection = std::move(selection),
                        .denies_by_facts = request.denies_by_facts};
  result.rules = admission_rules(rules, choices, result.given, result.left_out);
  for (const Policy* policy : own) {
    if (!choices.selection.enabled(policy->info)) continue;
    if (auto rule = admission_rule_of(*policy)) {
      result.rules.push_back(std::move(*rule));
    } else {
      result.left_out.push_back({policy->id, "a kind of object that policies check"});
    }
  }
  for (const std::string& format : request.formats) {
    result.texts.push_back(write_all(result, format));
  }
  return result;
}

PolicyDrift find_drift(std::string_view path, std::string_view before, std::string_view now) {
  PolicyDrift drift;
  drift.is_as_written = before == now || is_as_written(before, now);
  if (drift.is_as_written) return drift;
  const std::set<std::string> there = hashes_in(before);
  const std::set<std::string> due = hashes_in(now);
  for (const std::string& hash : there) {
    if (!due.contains(hash)) drift.hashes.push_back(fmt::format("{} has the hash {}", path, hash));
  }
  for (const std::string& hash : due) {
    if (!there.contains(hash))
      drift.hashes.push_back(fmt::format("{} lacks the hash {}", path, hash));
  }
  return drift;
}

}  // namespace gpulint::policy
