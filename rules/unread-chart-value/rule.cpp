#include "compiler/engine/rule.h"

#include "compiler/model/kinds/flyte_document.h"

namespace gpulint::rules::unread_chart_value {
namespace {

/// A value of the chart that has no effect, and the values to use instead.
struct UnreadValue {
  const char* component;
  const char* key;
  const char* read;
};

// templates/propeller/webhook.yaml of the chart flyte-core v1.16.8.
constexpr UnreadValue unread_values[] = {
    {"webhook", "tolerations", "`webhook.nodeSelector` or `webhook.affinity`"}};

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    for (const flyte::FlyteDocument& known : flyte::find_flyte(*document)) {
      if (known.kind != flyte::DocumentKind::core_values) continue;
      for (const auto& [component, key, read] : unread_values) {
        const Node value = known.root.at(component, key);
        const bool is_written = !value.is_scalar() && value.size() > 0;
        if (!is_written) continue;
        reporter
            .report_key(value,
                        "Helm ignores `{}.{}`, because no template of the chart flyte-core reads "
                        "this value",
                        component, key)
            .help(
                "use {} to select nodes without taints. Or patch the tolerations into the {}'s "
                "Deployment",
                read, component);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "flyte", .severity = Severity::warning},
                                 .check = check,
                                 .depends_on = DependsOn::file};

}  // namespace gpulint::rules::unread_chart_value
