#pragma once

// messages: pasted text of schedulers, autoscalers, queues and kubelets → claims about a pod. It
// reads only text: no cluster, no manifests, no verdicts.

#include <string_view>
#include <vector>

#include "compiler/messages/event.h"

namespace gpulint::events {

/// The messages about pods that do not run, in the order of the text: alone, in the output of
/// `kubectl describe` and `kubectl get events`, in Events and pods as YAML or JSON, in logs. Of
/// equal messages about one pod only the first is returned. Takes linear time. Forms:
/// kube-scheduler since 1.5 (pkg/scheduler/framework, FitError), Karpenter since 0.9,
/// cluster-autoscaler since 1.1, Kueue, Volcano, KAI-Scheduler, and the kubelet's admission.
[[nodiscard]] std::vector<Event> parse(std::string_view text);

}  // namespace gpulint::events
