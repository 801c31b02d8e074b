#include "compiler/engine/rule.h"

#include <string>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "rules/support/queries.h"

namespace gpulint::rules::spark_gpu_vendor {
namespace {

[[nodiscard]] bool is_spark(const KubernetesObject& object) {
  return object.api_version.value_or("").starts_with("sparkoperator.k8s.io/") &&
         (object.kind.equals("SparkApplication") ||
          object.kind.equals("ScheduledSparkApplication"));
}

/// Whether a key is templated: what it becomes is unknown.
[[nodiscard]] bool has_open_keys(Node conf) {
  for (const Node::Entry& entry : conf.fields()) {
    if (entry.key.is_opaque()) return true;
  }
  return conf.is_opaque();
}

void check_role(const Corpus& corpus, Reporter& reporter, Node conf, std::string_view role) {
  const std::string prefix = fmt::format("spark.{}.resource.gpu.", role);
  const Node amount = written_value(conf, prefix + "amount");
  const std::string vendor = prefix + "vendor";
  if (!amount || conf.get(vendor) || amount.resolved().text() == "0") return;
  reporter.report_key(amount, "`{}` is set, but `{}` is missing", amount.key().text(), vendor)
      .help(
          "set the vendor, for example `nvidia.com` or `amd.com`. Otherwise Spark on Kubernetes "
          "creates no {} pod",
          role)
      .fix(Safety::unsafe, "set the vendor to `nvidia.com`",
           insert_entry(*corpus.sources, conf, vendor, "nvidia.com"));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    if (!is_spark(object)) continue;
    const Node spec = object.node.get("spec");
    const Node conf = (spec.get("template") ? spec.get("template") : spec).get("sparkConf");
    if (!conf.is_mapping() || has_open_keys(conf)) continue;
    for (const std::string_view role : {"driver", "executor"}) {
      check_role(corpus, reporter, conf, role);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::spark_gpu_vendor
