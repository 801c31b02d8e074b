#include "rules/invalid-custom-resource/worker_set.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "rules/support/queries.h"

namespace gpulint::rules::invalid_custom_resource {
namespace {

void check_word(const Corpus& corpus, Reporter& reporter, Node owner, std::string_view key,
                const std::vector<std::string_view>& words) {
  const Field<std::string> word = read_string(owner, key);
  if (!word.is_known() || is_listed(words, word.value())) return;
  Finding finding =
      reporter.report(word.node(), "`{}` is none of what `{}` takes", word.value(), key);
  finding.help("the API server refuses the whole object for it; it takes `{}`",
               fmt::join(words, "`, `"));
  const auto meant = nearest(word.value(), words);
  if (!meant) return;
  finding.fix(Safety::unsafe, fmt::format("write `{}`", *meant),
              replace_string(*corpus.sources, word.node(), *meant));
}

/// The leader counts among the pods of a group, unless the policy leaves it out.
void check_subgroups(Reporter& reporter, Node settings) {
  const Node policy = settings.get("subGroupPolicy");
  const Field<std::int64_t> part = read_int(policy, "subGroupSize");
  const Field<std::int64_t> size = read_int(settings, "size");
  if (!part.is_known() || !(size.is_known() || size.is_absent())) return;
  const Field<std::string> type = read_string(policy, "subGroupPolicyType");
  const std::int64_t pods = size.value_or(1);
  const bool is_without_leader = type.equals("LeaderExcluded");
  const auto divides = [&](std::int64_t all) {
    return part.value() > 0 && all % part.value() == 0;
  };
  const bool is_taken = divides(pods - 1) || (!is_without_leader && divides(pods));
  if (is_taken && part.value() <= pods) return;
  Finding finding =
      reporter.report(part.node(), "`subGroupSize: {}` does not divide a group of {} pods{}",
                      part.value(), pods, is_without_leader ? " without its leader" : "");
  if (size.is_known()) finding.related(size.node(), "the pods of a group");
  finding.help("LeaderWorkerSet's webhook refuses it: it must divide `size`{}",
               is_without_leader ? " without the leader" : ", or `size` without the leader");
}

}  // namespace

void check_worker_sets(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_set = object.kind.equals("LeaderWorkerSet") &&
                        object.api_version.equals("leaderworkerset.x-k8s.io/v1");
    if (!is_set || !makes_gpu_pods(corpus, object.node)) continue;
    const Node spec = object.node.get("spec");
    const Node settings = spec.get("leaderWorkerTemplate");
    check_subgroups(reporter, settings);
    check_word(corpus, reporter, spec, "startupPolicy", {"LeaderCreated", "LeaderReady"});
    check_word(corpus, reporter, settings, "restartPolicy",
               {"Default", "RecreateGroupOnPodRestart", "RecreateGroupAfterStart", "None"});
    check_word(corpus, reporter, settings.get("subGroupPolicy"), "subGroupPolicyType",
               {"LeaderWorker", "LeaderExcluded"});
    check_word(corpus, reporter, spec.get("networkConfig"), "subdomainPolicy",
               {"Shared", "UniquePerReplica"});
  }
}

}  // namespace gpulint::rules::invalid_custom_resource
