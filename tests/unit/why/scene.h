#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/flyte/analysis.h"
#include "compiler/model/scope/build_scope_model.h"
#include "compiler/schedule/placement.h"
#include "compiler/why/subject.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint::test {

/// A scope of one text, and the workload that is asked about: the first, or the pod of the task.
struct Scene {
  explicit Scene(std::string text, const std::string& task = "") : parsed(std::move(text)) {
    if (!task.empty()) settings.task_specs = {task};
    std::vector<const Document*> documents;
    for (std::size_t i = 0; i < parsed.size(); ++i) documents.push_back(&parsed.document(i));
    corpus = build_scope_model(parsed.sources(), settings, documents);
    analysis = task.empty() ? flyte::Analysis{} : flyte::analyze(corpus, 1);
    std::vector<const Workload*> workloads;
    if (task.empty()) {
      for (const Workload& workload : corpus.workloads) workloads.push_back(&workload);
    } else {
      const flyte::Installation& installation = analysis.installations.front();
      workloads.push_back(&installation.pods.front().workload);
      subject.pod = &installation.pods.front();
      subject.task = &installation.tasks.front();
      subject.release = &installation.loaded;
    }
    placement =
        std::make_unique<Placement>(workloads, corpus.cluster, ExtendedResourceToleration::off);
    subject.name = "it";
    subject.placement = placement.get();
    subject.runtime_classes = &corpus.runtime_classes;
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  [[nodiscard]] const NodePool& pool(std::size_t index = 0) const {
    return corpus.cluster.pools[index];
  }

  Parsed parsed;
  Settings settings;
  ScopeModel corpus;
  flyte::Analysis analysis;
  std::unique_ptr<Placement> placement;
  why::Subject subject;
};

}  // namespace gpulint::test
