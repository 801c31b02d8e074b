#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/flyte/pod_draft.h"
#include "compiler/flyte/task.h"
#include "compiler/ir/document.h"
#include "compiler/model/workload.h"

namespace gpulint::flyte {

// PodTemplate objects (`v1`) that Flyte merges tasks' pods onto: the one that a task names
// (flytekit's `pod_template_name`), else `plugins.k8s.default-pod-template-name`. After
// flyteorg/flyte, flyteplugins/go/tasks/pluginmachinery/flytek8s: pod_template_store.go
// (LoadOrDefault), pod_helper.go (getBasePodTemplate, MergeBasePodSpecOntoTemplate) and, for Flyte
// 1 only, container_helper.go (ExtractContainerResourcesFromPodTemplate, MergeResourcesIfMissing);
// v1.16.8, and Flyte 2 as of August 2026.

/// A PodTemplate among the documents.
struct BasePodTemplate {
  std::string name;
  std::string name_space;  ///< Empty if the object does not set it.
  Node object;
  PodSpec spec;
  ConfigValue affinity;  ///< All of it; null if absent.
  std::vector<LabelEntry> labels;
};

struct BasePodTemplates : std::vector<BasePodTemplate> {};

/// All of them, including those in Lists; null if there is none.
[[nodiscard]] std::shared_ptr<const BasePodTemplates> find_base_pod_templates(
    std::span<const Document* const> documents);

/// The PodTemplate that a task's pod is merged onto.
struct BaseChoice {
  const BasePodTemplate* found = nullptr;
  std::string wanted;    ///< The name that applies; empty if there is none.
  bool is_open = false;  ///< Its object or content is unknown.
};

/// Flyte looks in the namespace of the task, then in its own. The task's namespace is unknown here,
/// so an object is used only if no other has its name. A default template must also be without a
/// namespace or in `flyte`, because another one may belong to one project. `default_name`:
/// `plugins.k8s.default-pod-template-name`; null if it is not set. `known`: null if there is no
/// object.
[[nodiscard]] BaseChoice choose_base(const BasePodTemplates* known, const ConfigValue* default_name,
                                     const Task& task);
/// The same for a name that a task sets; `known` may be null.
[[nodiscard]] BaseChoice choose_named_base(const BasePodTemplates* known, std::string_view name);

/// Flyte 1 takes amounts that the task does not have from the template, before it applies the
/// platform's defaults and limits: from the container with the task's name, else `primary`, else
/// `default`.
void add_missing_resources(const BasePodTemplate& base, const Task& task, PodDraft& draft);

/// Merges the pod onto the template: the template's tolerations and terms come first; the pod's
/// labels, amounts and names take precedence.
void merge_base(const BasePodTemplate& base, const Task& task, FlyteVersion version,
                PodDraft& draft);

/// Whether the template requests a GPU.
[[nodiscard]] bool asks_for_gpus(const BasePodTemplate& base);

}  // namespace gpulint::flyte
