#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/document.h"
#include "compiler/model/kinds/chart_values.h"
#include "compiler/model/kinds/notebook_keys.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/schema_problems.h"
#include "rules/support/custom_resources.h"

namespace gpulint::rules::unknown_chart_key {
namespace {

/// A misspelt trait: setting it has no effect.
void check_traits(Reporter& reporter, Node overrides) {
  for (const Node::Entry& entry : overrides.fields()) {
    const std::string_view key = entry.key.text();
    const auto is_meant = [&](std::string_view trait) {
      return edit_distance(key, trait, 1) == 1 && !overrides.get(trait);
    };
    const auto meant = std::ranges::find_if(spawner_traits(), is_meant);
    if (meant == spawner_traits().end()) continue;
    reporter.report(entry.key, "`{}` is not a setting of KubeSpawner", key)
        .help("write `{}`. Otherwise KubeSpawner ignores `{}`", *meant, key);
  }
}

[[nodiscard]] bool has_known_key(Node mapping) {
  return std::ranges::any_of(mapping.fields(), [](const Node::Entry& entry) {
    return is_listed(notebook_keys(), entry.key.text());
  });
}

/// `reader` ignores the names; `where` says more about that, or is empty.
void check_names(Reporter& reporter, Node mapping, NotebookName::Place place,
                 std::string_view owner, std::string_view reader, std::string_view where) {
  for (const NotebookName& name : notebook_names()) {
    const Node value = mapping.get(name.written);
    if (name.place != place || !value || value.is_null() ||
        (!value.is_scalar() && value.size() == 0))
      continue;
    reporter.report_key(value, "`{}` is not a setting of {}", name.written, owner)
        .help("use `{}`. Otherwise {} ignores `{}`{}", name.meant, reader, name.written, where);
  }
}

void check_mapping(Reporter& reporter, Node at) {
  const std::string_view key = at.key() ? at.key().text() : std::string_view{};
  if (key == "singleuser" && has_known_key(at)) {
    check_names(reporter, at, NotebookName::Place::singleuser, "`singleuser`", "zero-to-jupyterhub",
                ", or rejects the key if the chart version has a values schema");
  } else if (key == "kubespawner_override") {
    check_names(reporter, at, NotebookName::Place::kubespawner_override, "KubeSpawner",
                "KubeSpawner", "");
    check_traits(reporter, at);
  } else if (at.parent().key() && at.parent().key().text() == "profileList" &&
             at.get("display_name")) {
    check_names(reporter, at, NotebookName::Place::profile, "a profile", "zero-to-jupyterhub", "");
  }
}

/// Fields of pods in `singleuser` and `kubespawner_override` of zero-to-jupyterhub that have
/// another name there.
void check_notebooks(const Document& document, Reporter& reporter) {
  for (const Node values : find_chart_values(document)) {
    walk(values, [&](Node at) {
      if (at.is_mapping()) check_mapping(reporter, at);
    });
  }
}

/// Values or a custom resource of an operator, and what happens to unknown keys: a clause that the
/// key completes.
struct Reading {
  const OperatorKeys* keys;
  const Schema* schema;
  std::string_view effect;
};

/// Pod fields that operators read in few places only.
[[nodiscard]] bool is_of_pod(std::string_view key) {
  constexpr std::string_view fields[] = {"affinity", "nodeSelector", "runtimeClassName",
                                         "tolerations"};
  return is_listed(fields, key);
}

[[nodiscard]] std::string owner_of(const SchemaProblem& problem, const OperatorKeys& keys) {
  if (!problem.path.empty()) return fmt::format("`{}` of {}", problem.path, keys.name);
  return fmt::format("{}{}", keys.is_chart() ? "the values of " : "", keys.name);
}

/// Whether the value suits the known key: a longer one (`nodeSelectorTerms`) probably needs another
/// value.
[[nodiscard]] bool may_be_renamed(Node key, std::string_view meant) {
  const bool is_longer = meant.starts_with(key.text()) && meant.size() > key.text().size() + 1;
  return key.value().resolved().is_scalar() || !is_longer;
}

/// A key that is similar to an absent one, or that the operator reads in another place.
void check_key(const Corpus& corpus, Reporter& reporter, const Reading& reading,
               const SchemaProblem& problem) {
  const std::string_view key = problem.at.text();
  if (reading.keys->may_know(key)) return;
  const std::string_view meant = meant_key(key, *problem.schema);
  if (!meant.empty() && !problem.at.parent().get(meant)) {
    const bool is_fixable = may_be_renamed(problem.at, meant);
    Finding finding =
        reporter.report(problem.at, "unknown key `{}` in {}", key, owner_of(problem, *reading.keys))
            .help("write `{}`{}. Otherwise {} `{}`", meant,
                  is_fixable ? "" : ", which may need a different value", reading.effect, key);
    if (!is_fixable) return;
    finding.fix(Safety::unsafe, fmt::format("rename to `{}`", meant),
                replace_string(*corpus.sources, problem.at, std::string(meant)));
    return;
  }
  const std::vector<std::string> paths = paths_of_key(*reading.schema, key);
  const bool is_empty = problem.at.value().resolved().size() == 0;
  if (!is_of_pod(key) || paths.empty() || is_empty) return;
  reporter.report(problem.at, "unknown key `{}` in {}", key, owner_of(problem, *reading.keys))
      .help("move the key to `{}`, or remove the key. Otherwise {} `{}`",
            fmt::join(paths, "` or `"), reading.effect, key);
}

/// A template that reads keys of a mapping fails on any other type.
void check_type(Reporter& reporter, const Reading& reading, const SchemaProblem& problem) {
  if (problem.schema->type != Schema::Type::section || !reading.keys->is_chart()) return;
  const bool is_scalar = problem.at.is_scalar();
  reporter
      .report(problem.at, "{} must be a mapping, not {}", owner_of(problem, *reading.keys),
              is_scalar ? fmt::format("`{}`", problem.at.text()) : "a list")
      .help("write a mapping. Otherwise the chart's templates fail");
}

void check(const Corpus& corpus, Reporter& reporter, Node value, const Reading& reading) {
  for (const SchemaProblem& problem : find_schema_problems(value, *reading.schema)) {
    if (problem.kind == SchemaProblem::Kind::unknown_key) {
      check_key(corpus, reporter, reading, problem);
    } else if (problem.kind == SchemaProblem::Kind::wrong_type) {
      check_type(reporter, reading, problem);
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    check_notebooks(*document, reporter);
  }
  for (const ChartUse& use : corpus.chart_uses) {
    const Schema schema = parse_schema(use.keys->keys);
    check(corpus, reporter, use.values, {use.keys, &schema, "Helm ignores"});
  }
  for (const CustomResource& resource : find_custom_resources(corpus)) {
    if (resource.definition) continue;  // invalid-custom-resource
    check(corpus, reporter, resource.value,
          {resource.keys, &resource.schema, "kubectl rejects the object, or Kubernetes ignores"});
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::unknown_chart_key
