#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/engine/reporter.h"
#include "compiler/flyte/analysis.h"
#include "compiler/model/flyte_key_catalog.h"

namespace gpulint::rules {
namespace {

/// Keys that mean nothing but Flyte's `plugins.k8s`.
[[nodiscard]] bool is_gpu_key(std::string_view written) {
  const std::string key = to_lower(written);
  const bool speaks_of_gpus = key.starts_with("gpu-") || key.starts_with("interruptible-") ||
                              key.starts_with("accelerator-device") ||
                              key.find("tolerations") != std::string::npos;
  return speaks_of_gpus && find_flyte_plugin_key(key) != nullptr;
}

struct Reader {
  std::string_view name;
  std::string_view path;  ///< `*` stands for one key.
};
[[nodiscard]] Reader reader_of(flyte::DocumentKind kind) {
  switch (kind) {
    case flyte::DocumentKind::core_values:
      return {"flyte-core", "configmap.*.plugins.k8s"};
    case flyte::DocumentKind::binary_values:
      return {"flyte-binary", "configuration.inline.plugins.k8s"};
    case flyte::DocumentKind::config:
      return {"Flyte", "plugins.k8s"};
    case flyte::DocumentKind::none:
      break;
  }
  return {};
}

/// Keys from `root` down to `node`, dotted; list items add nothing.
[[nodiscard]] std::vector<std::string_view> keys_between(Node root, Node node) {
  std::vector<std::string_view> keys;
  for (Node at = node; at && at != root; at = at.parent()) {
    if (at.key()) keys.push_back(at.key().text());
  }
  std::ranges::reverse(keys);
  return keys;
}

[[nodiscard]] bool begins_with(const std::vector<std::string_view>& keys, std::string_view path,
                               std::size_t& length) {
  length = 0;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('.'), path.size());
    const std::string_view part = path.substr(0, end);
    if (length == keys.size() || (part != "*" && !equal_fold(part, keys[length]))) return false;
    ++length;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return true;
}

void check_document(Reporter& reporter, Node root, flyte::DocumentKind kind) {
  const Reader reader = reader_of(kind);
  Node reported;
  walk(root, [&](Node value) {
    const Node key = value.key();
    if (!key || key.is_opaque() || !is_gpu_key(key.text()) || value.parent() == reported) return;
    const std::vector<std::string_view> keys = keys_between(root, value.parent());
    std::size_t length = 0;
    const bool is_below = begins_with(keys, reader.path, length);
    if (is_below && (keys.size() == length || keys[length].starts_with("default-"))) return;
    reported = value.parent();
    if (is_below) {
      reporter
          .report(key, "`{}` stands inside `{}`, where Flyte ignores it", key.text(), keys.back())
          .help("it belongs beside `{}`, directly under `plugins.k8s`", keys[length]);
      return;
    }
    std::string path(reader.path);
    if (const std::size_t star = path.find('*'); star != std::string::npos) {
      path.replace(star, 1, "k8s");
    }
    reporter
        .report(key, "`{}` stands under `{}`, where {} does not look", key.text(),
                keys.empty() ? "the root" : fmt::format("{}", fmt::join(keys, ".")), reader.name)
        .help("{} reads it under `{}`", reader.name, path);
  });
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    if (!document->errors.empty()) continue;
    flyte::FlyteDocument known = flyte::recognize(*document);
    if (known.kind == flyte::DocumentKind::none && root(*document).at("plugins", "k8s")) {
      known = {flyte::DocumentKind::config, root(*document)};
    }
    const FlyteChart chart = corpus.settings->flyte_chart;
    if (known.kind == flyte::DocumentKind::config && document->host == nullptr) {
      if (chart == FlyteChart::core) known.kind = flyte::DocumentKind::core_values;
      if (chart == FlyteChart::binary) known.kind = flyte::DocumentKind::binary_values;
    }
    if (known.kind != flyte::DocumentKind::none) check_document(reporter, known.root, known.kind);
  }
}

}  // namespace

extern constinit const Rule misplaced_flyte_key;
constinit const Rule misplaced_flyte_key{
    .info = {.id = "misplaced-flyte-key",
             .category = "flyte",
             .summary = "A known Flyte GPU key stands where this chart does not read it.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules
