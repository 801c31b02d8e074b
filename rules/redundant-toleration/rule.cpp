#include "compiler/engine/rule.h"

#include <string>
#include <string_view>
#include <vector>

#include "compiler/edit/edits.h"
#include "compiler/flyte/analysis.h"

namespace gpulint::rules::redundant_toleration {
namespace {

[[nodiscard]] bool same(const Field<std::string>& a, const Field<std::string>& b,
                        std::string_view when_absent) {
  if (a.is_opaque() || b.is_opaque()) return false;
  const std::string fallback(when_absent);
  const std::string left = a.value_or(fallback);
  const std::string right = b.value_or(fallback);
  return (left.empty() ? fallback : left) == (right.empty() ? fallback : right);
}

[[nodiscard]] bool same(const Toleration& a, const Toleration& b) {
  const auto seconds = [](const Toleration& t) { return t.toleration_seconds.value_or(-1); };
  return same(a.key, b.key, "") && same(a.op, b.op, "Equal") && same(a.value, b.value, "") &&
         same(a.effect, b.effect, "") && seconds(a) == seconds(b);
}

/// `conditional` is injected only sometimes, `always` into every pod.
void compare(const Corpus& corpus, Reporter& reporter, const std::vector<Toleration>& conditional,
             const std::vector<Toleration>& always) {
  for (const Toleration& toleration : conditional) {
    for (const Toleration& general : always) {
      if (!toleration.node || !general.node || !same(toleration, general)) continue;
      reporter
          .report(toleration.node,
                  "`default-tolerations` already adds this toleration to every pod")
          .related(general.node, "the toleration in `default-tolerations`")
          .help(
              "remove this toleration here. Or remove the toleration from `default-tolerations` if "
              "only some tasks need it")
          .fix(Safety::unsafe, "remove the toleration here",
               remove_entry(*corpus.sources, toleration.node));
      break;
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const flyte::K8sPluginConfig& config = installation.loaded.propeller.k8s;
    for (const flyte::ResourceTolerations& entry : config.resource_tolerations) {
      compare(corpus, reporter, entry.tolerations, config.default_tolerations);
    }
    compare(corpus, reporter, config.interruptible_tolerations, config.default_tolerations);
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "flyte", .severity = Severity::info, .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules::redundant_toleration
