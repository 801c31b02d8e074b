#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "compiler/api_validation/api_problem.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// A Pod itself, or the pod template of a controller.
enum class PodForm : std::uint8_t { pod, pod_template };

/// What the owner of a pod template adds to it.
struct PodContext {
  PodForm form = PodForm::pod_template;
  std::set<std::string, std::less<>> more_volumes;  ///< A StatefulSet's volumeClaimTemplates.
};

/// The API server's checks of a PodSpec that decodes without errors.
void validate_pod_spec(const PodSpec& pod, const std::string& path, const PodContext& context,
                       ApiReport& report);

/// A value from a closed set; absent and opaque values pass.
void validate_enumeration(Node mapping, std::string_view key, const std::string& path,
                          std::span<const std::string_view> allowed, ApiIssue issue,
                          ApiReport& report);

}  // namespace gpulint
