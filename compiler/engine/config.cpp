#include "compiler/engine/config.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <re2/re2.h>

#include "compiler/base/text.h"
#include "compiler/ir/key_path.h"
#include "compiler/model/kinds/task_amounts.h"

namespace gpulint {
namespace {

#include "tables/config_keys.inc"

template <class T>
using Choices = std::initializer_list<std::pair<std::string_view, T>>;

/// The names of a section's keys.
[[nodiscard]] std::vector<std::string_view> config_key_names(std::string_view section) {
  std::vector<std::string_view> names;
  for (const ConfigKey& key : config_key_table) {
    if (key.section == section) names.push_back(key.name);
  }
  return names;
}

/// Collects unknown keys, according to the table of keys.
class UnknownKeys {
 public:
  explicit UnknownKeys(std::vector<ConfigProblem>& problems) : problems_(problems) {}

  /// Collects all keys below `node` that their sections do not have. Values of the wrong kind are
  /// checked by the code that reads them. `type`: as in ConfigKey.
  void find(Node node, std::string_view type) {
    if (type.starts_with("[]")) {
      for (const Node item : node.items()) find(item, type.substr(2));
    } else if (type.starts_with("map:")) {
      for (const auto& [key, value] : node.fields()) find(value, type.substr(4));
    } else if (node.is_mapping()) {
      for (std::string_view rest = type; !rest.empty();) note_section(node, take_part(rest, '/'));
    }
  }

 private:
  void note_section(Node node, std::string_view section) {
    const std::vector<std::string_view> names = config_key_names(section);
    if (names.empty()) return;
    for (const auto& [key, value] : node.entries()) {
      if (key.text() == "<<") continue;
      const ConfigKey* const known = find_config_key(section, key.text());
      if (known == nullptr) {
        note(key, names);
      } else if (known->type == "amounts") {
        const bool brings_pod = node.get("target").text() == "k8s_pod";
        note_amounts(value, brings_pod ? is_pod_amount : is_task_amount);
      } else {
        find(value, known->type);
      }
    }
  }

  void note_amounts(Node amounts, bool (*is_known)(std::string_view)) {
    for (const auto& [key, value] : amounts.fields()) {
      if (is_known(key.text()) || key.is_opaque()) continue;
      const auto meant = meant_task_amount(key.text());
      problems_.push_back({ConfigProblem::Kind::unknown_key, key,
                           fmt::format("unknown key `{}`", key.text()),
                           std::string(meant.value_or("")), task_amount_help(key.text())});
    }
  }

  void note(Node key, std::span<const std::string_view> known) {
    const auto suggestion = nearest(key.text(), known);
    problems_.push_back({ConfigProblem::Kind::unknown_key, key,
                         fmt::format("unknown key `{}`", key.text()),
                         std::string(suggestion.value_or(""))});
  }

  std::vector<ConfigProblem>& problems_;
};

/// Reads a config tree and collects its problems.
class Reader {
 public:
  explicit Reader(std::span<const RuleInfo> rules) : rules_(rules) {}

  [[nodiscard]] ConfigReading read(Node root) && {
    if (root && !root.is_null()) read_root(root);
    return std::move(reading_);
  }

 private:
  void read_root(Node root) {
    Config& config = reading_.config;
    if (!expect_mapping(root)) return;
    UnknownKeys(reading_.problems).find(root, config_root);
    read_scope(root, config.top);
    read_kinds(root.get("kinds"), config.top.settings);
    config.joins = choice(root.get("join"), true, {{"auto", true}, {"none", false}});
    for (const Node scope : sequence(root.get("scopes"))) {
      ScopeConfig& added = config.scopes.emplace_back(config.top);
      added.exclude.clear();  // the top level already excludes them from every folder
      added.name = string(scope.get("name")).value_or("");
      if (!expect_mapping(scope)) continue;
      added.paths = strings(scope.get("paths"));
      read_scope(scope, added);
      for (const Node policy : sequence(scope.get("policies"))) {
        read_policy(policy, config.scopes.size() - 1);
      }
    }
    for (const Node policy : sequence(root.get("policies"))) read_policy(policy, std::nullopt);
    for (const Node entry : sequence(root.get("render"))) read_render(entry);
  }

  void read_render(Node entry) {
    if (!expect_mapping(entry)) return;
    const auto text = [&](const char* key) { return string(entry.get(key)).value_or(""); };
    ConfigRender render{.chart = text("chart"),
                        .values = strings(entry.get("values")),
                        .name_space = text("namespace"),
                        .release = text("release")};
    if (render.chart.empty()) return refuse(entry, "an entry of `render` needs a `chart`");
    reading_.config.renders.push_back(std::move(render));
  }

