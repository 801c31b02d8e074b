#pragma once

#include <vector>

#include "compiler/model/kinds/operator_pods.h"

namespace gpulint {

/// Driver and executor of a SparkApplication or of a ScheduledSparkApplication's template
/// (kubeflow/spark-operator 38082f3318e9, internal/webhook/sparkpod_defaulter.go): their fields,
/// `gpu`, the `nodeSelector` of both, and of `sparkConf` (Spark 4.0, «Running on Kubernetes»)
/// `spark.{driver,executor}.resource.gpu.*` and
/// `spark.kubernetes[.driver|.executor].node.selector.*`. A pod template file may add to them.
[[nodiscard]] std::vector<OperatorPod> read_spark_pods(const KubernetesObject& object);

}  // namespace gpulint
