#include "rules/device-selector/mig_profiles.h"

#include "compiler/model/gpu_catalog.h"
#include "compiler/model/mig_profile.h"

namespace gpulint::rules::device_selector {
namespace {

/// Whether a GPU has it, or an instance that a part of it is cut of.
[[nodiscard]] bool is_published(std::string_view profile) {
  const auto read = parse_mig_profile(profile);
  return read && is_known_profile(read->instance_name());
}

}  // namespace

bool report_mig_profile(Reporter& reporter, const dra::DeviceSelector& selector) {
  for (const auto& [use, text, begin] : selector.cel->comparisons()) {
    const bool is_profile =
        !use.is_capacity && use.domain == "gpu.nvidia.com" && use.name == "profile";
    if (!is_profile || is_published(text)) continue;
    Finding finding = reporter.report(
        selector.expression, "no GPU has the MIG profile `{}`, which this selector asks for", text);
    const auto meant = suggest_mig_profile(text);
    if (meant && is_published(*meant)) {
      finding.help("did you mean `{}`?", *meant);
    } else {
      finding.help("`gpulint rule unknown-mig-profile` says where the profiles come from");
    }
    return true;
  }
  return false;
}

}  // namespace gpulint::rules::device_selector