  void read_scope(Node node, ScopeConfig& scope) {
    Settings& settings = scope.settings;
    if (const Node globs = node.get("nodes")) scope.nodes = strings(globs);
    if (const Node globs = node.get("workloads")) scope.workloads = strings(globs);
    scope.settings.lists_workloads = !scope.workloads.empty();
    if (const Node flyte = node.get("flyte")) read_flyte(flyte, settings);
    if (const Node cluster = node.get("cluster")) read_cluster(cluster, settings);
    settings.provider = choice(node.get("provider"), settings.provider,
                               {{"gke", Provider::gke},
                                {"eks", Provider::eks},
                                {"aks", Provider::aks},
                                {"generic", Provider::generic}});
    if (const Node pools = node.get("nodePools")) {
      static_cast<void>(sequence(pools));
      settings.node_pools = pools;
    }
    if (const Node tasks = node.get("tasks")) settings.tasks = sequence(tasks);
    scope.selection.preview =
        choice(node.get("preview"), scope.selection.preview, {{"true", true}, {"false", false}});
    read_selection(node.get("rules"), scope);
    if (const Node globs = node.get("exclude")) scope.exclude = strings(globs);
    for (const auto& [glob, ignored] : node.get("per-file-ignores").fields()) {
      scope.per_file_ignores.push_back({std::string(glob.text()), rule_names(ignored)});
    }
  }

  void read_kinds(Node kinds, Settings& settings) {
    const std::size_t problems = reading_.problems.size();
    const std::vector<Node> entries = sequence(kinds);
    for (const Node entry : entries) {
      if (expect_mapping(entry)) check_kind(entry);
    }
    if (entries.empty() || reading_.problems.size() > problems) return;
    settings.kinds = std::make_shared<const DeclaredKinds>(entries);
  }

  void check_kind(Node entry) {
    const Node name = entry.get("kind");
    const std::string text = string(name).value_or("");
    const std::size_t slash = text.find('/');
    if (slash == 0 || slash >= text.size() - 1 || text.find('/', slash + 1) != text.npos) {
      refuse(name ? name : entry, "a kind needs `kind: GROUP/KIND`, e.g. example.com/TrainingSet");
    } else if (!facts_of(text, text.substr(slash + 1)).kind.empty()) {
      refuse(name, "gpulint already knows `{}`; remove the entry", text);
    }
    for (const std::string& trait : strings(entry.get("traits"))) {
      const std::initializer_list<std::string_view> traits{"service", "gang", "one-run", "lone"};
      if (std::ranges::find(traits, trait) != traits.end()) continue;
      refuse(entry.get("traits"), "`{}` is not a trait: {}", trait, fmt::join(traits, ", "));
    }
    if (entry.get("count")) check_path(entry.get("count"), entry);
    for (const Node pod : sequence(entry.get("pods"))) {
      if (!expect_mapping(pod)) continue;
      check_path(pod.get("path"), pod);
      for (const std::string& path : strings(pod.get("containers"))) {
        if (!is_field_path(path)) refuse(pod.get("containers"), "`{}` is not a path", path);
      }
    }
    for (const Node reference : sequence(entry.get("references"))) {
      if (!expect_mapping(reference)) continue;
      check_path(reference.get("path"), reference);
      if (strings(reference.get("to")).empty()) refuse(reference, "a reference needs `to`");
    }
  }

  void check_path(Node path, Node owner) {
    const std::string text = string(path).value_or("");
    if (is_field_path(text)) return;
    if (path) return refuse(path, "`{}` is not a path, e.g. spec.workers[].pod", text);
    refuse(owner, "`{}` needs a `path`", key_path(owner));
  }

  void read_flyte(Node flyte, Settings& settings) {
    if (!expect_mapping(flyte)) return;
    settings.flyte_version = choice(flyte.get("version"), settings.flyte_version,
                                    {{"1", FlyteVersion::v1}, {"2", FlyteVersion::v2}});
    settings.flyte_chart =
        choice(flyte.get("chart"), settings.flyte_chart,
               {{"flyte-core", FlyteChart::core}, {"flyte-binary", FlyteChart::binary}});
    if (const Node values = flyte.get("values")) settings.values_layers = strings(values);
  }

