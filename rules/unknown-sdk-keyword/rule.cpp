#include "compiler/engine/rule.h"

#include <string>
#include <string_view>

namespace gpulint::rules::unknown_sdk_keyword {
namespace {

/// What happens with the keyword.
[[nodiscard]] std::string effect_of(const SdkRemark& remark) {
  if (remark.device == "with_overrides") return "flytekit ignores `" + remark.seen + "`";
  return remark.device == "override" ? "the call raises a TypeError"
                                     : "Python cannot import the module";
}

[[nodiscard]] std::string_view help_for(const SdkRemark& remark) {
  if (!remark.is_flyte2) return "use a keyword such as `requests=Resources(gpu=\"1\")`";
  return remark.device == "task"
             ? "set `resources` in the TaskEnvironment or with `override`, not in `task`"
             : "use a keyword such as `resources=flyte.Resources(gpu=\"A100:1\")`";
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::unknown_keyword) continue;
    Finding finding = reporter.report_span(remark.span, {}, "{} `{}` has no keyword `{}`",
                                           remark.is_flyte2 ? "Flyte 2's" : "flytekit's",
                                           remark.device, remark.seen);
    if (!remark.known.empty()) {
      finding.help("write `{}`. Otherwise {}", remark.known, effect_of(remark));
    } else if (remark.device == "Resources") {
      finding.severity(Severity::info)
          .help("check that your release of the SDK has the keyword `{}`. Otherwise {}",
                remark.seen, effect_of(remark));
    } else {
      finding.help("{}. Otherwise {}", help_for(remark), effect_of(remark));
    }
    if (remark.edit) finding.fix(Safety::unsafe, "write `" + remark.known + "`", {*remark.edit});
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::unknown_sdk_keyword
