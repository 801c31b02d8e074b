#include <algorithm>
#include <array>
#include <cstddef>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/unified_diff.h"
#include "compiler/driver/accounts.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/model/mig/mig_config.h"
#include "compiler/pipeline.h"
#include "compiler/policy/compose.h"
#include "compiler/policy/inputs.h"
#include "compiler/policy/user_policy.h"
#include "compiler/policy/write_policies.h"
#include "compiler/project/project.h"
#include "compiler/project/write_file.h"

namespace gpulint {
namespace {

/// What differs between policies that were written before and those that would be written now.
struct PolicyDrift {
  bool is_none = true;
  std::string diff;                 ///< Of a file as gpulint writes it.
  std::vector<std::string> hashes;  ///< Else what stands in one of both alone, to print.
};

/// The hashes that annotations of a text hold, in whatever style of YAML or JSON.
[[nodiscard]] std::set<std::string> hashes_in(std::string_view text) {
  constexpr std::size_t length = 16;
  std::set<std::string> found;
  for (std::size_t at = text.find(policy::hash_annotation); at != std::string_view::npos;
       at = text.find(policy::hash_annotation, at)) {
    at += policy::hash_annotation.size();
    const std::size_t begin = text.find_first_not_of("\"'\\: ", at);
    if (begin == std::string_view::npos) break;
    const std::string_view hash = text.substr(begin, length);
    if (hash.find_first_not_of("0123456789abcdef") == std::string_view::npos) {
      found.emplace(hash);
    }
  }
  return found;
}

/// Not what an API server gives back, which adds to objects and orders their fields anew.
[[nodiscard]] bool is_as_written(std::string_view text, std::string_view now) {
  return text.substr(0, text.find('\n')) == now.substr(0, now.find('\n')) &&
         text.find("resourceVersion") == std::string_view::npos;
}

/// `before` is a file that gpulint wrote, or what a cluster says of its policies (`kubectl get … -o
/// yaml`), which is compared by the annotation alone.
[[nodiscard]] PolicyDrift find_drift(std::string_view path, std::string_view before,
                                     std::string_view now) {
  PolicyDrift drift;
  if (before == now) return drift;
  if (is_as_written(before, now)) {
    drift.is_none = false;
    drift.diff = unified_diff(path, before, now);
    return drift;
  }
  const std::set<std::string> there = hashes_in(before);
  const std::set<std::string> due = hashes_in(now);
  for (const std::string& hash : there) {
    if (!due.contains(hash)) drift.hashes.push_back(fmt::format("{} holds {}", path, hash));
  }
  for (const std::string& hash : due) {
    if (!there.contains(hash)) drift.hashes.push_back(fmt::format("{} lacks {}", path, hash));
  }
  drift.is_none = drift.hashes.empty();
  return drift;
}

[[nodiscard]] policy::Choices choices_of(const Scope& scope, const Options& options) {
  policy::Choices choices{.selection = scope.config->selection,
                          .denies_by_facts = options.deny_facts};
  if (!options.select.empty()) choices.selection.select = options.select;
  std::ranges::copy(options.ignore, std::back_inserter(choices.selection.ignore));
  return choices;
}

/// The one scope with nodes, else the first; an Error where several clusters are meant.
[[nodiscard]] Result<const Scope*> find_cluster(const Project& project) {
  const Scope* found = nullptr;
  for (const Scope& scope : project.scopes) {
    if (scope.corpus.cluster.pools.empty()) continue;
    if (found != nullptr) {
      return Error{fmt::format(
          "the inputs hold several clusters{}; a policy is for one: name its files",
          found->name.empty() ? "" : fmt::format(" (`{}`, `{}`)", found->name, scope.name))};
    }
    found = &scope;
  }
  if (found == nullptr && !project.scopes.empty()) found = &project.scopes.front();
  if (found == nullptr) return Error{"no nodes, node pools or gpulint.yaml among the inputs"};
  return found;
}

/// The layouts that MIG manager's configurations define; none where they may define more.
[[nodiscard]] std::set<std::string, std::less<>> find_layouts(const Corpus& corpus) {
  std::set<std::string, std::less<>> names;
  for (const MigConfigFile& file : corpus.mig_configs) {
    if (file.opaque) return {};
    for (const MigNamedConfig& layout : file.configs) names.insert(layout.name);
  }
  return names;
}

[[nodiscard]] std::string_view want_of(std::string_view need) {
  if (need == "nodes") return "GPU nodes among the inputs";
  if (need == "mig-layouts") return "MIG manager's configuration among the inputs";
  if (need == "runtime-class") return "a runtime class for GPUs (`cluster.runtimeClass`)";
  if (need == "kubernetes-1.34") return "Kubernetes 1.34 (`cluster.kubernetes`)";
  return need;
}

/// What somebody would have to add for more rules.
void print_left_out(const std::vector<policy::LeftOut>& left_out) {
  std::map<std::string, std::vector<std::string>> by_need;
  for (const policy::LeftOut& rule : left_out) by_need[rule.lacks].push_back(rule.id);
  for (const auto& [lacks, rules] : by_need) {
    print_error(fmt::format("skipped, needs {}: {}", want_of(lacks), fmt::join(rules, ", ")));
  }
}

[[nodiscard]] bool is_for_gatekeeper(const Options& options) {
  return std::ranges::any_of(
      options.formats, [](const FormatRequest& request) { return request.name == "gatekeeper"; });
}

[[nodiscard]] policy::FactsFrom settle(const Options& options, const policy::Facts& facts) {
  if (options.facts_from != policy::FactsFrom::automatic) return options.facts_from;
  if (is_for_gatekeeper(options) || policy::are_short(facts)) return policy::FactsFrom::literals;
  print_error(fmt::format(
      "{} kinds of nodes are more than an expression may hold: the policies take them from a "
      "custom resource (`--facts crd`)",
      facts.pools.size()));
  return policy::FactsFrom::object;
}

/// What the file is, for whoever finds it. The first line is the same for all.
[[nodiscard]] std::string write_heading(const std::vector<policy::AdmissionPolicy>& policies,
                                        const policy::Facts& facts) {
  policy::YamlLines yaml;
  yaml.put_comment(
      "Written by `gpulint policy`: change the inputs and write it anew, rather than edit it.");
  std::string told;
  for (const policy::AdmissionPolicy& one : policies) {
    told += fmt::format("{}: {} rules; ", one.name, one.rules.size());
  }
  yaml.put_comment(fmt::format("{}kinds of nodes: {}.", told, facts.pools.size()));
  return yaml.text();
}

/// The definition first, so that `kubectl apply` knows the kind of what follows.
[[nodiscard]] std::string write_all(const std::string& format,
                                    const std::vector<policy::ToldRule>& rules,
                                    const policy::Given& given, const policy::Facts& facts) {
  if (format == "map") return policy::write_map(rules, given);
  const std::vector<policy::AdmissionPolicy> policies = policy::compose(rules, given);
  std::string text = write_heading(policies, facts);
  if (format == "gatekeeper") return text + policy::write_gatekeeper(policies);
  if (std::ranges::any_of(policies, &policy::AdmissionPolicy::takes_parameters)) {
    text += policy::write_facts_definition() + "---\n" + policy::write_facts(facts) + "---\n";
  }
  return text + policy::write_vap(policies);
}

[[nodiscard]] int write(const std::string& file, const std::string& text) {
  if (file.empty()) {
    std::cout << text << std::flush;
    return std::cout ? 0 : refuse(Error{"standard output cannot be written"});
  }
  const auto error = write_file(file, text);
  return error ? refuse(Error{fmt::format("{}: {}", file, error->message)}) : 0;
}

/// `--check`: 0 where the file is what would be written.
[[nodiscard]] int compare(const Project& project, const std::string& text, const Options& options) {
  const Result<DecodedBytes> before = project.files->read(options.checked_policy);
  if (!before.ok()) return refuse(before.error());
  const PolicyDrift drift = find_drift(options.checked_policy, before.value().text, text);
  if (drift.is_none) return 0;
  if (const int status = write({}, drift.diff); status != 0) return status;
  for (const std::string& line : drift.hashes) print_error(line);
  print_error(fmt::format("{}: made of other nodes, configuration or rules than these",
                          options.checked_policy));
  return 1;
}

[[nodiscard]] std::vector<FormatRequest> formats_of(const Options& options) {
  if (!options.formats.empty()) return options.formats;
  return {{"vap", options.output}};
}

/// Why the formats cannot be written so.
[[nodiscard]] std::optional<Error> refuse_formats(const Options& options) {
  static constexpr std::array<std::string_view, 3> names{"vap", "gatekeeper", "map"};
  const std::vector<FormatRequest> requests = formats_of(options);
  for (const FormatRequest& request : requests) {
    if (std::ranges::find(names, request.name) == names.end()) {
      return unknown_format(request.name, names);
    }
    if (request.name == "gatekeeper" && options.facts_from == policy::FactsFrom::object) {
      return Error{"Gatekeeper's policies hold their facts as literals: leave `--facts crd` out"};
    }
  }
  if (!options.checked_policy.empty() && requests.size() > 1) {
    return Error{"--check compares one format"};
  }
  return std::nullopt;
}

/// The rules, and the user's own policies that hold in the scope.
[[nodiscard]] std::vector<policy::ToldRule> tell_all(const Project& project, const Scope& scope,
                                                     const policy::Given& given,
                                                     const Options& options) {
  const policy::Choices choices = choices_of(scope, options);
  std::vector<policy::LeftOut> left_out;
  std::vector<policy::ToldRule> rules = policy::tell_rules(all_rules(), choices, given, left_out);
  const Config& config = project.config.config;
  for (const Policy& own : config.policies) {
    const bool holds = !own.scope || &config.scopes[*own.scope] == scope.config;
    if (!holds || !choices.selection.enabled(own.info)) continue;
    if (auto told = policy::tell_user_policy(own)) {
      rules.push_back(std::move(*told));
    } else {
      left_out.push_back({own.id, "a kind that policies are not asked about"});
    }
  }
  if (!options.quiet) print_left_out(left_out);
  return rules;
}

}  // namespace

int run_policy(const Options& options) {
  if (const auto error = refuse_formats(options)) return refuse(*error);
  const auto project = load_project(options);
  print_account(*project, options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  for (const std::string& error : project->errors) print_error(error);
  const Result<const Scope*> scope = find_cluster(*project);
  if (!scope.ok()) return refuse(scope.error());
  policy::Facts facts = policy::find_facts(scope.value()->corpus);
  facts.mig_layouts = find_layouts(scope.value()->corpus);
  const policy::Given given = policy::give(facts, settle(options, facts));
  const std::vector<policy::ToldRule> rules = tell_all(*project, *scope.value(), given, options);
  if (rules.empty()) return refuse(Error{"no rule that is selected has a policy"});
  int status = project->errors.empty() ? 0 : 2;
  for (const FormatRequest& request : formats_of(options)) {
    const std::string text = write_all(request.name, rules, given, facts);
    if (text.empty()) return refuse(Error{"no rule that is selected mends objects"});
    status = std::max(status, options.checked_policy.empty() ? write(request.file, text)
                                                             : compare(*project, text, options));
  }
  return status;
}

}  // namespace gpulint