  void read_cluster(Node cluster, Settings& settings) {
    if (!expect_mapping(cluster)) return;
    if (const Node plugins = cluster.get("admissionPlugins")) {
      settings.admission_plugins = strings(plugins);
    }
    settings.kubernetes_version =
        string(cluster.get("kubernetes")).value_or(settings.kubernetes_version);
    settings.runtime_class = string(cluster.get("runtimeClass")).value_or(settings.runtime_class);
    settings.mig_strategy =
        choice<std::string>(cluster.get("migStrategy"), settings.mig_strategy,
                            {{"none", "none"}, {"single", "single"}, {"mixed", "mixed"}});
  }

  /// A scope's own `select` replaces that of the top level; `ignore` and `severity` add to it.
  void read_selection(Node rules, ScopeConfig& scope) {
    if (!rules || !expect_mapping(rules)) return;
    Selection& selection = scope.selection;
    if (const Node names = rules.get("select")) selection.select = rule_names(names);
    std::ranges::move(rule_names(rules.get("ignore")), std::back_inserter(selection.ignore));
    scope.settings.looks_beyond_gpus =
        choice(rules.get("all-objects"), scope.settings.looks_beyond_gpus,
               {{"true", true}, {"false", false}});
    for (const auto& [rule, severity] : rules.get("severity").fields()) {
      check_rule_name(rule);
      const auto parsed = parse_severity(severity.text());
      if (!parsed) {
        refuse(severity, "`{}` is not a severity: use error, warning or info", severity.text());
        continue;
      }
      selection.severities.insert_or_assign(std::string(rule.text()), *parsed);
    }
  }

  void read_policy(Node node, std::optional<std::size_t> scope) {
    if (!expect_mapping(node)) return;
    Policy& policy = reading_.config.policies.emplace_back();
    policy.node = node;
    policy.scope = scope;
    policy.id = string(node.get("id")).value_or("");
    policy.message = string(node.get("message")).value_or("");
    if (policy.id.empty()) refuse(node, "a policy needs an `id`");
    check_policy_id(node.get("id"));
    if (!node.get("require") && !node.get("forbid")) {
      refuse(node, "a policy needs `require` or `forbid`");
    }
    policy.info = {.id = policy.id, .category = "policy", .summary = policy.message};
    if (const Node severity = node.get("severity")) {
      if (const auto parsed = parse_severity(severity.text())) {
        policy.info.severity = *parsed;
      } else {
        refuse(severity, "`{}` is not a severity: use error, warning or info", severity.text());
      }
    }
    for (const Node pattern : {node.at("require", "pattern"), node.at("forbid", "pattern"),
                               node.at("match", "kind"), node.at("match", "name")}) {
      check_pattern(pattern);
    }
    for (const auto& label : node.at("match", "labels").fields()) check_pattern(label.value);
  }

  /// A policy is selected, ignored and suppressed by its id, so no rule may have the same one.
  void check_policy_id(Node id) {
    const bool is_taken = std::ranges::any_of(
        rules_, [&](const RuleInfo& rule) { return names_rule(id.text(), rule); });
    if (is_taken) refuse(id, "`{}` is the name of a rule or category", id.text());
    constexpr std::string_view allowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
    if (id.text().find_first_not_of(allowed) != std::string_view::npos) {
      refuse(id, "`{}` is not an id: use only letters, digits and `-_./` only", id.text());
    }
  }

  void check_pattern(Node pattern) {
    if (!pattern) return;
    const RE2 compiled(re2::StringPiece(pattern.text().data(), pattern.text().size()), RE2::Quiet);
    if (!compiled.ok()) refuse(pattern, "bad pattern: {}", compiled.error());
  }

  void check_rule_name(Node name) {
    const bool known = std::ranges::any_of(
        rules_, [&](const RuleInfo& rule) { return names_rule(name.text(), rule); });
    const bool policy = std::ranges::any_of(
        root_policies(name), [&](Node p) { return p.get("id").text() == name.text(); });
    if (known || policy) return;
    std::vector<std::string_view> names;
    for (const RuleInfo& rule : rules_) names.insert(names.end(), {rule.id, rule.category});
    const auto suggestion = nearest(name.text(), names);
    refuse(name, "unknown rule `{}`{}", name.text(),
           suggestion ? fmt::format("; did you mean `{}`?", *suggestion) : "");
  }

  [[nodiscard]] static std::vector<Node> root_policies(Node any) {
    const Node config = root(*any.document());
    std::vector<Node> policies = config.get("policies").items();
    for (const Node scope : config.get("scopes").items()) {
      std::ranges::copy(scope.get("policies").items(), std::back_inserter(policies));
    }
    return policies;
  }

