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

// PodTemplate objects (`v1`) that Flyte builds tasks' pods upon: the one that a task names
// (flytekit's `pod_template_name`), else `plugins.k8s.default-pod-template-name`. After
// flyteorg/flyte, flyteplugins/go/tasks/pluginmachinery/flytek8s: pod_template_store.go
// (LoadOrDefault), pod_helper.go (getBasePodTemplate, MergeBasePodSpecOntoTemplate) and, of
// Flyte 1 alone, container_helper.go (ExtractContainerResourcesFromPodTemplate,
// MergeResourcesIfMissing); v1.16.8, and Flyte 2 as of August 2026.

/// A PodTemplate among the documents.
struct BasePodTemplate {
  std::string name;
  std::string name_space;  ///< Empty where the object does not say.
  Node object;
  PodSpec spec;
  ConfigValue affinity;  ///< The whole of it; null where absent.
  std::vector<LabelEntry> labels;
};

struct BasePodTemplates : std::vector<BasePodTemplate> {};

/// All of them, those in Lists too; null where there is none.
[[nodiscard]] std::shared_ptr<const BasePodTemplates> find_base_pod_templates(
    std::span<const Document* const> documents);

/// What a task's pod is built upon.
struct BaseChoice {
  const BasePodTemplate* found = nullptr;
  std::string wanted;    ///< The name that counts; empty where there is none.
  bool is_open = false;  ///< Nobody knows which object it is, or what is in it.
};

/// Flyte looks in the namespace of the task, then in its own. Which namespace a task runs in is not
/// known here: an object is taken where it is the only one of its name. One that is the default
/// must moreover stand in no namespace or `flyte`, or it may be one project's alone.
/// `default_name`: `plugins.k8s.default-pod-template-name`; null where it is not set, as `known`
/// where there is no object.
[[nodiscard]] BaseChoice choose_base(const BasePodTemplates* known, const ConfigValue* default_name,
                                     const Task& task);
/// The same of a name that a task gives; `known` may be null.
[[nodiscard]] BaseChoice choose_named_base(const BasePodTemplates* known, std::string_view name);

/// Flyte 1 takes amounts that the task does not have from the template before it applies the
/// platform's defaults and limits: of the container that is called as the task's, or else
/// `primary`, or else `default`.
void add_missing_resources(const BasePodTemplate& base, const Task& task, PodDraft& draft);

/// Builds the pod upon the template: its tolerations and terms come first, its labels, amounts and
/// names lose.
void merge_base(const BasePodTemplate& base, const Task& task, FlyteVersion version,
                PodDraft& draft);

/// Whether the task or what it is built upon asks for a GPU.
[[nodiscard]] bool asks_for_gpus(const BasePodTemplate& base);

}  // namespace gpulint::flyte
