#include "compiler/engine/rule.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/api_validation/api_review.h"
#include "compiler/edit/edits.h"
#include "compiler/flyte/analysis.h"
#include "compiler/model/facts/mig_profile.h"
#include "rules/support/flyte_queries.h"
#include "rules/support/partitions.h"

namespace gpulint::rules::invalid_partition_label_value {
namespace {

/// Reports each place once, however it is found.
class Places {
 public:
  Places(const Corpus& corpus, Reporter& reporter) : corpus_(corpus), reporter_(reporter) {}

  /// `what`: "label value"; `refused`: what the API server rejects.
  void check(Node at, std::string_view text, std::string_view what,
             std::string_view refused = "the object") {
    if (!at || at.is_opaque() || !is_unusable_partition_value(text)) return;
    if (!seen_.emplace(at.document(), at.index()).second) return;
    Finding finding = reporter_.report(at, "`{}` is not a valid {}", text, what);
    if (at.text() != text) {
      finding.help("write `.` instead of `+`. Otherwise the API server rejects {}", refused);
      return;
    }
    const std::string meant = label_form(named_profile(text).value_or(""));
    finding
        .help(
            "the API server rejects {}, because a {} can contain only letters, digits, `-`, `_` "
            "and `.`",
            refused, what)
        .fix(Safety::unsafe, fmt::format("write `{}`", meant),
             replace_string(*corpus_.sources, at, meant));
  }
  void check(const Field<std::string>& value, std::string_view what, std::string_view refused) {
    if (value.is_known()) check(value.node(), value.value(), what, refused);
  }

 private:
  const Corpus& corpus_;
  Reporter& reporter_;
  std::set<std::pair<const Document*, NodeIndex>> seen_;
};

/// Values that Flyte writes into its pods.
void check_flyte(const Corpus& corpus, Places& places) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const flyte::K8sPluginConfig& config = installation.loaded.propeller.k8s;
    for (const Toleration* toleration : all_tolerations(config)) {
      places.check(toleration->value, "taint value", "Flyte's pods");
    }
    for (const SelectorRequirement* requirement : all_requirements(config)) {
      for (const auto& value : requirement->values) {
        places.check(value, "label value", "Flyte's pods");
      }
    }
  }
  for (const PartitionUse& use : find_partition_uses(corpus)) {
    if (use.form == PartitionUse::Form::task) {
      places.check(use.place, use.text, "label value", "the task's pod");
    } else if (use.form != PartitionUse::Form::resource) {
      places.check(use.place, use.text, "label value");
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  Places places(corpus, reporter);
  for (const ApiFinding& finding : corpus.api->findings()) {
    const Node at = finding.problem.node;
    switch (finding.problem.issue) {
      case ApiIssue::label_value:
      case ApiIssue::selector_value:
        places.check(at, at.text(), "label value");
        break;
      case ApiIssue::toleration_value:
      case ApiIssue::taint_value:
        places.check(at, at.text(), "taint value");
        break;
      default:
        break;
    }
  }
  check_flyte(corpus, places);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "partition", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::invalid_partition_label_value