  [[nodiscard]] std::vector<std::string> rule_names(Node list) {
    std::vector<std::string> names = strings(list);
    for (const Node name : list.is_scalar() ? std::vector{list} : list.items()) {
      if (name.is_scalar() && !name.is_null()) check_rule_name(name);
    }
    return names;
  }

  [[nodiscard]] bool expect_mapping(Node node) {
    if (node.is_mapping()) return true;
    refuse(node, "`{}` must be a mapping", key_path(node));
    return false;
  }

  [[nodiscard]] std::vector<Node> sequence(Node node) {
    if (!node || node.is_null()) return {};
    if (!node.is_sequence()) refuse(node, "`{}` must be a list", key_path(node));
    return node.items();
  }

  [[nodiscard]] std::optional<std::string> string(Node node) {
    if (!node || node.is_null()) return std::nullopt;
    if (!node.is_scalar()) {
      refuse(node, "`{}` must be a string", key_path(node));
      return std::nullopt;
    }
    return std::string(node.text());
  }

  /// A list of strings; a single string counts as a list of one.
  [[nodiscard]] std::vector<std::string> strings(Node node) {
    std::vector<std::string> result;
    if (!node || node.is_null()) return result;
    for (const Node item : node.is_scalar() ? std::vector{node} : sequence(node)) {
      if (auto text = string(item)) result.push_back(std::move(*text));
    }
    return result;
  }

  template <class T>
  [[nodiscard]] T choice(Node node, T otherwise, Choices<T> choices) {
    if (!node || node.is_null()) return otherwise;
    for (const auto& [name, value] : choices) {
      if (node.is_scalar() && node.text() == name) return value;
    }
    std::vector<std::string_view> names;
    for (const auto& entry : choices) names.push_back(entry.first);
    refuse(node, "`{0}` must be {2}, not `{1}`", key_path(node), node.text(),
           fmt::join(names, ", "));
    return otherwise;
  }

  template <class... Args>
  void refuse(Node node, fmt::format_string<Args...> message, Args&&... args) {
    reading_.problems.push_back({ConfigProblem::Kind::refused, node,
                                 fmt::format(message, std::forward<Args>(args)...), ""});
  }

  std::span<const RuleInfo> rules_;
  ConfigReading reading_;
};

}  // namespace

std::span<const ConfigKey> config_keys() { return config_key_table; }

const ConfigKey* find_config_key(std::string_view section, std::string_view name) {
  const auto* const found = std::ranges::find_if(config_key_table, [&](const ConfigKey& key) {
    return key.section == section && key.name == name;
  });
  return found == std::end(config_key_table) ? nullptr : found;
}

ConfigReading read_config(Node document_root, std::span<const RuleInfo> rules) {
  return Reader(rules).read(document_root);
}

void find_unknown_task_keys(Node root, std::vector<ConfigProblem>& problems) {
  UnknownKeys(problems).find(root, root.is_mapping() ? config_root : "[]Task");
}

std::string describe(const ConfigProblem& problem, const SourceSet& sources) {
  const SourceFile& file = sources.file(problem.node.span());
  const Position at = file.position(problem.node.span().begin);
  std::string advice = problem.help;
  if (!problem.suggestion.empty()) advice = fmt::format("did you mean `{}`?", problem.suggestion);
  return fmt::format("{}:{}:{}: {}{}{}", file.path(), at.line, at.column, problem.message,
                     advice.empty() ? "" : "; ", advice);
}

std::vector<Diagnostic> report_unknown_keys(const ConfigReading& reading, const RuleInfo& rule) {
  std::vector<Diagnostic> findings;
  for (const ConfigProblem& problem : reading.problems) {
    if (problem.kind != ConfigProblem::Kind::unknown_key) continue;
    Diagnostic& finding = findings.emplace_back();
    finding.rule = &rule;
    finding.severity = rule.severity;
    finding.span = problem.node.span();
    finding.message = problem.message;
    finding.path = key_path(problem.node);
    if (problem.suggestion.empty()) {
      finding.help =
          problem.help.empty() ? "remove the key, because gpulint ignores it" : problem.help;
      continue;
    }
    finding.help = fmt::format("did you mean `{}`?", problem.suggestion);
    finding.fix = Fix{Safety::safe,
                      fmt::format("rename to `{}`", problem.suggestion),
                      {{problem.node.span(), problem.suggestion}}};
  }
  return findings;
}

}  // namespace gpulint
