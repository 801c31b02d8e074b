#include "compiler/model/facts/gpu_resource.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "compiler/base/text.h"
#include "compiler/model/facts/mig_profile.h"

namespace gpulint {
namespace {

#include "tables/resources.inc"

using ResourceKind = GpuResource::Kind;

constexpr std::string_view nvidia = "nvidia.com/";
constexpr std::string_view shared_suffix = ".shared";
constexpr std::string_view mig_prefix = "mig-";

struct SplitName {
  std::string_view domain;  // empty if the name has no slash
  std::string_view name;
};

[[nodiscard]] SplitName split_name(std::string_view resource) {
  const std::size_t slash = resource.find('/');
  if (slash == std::string_view::npos) return {.domain = {}, .name = resource};
  return {.domain = resource.substr(0, slash), .name = resource.substr(slash + 1)};
}

/// Resources of every pod: most names that are looked up.
[[nodiscard]] bool is_native(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource == "ephemeral-storage" ||
         resource == "pods";
}

[[nodiscard]] constexpr bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

[[nodiscard]] constexpr bool is_pattern(const KnownResource& resource) {
  return contains(resource.name, "<");
}

/// `amd.com/cpx_nps4`: a compute and a memory partition mode (resource naming strategy `mixed`).
[[nodiscard]] bool is_amd_partition(std::string_view resource) {
  const auto [domain, name] = split_name(resource);
  const std::size_t mode = name.find("px_nps");
  return domain == "amd.com" && mode == 1 && name.size() == mode + 7;
}

/// `nvidia.com/gpu-10gb`: a slice of memory in nebuly's nos.
[[nodiscard]] bool is_memory_slice(std::string_view resource) {
  constexpr std::string_view prefix = "nvidia.com/gpu-";
  if (!resource.starts_with(prefix) || !resource.ends_with("gb")) return false;
  const std::string_view size = resource.substr(prefix.size(), resource.size() - prefix.size() - 2);
  return !size.empty() && size.find_first_not_of("0123456789") == std::string_view::npos;
}

[[nodiscard]] constexpr ResourceKind kind_of(const KnownResource& known) {
  switch (known.status) {
    case ResourceStatus::removed:
      return ResourceKind::removed;
    case ResourceStatus::does_not_exist:
      return ResourceKind::near_miss;
    case ResourceStatus::legacy_label:
      return ResourceKind::none;
    case ResourceStatus::current:
    case ResourceStatus::legacy:
    case ResourceStatus::deprecated:
    case ResourceStatus::overloaded:
      break;
  }
  constexpr std::string_view measures[] = {"MiB", "GiB", "percent", "priority"};
  constexpr std::string_view companions[] = {"monitoring", "interface"};
  const auto is_said = [&](std::string_view word) { return contains(known.unit, word); };
  if (std::ranges::any_of(measures, is_said)) return ResourceKind::attribute;
  return std::ranges::any_of(companions, is_said) ? ResourceKind::auxiliary : ResourceKind::device;
}

struct ClassifiedResource {
  const KnownResource* known = nullptr;
  ResourceKind kind = ResourceKind::none;
};

/// The rows of the facts by name.
constexpr auto classified_resources = [] {
  std::array<ClassifiedResource, std::size(resource_table)> rows{};
  std::ranges::transform(resource_table, rows.begin(), [](const KnownResource& known) {
    return ClassifiedResource{&known, kind_of(known)};
  });
  std::ranges::sort(rows, {}, [](const ClassifiedResource& row) { return row.known->name; });
  return rows;
}();

/// Null if the facts do not have it.
[[nodiscard]] const ClassifiedResource* find_known(std::string_view resource) {
  const auto by_name = [](const ClassifiedResource& row) { return row.known->name; };
  const auto found = std::ranges::lower_bound(classified_resources, resource, {}, by_name);
  if (found != classified_resources.end() && by_name(*found) == resource &&
      !is_pattern(*found->known)) {
    return &*found;
  }
  const auto find_row = [](std::string_view prefix) {
    return std::ranges::find_if(classified_resources, [&](const ClassifiedResource& row) {
      return is_pattern(*row.known) && row.known->name.starts_with(prefix);
    });
  };
  if (is_amd_partition(resource)) return find_row("amd.com/");
  constexpr std::string_view device_class = "deviceclass.resource.kubernetes.io/";
  if (resource.starts_with(device_class)) return find_row(device_class);
  return nullptr;
}

/// Letters and digits only, in lower case.
[[nodiscard]] std::string letters_of(std::string_view text) {
  std::string letters = to_lower(text);
  std::erase_if(letters,
                [](char c) { return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')); });
  return letters;
}

/// Equal except for letter case and separators, a plural `s`, a doubled or a swapped letter. One
/// more or another letter would match the real `vgpu`, `sgpu`, `gpu0` of other vendors. Both are
/// results of letters_of().
[[nodiscard]] bool is_misspelling(const std::string& a, const std::string& b) {
  if (a == b || (a.size() == b.size() + 1 && a.starts_with(b) && a.back() == 's')) return true;
  if (a.size() == b.size() + 1) {
    for (std::size_t i = 1; i < a.size(); ++i) {
      if (a[i] == a[i - 1] && a.substr(0, i) + a.substr(i + 1) == b) return true;
    }
  }
  return a.size() == b.size() && std::ranges::is_permutation(a, b) && edit_distance(a, b, 1) <= 1;
}

/// The name with its last word written out: `mem` becomes `memory`.
[[nodiscard]] std::string with_whole_word(std::string letters) {
  constexpr std::pair<std::string_view, std::string_view> short_words[] = {
      {"mem", "memory"}, {"num", "number"}, {"core", "cores"}, {"percent", "percentage"}};
  for (const auto& [word, whole] : short_words) {
    if (letters.ends_with(word)) return letters.append(whole.substr(word.size()));
  }
  return letters;
}

[[nodiscard]] bool is_known_domain(std::string_view domain) {
  return std::ranges::any_of(resource_table, [&](const KnownResource& known) {
    return split_name(known.name).domain == domain;
  });
}

/// `nvidia`, `nvidia.io`, `nvdia.com`, `NVIDIA.com` for `nvidia.com`. Short names must match
/// exactly: `arm.com` is not `amd.com`.
[[nodiscard]] bool is_misspelt_domain(std::string_view written, std::string_view meant) {
  if (is_known_domain(written)) return false;
  const std::string folded = to_lower(written);
  const std::string_view label = std::string_view(folded).substr(0, folded.find('.'));
  const std::string_view meant_label = meant.substr(0, meant.find('.'));
  if (label == meant_label) return folded.find('.') == folded.rfind('.');
  constexpr std::size_t long_enough = 6;
  if (meant_label.size() < long_enough) return false;
  const bool same_rest = folded.substr(label.size()) == meant.substr(meant_label.size());
  return same_rest && edit_distance(label, meant_label, 2) <= 2;
}

/// An unknown name, split once for all comparisons.
struct UnknownName {
  explicit UnknownName(std::string_view resource)
      : split(split_name(resource)), letters(letters_of(split.name)) {}

  SplitName split;
  std::string letters;  // of the part after the slash
};

/// `habana.ai/gaudi2`: vendors other than NVIDIA use one name for all generations.
[[nodiscard]] bool is_generation_of(const UnknownName& written, std::string_view domain,
                                    std::string_view meant) {
  if (domain == "nvidia.com" || !written.letters.starts_with(meant)) return false;
  const std::string_view rest = std::string_view(written.letters).substr(meant.size());
  return rest.size() == 1 && rest.front() >= '2' && rest.front() <= '9';
}

/// Whether `written` can only be a misspelling of the known resource.
[[nodiscard]] bool is_slip_of(const UnknownName& written, const KnownResource& known) {
  const auto [meant_domain, meant_name] = split_name(known.name);
  const std::string_view domain = written.split.domain;
  if (domain.empty()) return written.letters == letters_of(known.name);
  if (domain == meant_domain) {
    const std::string meant = letters_of(meant_name);
    return is_misspelling(written.letters, meant) ||
           with_whole_word(written.letters) == with_whole_word(meant) ||
           is_generation_of(written, meant_domain, meant);
  }
  return equal_fold(written.split.name, meant_name) && is_misspelt_domain(domain, meant_domain);
}

/// `gpu`, `nvidia-gpu`: NVIDIA's GPU without its domain.
[[nodiscard]] bool is_bare_gpu(std::string_view resource) {
  if (contains(resource, "/")) return false;
  const std::string letters = letters_of(resource);
  constexpr std::string_view bare[] = {"gpu", "gpus", "nvidiagpu", "nvidiagpus"};
  return std::ranges::find(bare, letters) != std::end(bare);
}

[[nodiscard]] std::string mig_resource(std::string_view profile, bool shared) {
  std::string name = std::string(nvidia) + std::string(mig_prefix) + label_form(profile);
  if (shared) name += shared_suffix;
  return name;
}

/// Names that begin with `mig` in NVIDIA's domain or none.
[[nodiscard]] std::optional<GpuResource> classify_mig(std::string_view resource) {
  auto [domain, name] = split_name(resource);
  const bool shared = name.ends_with(shared_suffix);
  if (shared) name.remove_suffix(shared_suffix.size());
  if (!to_lower(name).starts_with("mig")) return std::nullopt;
  const bool is_exact = domain == "nvidia.com" && name.starts_with(mig_prefix);
  if (!is_exact && !domain.empty() && !equal_fold(domain, "nvidia.com") &&
      !is_misspelt_domain(domain, "nvidia.com")) {
    return std::nullopt;
  }
  GpuResource result{.kind = ResourceKind::unknown_mig, .shared = shared};
  if (is_exact) {
    const auto profile = profile_of_resource_suffix(name.substr(mig_prefix.size()));
    if (profile && is_known_profile(*profile)) {
      result.kind = ResourceKind::mig;
      result.profile = *profile;
      return result;
    }
  }
  const auto meant = suggest_mig_profile(name);
  if (meant) result.suggestion = mig_resource(*meant, shared);
  if (is_exact) return result;
  if (!meant) return std::nullopt;
  result.kind = ResourceKind::near_miss;
  return result;
}

[[nodiscard]] GpuResource near_miss_of(std::string_view meant) {
  return {.kind = ResourceKind::near_miss, .suggestion = std::string(meant)};
}

/// `nvidia.com/mig-3g.40gb` for `nvidia.com/gpu-3g.40gb`; empty for other names.
[[nodiscard]] std::string mig_behind_gpu(std::string_view resource) {
  constexpr auto prefixes = std::to_array<std::string_view>({"gpu-", "gpu.", "gpus-"});
  if (!resource.starts_with(nvidia)) return {};
  const std::string_view name = resource.substr(nvidia.size());
  for (const std::string_view prefix : prefixes) {
    if (!name.starts_with(prefix)) continue;
    const auto profile = profile_of_resource_suffix(name.substr(prefix.size()));
    if (profile && is_known_profile(*profile)) return mig_resource(*profile, false);
  }
  return {};
}

[[nodiscard]] GpuResource classify_unknown(std::string_view resource) {
  if (const std::string mig = mig_behind_gpu(resource); !mig.empty()) return near_miss_of(mig);
  if (is_bare_gpu(resource)) return near_miss_of("nvidia.com/gpu");
  if (contains(resource, "kubernetes.io/")) {
    GpuResource result = near_miss_of("nvidia.com/gpu");
    result.kind =
        contains(to_lower(resource), "nvidia-gpu") ? ResourceKind::removed : ResourceKind::none;
    if (result.kind == ResourceKind::none) result.suggestion.clear();
    return result;
  }
  if (is_memory_slice(resource)) {
    return {.kind = ResourceKind::device};
  }
  const UnknownName written(resource);
  for (const KnownResource& known : resource_table) {
    if (is_pattern(known) || !is_slip_of(written, known)) continue;
    const ResourceKind kind = kind_of(known);
    if (kind == ResourceKind::device || kind == ResourceKind::attribute)
      return near_miss_of(known.name);
  }
  const bool says_gpu = contains(resource, "/") && contains(to_lower(resource), "gpu");
  return {.kind = says_gpu ? ResourceKind::gpu_like : ResourceKind::none};
}

}  // namespace

std::span<const KnownResource> known_resources() { return resource_table; }

std::span<const TpuDevices> tpu_devices() { return tpu_devices_table; }

GpuResource classify_resource(std::string_view name) {
  constexpr std::size_t longest_name = 317;  // DNS subdomain, slash, name: no longer name is valid
  if (name.size() > longest_name || is_native(name)) return {};
  if (const ClassifiedResource* row = find_known(name)) {
    GpuResource result{.kind = row->kind, .known = row->known};
    result.shared = name.ends_with(shared_suffix);
    result.suggestion = row->known->replacement;
    if (row->known->status == ResourceStatus::does_not_exist) result.suggestion = "nvidia.com/gpu";
    return result;
  }
  if (std::optional<GpuResource> mig = classify_mig(name)) return *mig;
  GpuResource result = classify_unknown(name);
  result.shared = name.ends_with(shared_suffix);
  return result;
}

bool is_gpu_resource(std::string_view name) {
  const ResourceKind kind = classify_resource(name).kind;
  return kind != ResourceKind::none && kind != ResourceKind::auxiliary;
}

bool is_nvidia_device(std::string_view name) {
  if (!name.starts_with(nvidia)) return false;
  const ResourceKind kind = classify_resource(name).kind;
  return kind == ResourceKind::device || kind == ResourceKind::mig ||
         kind == ResourceKind::unknown_mig;
}

}  // namespace gpulint
