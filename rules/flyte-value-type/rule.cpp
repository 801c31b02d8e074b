#include "compiler/engine/rule.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/flyte/analysis.h"
#include "compiler/flyte/helm_values.h"
#include "compiler/model/gitops/release_layers.h"
#include "rules/support/flyte_queries.h"
#include "rules/support/kubernetes_words.h"

namespace gpulint::rules::flyte_value_type {
namespace {

/// Reports what prevents Flyte from starting, or Helm from installing the chart.
void report_problems(const flyte::FlyteConfig& config, Reporter& reporter) {
  for (const flyte::ConfigProblem& problem : distinct_problems(config)) {
    const Node mapping = problem.node.parent();
    if (mapping.get("key") && problem.path.find("resource-tolerations") != std::string::npos) {
      reporter
          .report(mapping, "a toleration in `resource-tolerations` must be under a resource name")
          .help(
              "write the tolerations under the resource name, such as `- nvidia.com/gpu:`. "
              "Otherwise Flyte does not start");
      continue;
    }
    if (problem.message.starts_with(flyte::helm_refuses_setting)) {
      reporter.report(problem.node, "{}", problem.message)
          .help("correct the value at `{}`. Otherwise Helm does not install the chart",
                problem.path);
      continue;
    }
    const bool is_of_file = problem.path.empty();
    reporter
        .report(problem.node, "Flyte does not start, because{} {}",
                is_of_file ? "" : " of this value:", problem.message)
        .help("{}", is_of_file ? "write each section as a key, such as `plugins:`, instead of a "
                                 "list item, such as `- plugins:`"
                               : fmt::format("correct the value at `{}`", problem.path));
  }
}

using Text = Field<std::string>;

class Checker {
 public:
  Checker(const Corpus& corpus, Reporter& reporter) : corpus_(corpus), reporter_(reporter) {}

  void check(const flyte::FlyteConfig& config) {
    report_problems(config, reporter_);
    const flyte::K8sPluginConfig& k8s = config.k8s;
    for (const Toleration* toleration : all_tolerations(k8s)) check(*toleration);
    for (const SelectorRequirement* requirement : all_requirements(k8s)) check(*requirement);
    for (const Text* text : all_single_texts(k8s)) check_conversion(*text);
  }

 private:
  void check(const Toleration& toleration) {
    for (const Text& text : {toleration.key, toleration.value}) check_conversion(text);
    check_word(toleration.op, toleration_operators);
    check_word(toleration.effect, taint_effects);
    const Text& value = toleration.value;
    if (!toleration.op.equals("Exists") || !value.is_known() || value.value().empty()) return;
    reporter_
        .report(value.node(),
                "a toleration with operator `Exists` must not have a value, but has `{}`",
                value.value())
        .related(toleration.op.node(), "`Exists` matches any value")
        .help(
            "remove the value, or write `operator: Equal`. Otherwise the API server rejects every "
            "pod with this toleration")
        .fix(Safety::safe, "remove `value`", remove_entry(*corpus_.sources, value.node()));
  }

  void check(const SelectorRequirement& requirement) {
    check_conversion(requirement.key);
    if (const auto form = find_toleration_form(requirement.node)) {
      // unpartitioned-label-mismatch reports those of unpartitioned GPUs.
      const std::string_view key = requirement.node.key().text();
      if (equal_fold(key, "gpu-unpartitioned-node-selector-requirement")) return;
      report_form(*corpus_.sources, reporter_, *form, Safety::safe)
          .help(
              "write `operator: {}` {}. Otherwise the API server rejects every pod with this "
              "requirement",
              form->meant, form->meant == "In" ? "and a list `values`" : "without a value");
      return;
    }
    check_word(requirement.op, selector_operators);
    for (const Text& value : requirement.values) check_conversion(value);
  }

  void check_conversion(const Text& text) {
    if (!is_converted(text)) return;
    if (setting_format(text.node())) {
      help_to_stay_text(
          *corpus_.sources, text.node(),
          reporter_.report(text.node(),
                           "Flyte receives `{}`, because `--set` does not read `{}` as a string",
                           text.value(), text.node().text()));
      return;
    }
    reporter_
        .report(text.node(), "Flyte reads the unquoted `{}` as the string `{}`", text.node().text(),
                text.value())
        .help("quote the value. Otherwise Flyte uses the string `{}`", text.value())
        .fix(Safety::safe, "quote the value", quote(*corpus_.sources, text.node()));
  }

  /// A word that Flyte passes on unchanged and the API server rejects.
  void check_word(const Text& text, const ApiWords& words) {
    if (!text.is_known() || text.value().empty() || !text.node() || words.has(text.value())) return;
    report_word(corpus_, reporter_, text.node(), words)
        .help("use one of `{}`. Otherwise the API server rejects every pod with this value",
              fmt::join(words.known, "`, `"));
  }

  const Corpus& corpus_;
  Reporter& reporter_;
};

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    Checker(corpus, reporter).check(installation.loaded.propeller);
    for (const flyte::RefusedTask& refused : flyte::refused_tasks(installation)) {
      if (!refused.node) continue;  // from the command line; the driver reports it
      reporter
          .report(refused.node, "Flyte rejects task `{}`: {}", refused.task->name, refused.reason)
          .help(
              "correct {}. Otherwise Flyte creates no pod, and gpulint cannot check the placement",
              refused.node.is_scalar() ? fmt::format("`{}`", refused.node.text()) : "the task");
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "flyte", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::flyte_value_type
