#include "compiler/engine/rule.h"

#include <string>

#include "compiler/edit/edits.h"
#include "compiler/model/facts/deprecation_catalog.h"

namespace gpulint::rules::deprecated_ray_api {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.api_version.is_known() || !object.kind.is_known()) continue;
    const std::string& version = object.api_version.value();
    const Deprecation* fact = find_deprecated_api(version, object.kind.value());
    if (fact == nullptr || !version.starts_with("ray.io/")) continue;
    reporter
        .report(object.api_version.node(), "`{}` {} is deprecated", version, object.kind.value())
        .help(
            "use `{0}`. The API server still accepts the old version, but stores the object as "
            "`{0}`",
            fact->replacement)
        .fix(Safety::safe, fmt::format("write `{}`", fact->replacement),
             replace_string(*corpus.sources, object.api_version.node(), fact->replacement));
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "deprecated",
                                          .severity = Severity::warning,
                                          .fix = FixAvailability::safe,
                                          .proof = FixProof::still_fits},
                                 .check = check};

}  // namespace gpulint::rules::deprecated_ray_api
