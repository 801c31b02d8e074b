#include "compiler/engine/rule.h"

#include "compiler/model/gitops/helm_values_source.h"
#include "compiler/model/gitops/release_layers.h"
#include "compiler/model/kinds/flyte_document.h"
#include "compiler/model/settings.h"

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
    {"webhook", "tolerations", "`webhook.nodeSelector` and `webhook.affinity`"}};

/// Whether the chart is named flyte-core: a fork may read more values.
[[nodiscard]] bool is_named(const Corpus& corpus, const flyte::FlyteDocument& known) {
  const bool is_subchart = known.root.key().text() == "flyte-core";
  HelmValuesSource place;
  if (known.release) place.chart = chart_of_release(known.release);
  return is_subchart || named_chart(place) == "flyte-core" ||
         corpus.settings->flyte_chart == FlyteChart::core;
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    for (const flyte::FlyteDocument& known : flyte::find_flyte(*document)) {
      if (known.kind != flyte::DocumentKind::core_values) continue;
      for (const auto& [component, key, read] : unread_values) {
        const Node value = known.root.at(component, key);
        const bool is_written = !value.is_scalar() && value.size() > 0;
        if (!is_written) continue;
        reporter
            .report_key(value, "no template of the chart flyte-core reads `{}.{}`", component, key)
            .severity(is_named(corpus, known) ? Severity::warning : Severity::info)
            .help("use {}, or patch the Deployment", read);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "flyte", .severity = Severity::warning},
                                 .check = check,
                                 .depends_on = DependsOn::file};

}  // namespace gpulint::rules::unread_chart_value
