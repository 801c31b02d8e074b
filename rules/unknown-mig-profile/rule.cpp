#include "compiler/engine/rule.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/mig_profile.h"
#include "compiler/model/mig/mig_config.h"
#include "rules/support/partitions.h"

namespace gpulint::rules::unknown_mig_profile {
namespace {

constexpr std::string_view help_text =
    "write a profile that NVIDIA's MIG User Guide lists for your GPU";

void offer(const Corpus& corpus, Finding& finding, Node at, std::string_view suggestion) {
  if (suggestion.empty()) {
    finding.help("{}", help_text);
    return;
  }
  finding.help("did you mean `{}`?", suggestion)
      .fix(Safety::unsafe, fmt::format("write `{}`", suggestion),
           replace_string(*corpus.sources, at, suggestion));
}

/// `partition_2g_10gb`, `2g10gb` and other forms that GPUs of other vendors do not use.
[[nodiscard]] bool is_meant_as_profile(const PartitionUse& use) {
  return use.form != PartitionUse::Form::task || suggest_mig_profile(use.text).has_value();
}

void report_use(const Corpus& corpus, Reporter& reporter, const PartitionUse& use) {
  if (use.form == PartitionUse::Form::resource) {
    Finding finding =
        reporter.report(use.place, "`{}` names a MIG profile that no GPU has", use.text);
    return offer(corpus, finding, use.place, classify_resource(use.text).suggestion);
  }
  const bool is_label = use.form == PartitionUse::Form::label;
  Finding finding =
      is_label ? reporter.report(use.place, "`{}: {}` names a MIG profile that no GPU has",
                                 use.label, use.text)
               : reporter.report(use.place,
                                 "{} requires the MIG profile `{}`, but no GPU has this profile",
                                 use.who, use.text);
  const auto meant = suggest_mig_profile(use.text, check_partition(use).gpus);
  if (use.place.text() != use.text) {  // a part of the text
    finding.help("{}", meant ? fmt::format("did you mean `{}`?", *meant) : std::string(help_text));
    return;
  }
  offer(corpus, finding, use.place,
        !meant ? std::string{} : (is_label ? label_form(*meant) : std::string(*meant)));
}

void check_mig_config(const Corpus& corpus, Reporter& reporter, const MigConfigFile& file) {
  using Kind = MigConfigProblem::Kind;
  for (const MigConfigProblem& problem : file.problems) {
    const Node at = problem.node.key() ? problem.node.key() : problem.node;
    if (problem.kind == Kind::unknown_profile) {
      const auto profile = parse_mig_profile(at.text());
      if (profile && is_known_profile(profile->instance_name())) continue;
      Finding finding = reporter.report(
          at, "mig-parted silently ignores `{}`, because no GPU has this MIG profile", at.text());
      offer(corpus, finding, at, problem.detail);
    } else if (problem.kind == Kind::invalid_profile) {
      Finding finding = reporter.report(
          at, "mig-parted rejects the whole file, because `{}` is not a MIG profile", at.text());
      offer(corpus, finding, at, problem.detail);
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::set<std::pair<const Document*, NodeIndex>> reported;
  for (const PartitionUse& use : find_partition_uses(corpus)) {
    if (use.is_of_node || is_unusable_partition_value(use.text) || !is_meant_as_profile(use)) {
      continue;
    }
    if (use.profile && is_known_profile(*use.profile)) continue;
    if (check_partition(use).fit == PartitionFit::whole) continue;  // partition-on-whole-gpu
    if (!reported.emplace(use.place.document(), use.place.index()).second) continue;
    report_use(corpus, reporter, use);
  }
  for (const MigConfigFile& file : corpus.mig_configs) check_mig_config(corpus, reporter, file);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "partition", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::unknown_mig_profile
