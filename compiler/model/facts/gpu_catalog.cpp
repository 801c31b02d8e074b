#include "compiler/model/facts/gpu_catalog.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "compiler/base/text.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/product_label.h"

namespace gpulint {
namespace {

#include "tables/mig_profiles.inc"

constexpr std::size_t count_profile_names() {
  std::size_t count = 0;
  for (const MigGpu& gpu : mig_gpu_table) {
    count += gpu.profiles.size() + gpu.alternative_profiles.size();
  }
  return count;
}

/// The profiles of all GPUs, sorted, with repetitions.
constexpr auto profile_names = [] {
  std::array<std::string_view, count_profile_names()> names{};
  auto end = names.begin();
  for (const MigGpu& gpu : mig_gpu_table) {
    end = std::ranges::transform(gpu.profiles, end, &MigGpuProfile::name).out;
    end = std::ranges::copy(gpu.alternative_profiles, end).out;
  }
  std::ranges::sort(names);
  return names;
}();

/// Upper-case words between single blanks, with a blank at each end, without makers' names:
/// `NVIDIA-A100-SXM4-40GB` → ` A100 SXM4 40GB `.
[[nodiscard]] std::string product_words(std::string_view product) {
  std::string words = " ";
  for (const char c : product) {
    if (is_alphanumeric(c)) {
      words.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    } else if (words.back() != ' ') {
      words.push_back(' ');
    }
  }
  if (words.back() != ' ') words.push_back(' ');
  for (const std::string_view maker : {" NVIDIA ", " TESLA "}) {
    if (words.starts_with(maker)) words.erase(0, maker.size() - 1);
  }
  return words;
}

[[nodiscard]] bool holds_word(std::string_view words, std::string_view word) {
  return words.find(" " + std::string(word) + " ") != std::string_view::npos;
}

/// `… 40GB …` → 40.
[[nodiscard]] std::optional<int> stated_memory_gb(std::string_view words) {
  for (std::size_t at = 0; (at = words.find("GB ", at)) != std::string_view::npos; ++at) {
    const std::size_t blank = words.rfind(' ', at);
    const char* const begin = words.data() + blank + 1;
    int memory = 0;
    const auto [end, error] = std::from_chars(begin, words.data() + at, memory);
    if (error == std::errc{} && end == words.data() + at) return memory;
  }
  return std::nullopt;
}

[[nodiscard]] std::vector<const MigGpu*> gpus_named(std::string_view words) {
  for (const MigGpu& gpu : mig_gpu_table) {
    for (const std::string_view name : gpu.nvml_names) {
      if (product_words(name) == words) return {&gpu};
    }
  }
  return {};
}

[[nodiscard]] std::vector<const MigGpu*> gpus_of_words(const std::string& words) {
  if (std::vector<const MigGpu*> named = gpus_named(words); !named.empty()) return named;
  std::vector<const MigGpu*> family;
  for (const MigGpu& gpu : mig_gpu_table) {
    const auto is_stated = [&](std::string_view name) { return holds_word(words, name); };
    if (std::ranges::any_of(gpu.families, is_stated)) family.push_back(&gpu);
  }
  const std::optional<int> memory = stated_memory_gb(words);
  if (!memory || family.size() < 2) return family;
  std::erase_if(family, [&](const MigGpu* gpu) { return gpu->memory_gb != *memory; });
  return family;
}

}  // namespace

std::span<const MigGpu> mig_gpus() { return mig_gpu_table; }
std::span<const GkePartition> gke_partitions() { return gke_partition_table; }

const MigGpu* find_mig_gpu(std::string_view name) {
  const auto* found = std::ranges::find(mig_gpu_table, name, &MigGpu::name);
  return found == std::end(mig_gpu_table) ? nullptr : found;
}

const MigGpuProfile* find_profile(const MigGpu& gpu, std::string_view profile) {
  const auto found = std::ranges::find(gpu.profiles, profile, &MigGpuProfile::name);
  return found == gpu.profiles.end() ? nullptr : &*found;
}

bool has_profile(const MigGpu& gpu, std::string_view profile) {
  return find_profile(gpu, profile) != nullptr ||
         std::ranges::find(gpu.alternative_profiles, profile) != gpu.alternative_profiles.end();
}

bool is_known_profile(std::string_view profile) {
  return std::ranges::binary_search(profile_names, profile);
}

std::vector<const MigGpu*> gpus_with_profile(std::string_view profile) {
  std::vector<const MigGpu*> result;
  for (const MigGpu& gpu : mig_gpu_table) {
    if (has_profile(gpu, profile)) result.push_back(&gpu);
  }
  return result;
}

std::vector<const MigGpu*> gpus_with_device_id(std::string_view device_id) {
  std::vector<const MigGpu*> result;
  for (const MigGpu& gpu : mig_gpu_table) {
    const auto is_same = [&](std::string_view id) { return equal_fold(id, device_id); };
    if (std::ranges::any_of(gpu.device_ids, is_same)) result.push_back(&gpu);
  }
  return result;
}

std::vector<const MigGpu*> mig_gpus_of_product(std::string_view product) {
  const std::vector<const DeviceName*> devices = find_device(whole_product(product));
  std::vector<const MigGpu*> result;
  for (const DeviceName* device : devices) {
    for (const MigGpu* gpu : gpus_of_words(product_words(device->product))) {
      if (std::ranges::find(result, gpu) == result.end()) result.push_back(gpu);
    }
  }
  if (!devices.empty()) return result;
  return gpus_of_words(product_words(whole_product(product)));
}

Support mig_support(std::string_view value) {
  const std::vector<const DeviceName*> known = find_device(value);
  if (known.empty()) return mig_gpus_of_product(value).empty() ? Support::unknown : Support::yes;
  const Support first = known.front()->mig;
  const auto is_same = [&](const DeviceName* name) { return name->mig == first; };
  if (!std::ranges::all_of(known, is_same)) return Support::unknown;
  if (first == Support::unknown && !mig_gpus_of_product(value).empty()) return Support::yes;
  return first;
}

}  // namespace gpulint
