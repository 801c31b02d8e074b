#pragma once

// messages: pasted text of schedulers, autoscalers, queues and kubelets → claims about a pod. It
// knows text alone: no cluster, no manifests, no verdicts.

#include <string_view>
#include <vector>

#include "compiler/messages/event.h"

namespace gpulint::events {

/// The messages about pods that do not run, wherever they stand in a text: alone, in what `kubectl
/// describe` and `kubectl get events` print, in Events and pods as YAML or JSON, in logs. Of equal
/// messages about one pod the first. In the order of the text; linear in it; a text without any
/// gives none. Forms: kube-scheduler since 1.5 (pkg/scheduler/framework, FitError), Karpenter since
/// 0.9, cluster-autoscaler since 1.1, Kueue, Volcano, KAI-Scheduler, and the kubelet's admission.
[[nodiscard]] std::vector<Event> parse(std::string_view text);

}  // namespace gpulint::events
