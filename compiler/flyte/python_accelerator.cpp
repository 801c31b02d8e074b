#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/flyte/python_values.h"
#include "compiler/model/facts/accelerator_catalog.h"

namespace gpulint::flyte {
namespace {

using python::Expression;

/// The only NVIDIA devices in Flyte 2's text form.
constexpr int most_devices = 8;

/// A normalised name: `a100-80gb` and `A100_80G` are equal.
[[nodiscard]] std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : to_upper(name)) {
    if (is_alphanumeric(c)) plain += c;
  }
  if (plain.ends_with("GB")) plain.pop_back();
  return plain;
}

/// Devices of both SDKs with different values.
void note_device(const FlyteAccelerator& accelerator, Span span, bool is_flyte2,
                 SdkRemarks& remarks) {
  const auto others = is_flyte2 ? flytekit_accelerators() : flyte2_accelerators();
  const std::string name = plain_name(accelerator.constant);
  const auto has_name = [&](const FlyteAccelerator& each) {
    return plain_name(each.constant) == name;
  };
  const auto is_same = [&](const FlyteAccelerator& each) {
    return has_name(each) && each.device == accelerator.device;
  };
  if (std::ranges::none_of(others, has_name) || std::ranges::any_of(others, is_same)) return;
  remarks.push_back({.kind = SdkRemark::Kind::device,
                     .span = span,
                     .seen = name,
                     .known = std::string(accelerator.device),
                     .is_flyte2 = is_flyte2});
}

/// Names with blanks, old names that the SDK still accepts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> old_names = {
    {{"A100 80G", "A100_80G"}, {"RTX PRO 6000", "RTX_PRO_6000"}}};

[[nodiscard]] std::string_view current_name(std::string_view name) {
  for (const auto& [old_name, current] : old_names) {
    if (name == old_name) return current;
  }
  return name;
}

/// The Flyte 2 device with this name, ignoring case, blanks and signs; null: there is none.
[[nodiscard]] const FlyteAccelerator* like(std::string_view name) {
  const std::string plain = plain_name(name);
  const FlyteAccelerator* found = nullptr;
  for (const FlyteAccelerator& each : flyte2_accelerators()) {
    const bool is_old = current_name(each.constant) != each.constant;
    if (!is_old && plain_name(each.constant) == plain) found = &each;
  }
  return found;
}

void note_unknown_device(const std::string& text, std::string better, const Expression& written,
                         SdkRemarks& remarks) {
  SdkRemark& remark = remarks.emplace_back();
  remark.kind = SdkRemark::Kind::unknown_device;
  remark.span = written.span;
  remark.seen = text;
  if (!better.empty() && written.is(Expression::Kind::string)) {
    remark.edit = Edit{written.span, better};
  }
  remark.known = std::move(better);
}

/// The device of a user's class or of one of its base classes; nullopt if it may compute something
/// else.
[[nodiscard]] std::optional<std::string> device_of_class(const PythonMeaning& meaning, int steps) {
  using Kind = python::Statement::Kind;
  const python::Statement* type = meaning.local;
  if (steps <= 0 || type == nullptr || type->kind != Kind::type || meaning.scope == nullptr) {
    return std::nullopt;
  }
  if (type->bases.size() != 1 || !type->decorators.empty()) return std::nullopt;
  const PythonMeaning base = meaning.scope->meaning(type->bases.front());
  const bool is_accelerator =
      is_sdk_member(base, "MultiInstanceGPUAccelerator") || is_sdk_member(base, "BaseAccelerator");
  if (!is_accelerator && base.local == nullptr) return std::nullopt;
  std::optional<std::string> device;
  for (const python::Statement& each : type->body) {
    if (each.kind == Kind::function) return std::nullopt;
    if (each.kind != Kind::assignment) continue;
    if (each.name.text != "device" && each.name.text != "_device") continue;
    if (device || each.conditional) return std::nullopt;
    device = meaning.scope->text(each.value);
    if (!device) return std::nullopt;
  }
  return device || is_accelerator ? device : device_of_class(base, steps - 1);
}

/// A user's class, or an object of it, whose `device` is a constant.
[[nodiscard]] std::optional<std::string> own_device(const Expression& written,
                                                    const PythonScope& scope) {
  constexpr int max_bases = 4;
  PythonMeaning meaning = scope.meaning(written);
  if (meaning.value != nullptr && meaning.value->is(Expression::Kind::call)) {
    meaning = meaning.scope->meaning(meaning.value->parts.front());
  }
  return device_of_class(meaning, max_bases);
}

/// The imported name within flytekit's module of accelerators: `A100.partition_1g_5gb`; empty if it
/// is from another module.
[[nodiscard]] std::string_view accelerator_constant(std::string_view name) {
  constexpr std::string_view module = "accelerators.";
  const std::size_t at = name.find(module);
  if (at == std::string_view::npos || sdk_of(name) != PythonSdk::flytekit) return {};
  return name.substr(at + module.size());
}

/// flytekit's constant, without its partition.
[[nodiscard]] std::optional<std::string> constant_device(const PythonMeaning& meaning) {
  const FlyteAccelerator* found =
      find_accelerator(flytekit_accelerators(), accelerator_constant(meaning.name));
  if (found == nullptr) return std::nullopt;
  return std::string(found->device);
}

/// `X.partitioned("1g.10gb")`, `GPUAccelerator("…")`, `X()`.
[[nodiscard]] std::optional<AcceleratorSpec> spec_of_call(const Expression& call,
                                                          const PythonScope& scope) {
  AcceleratorSpec spec;
  const Expression& callee = call.parts.front();
  const bool has_one = call.parts.size() == 2 && call.parts[1].keyword.text.empty();
  if (callee.is(Expression::Kind::attribute) && callee.text == "partitioned") {
    auto device = own_device(callee.parts[0], scope);
    if (!device) device = constant_device(scope.meaning(callee.parts[0]));
    const auto size = has_one ? scope.text(call.parts[1]) : std::nullopt;
    if (!device || !size) return std::nullopt;
    spec.device = *device;
    spec.partition_size = *size;
    return spec;
  }
  if (is_sdk_member(scope.meaning(callee), "GPUAccelerator")) {
    const bool is_device = call.parts.size() == 2 && (call.parts[1].keyword.text.empty() ||
                                                      call.parts[1].keyword.text == "device");
    const auto device = is_device ? scope.text(call.parts[1]) : std::nullopt;
    if (!device) return std::nullopt;
    spec.device = *device;
    return spec;
  }
  const auto device = own_device(call, scope);
  if (!device || call.parts.size() != 1) return std::nullopt;
  spec.device = *device;
  return spec;
}

/// `A100.partition_9g_9gb`, which flytekit's class does not have.
void note_attribute(const FlyteAccelerator& accelerator, std::string_view attribute,
                    const Expression& written, SdkRemarks& remarks) {
  const std::size_t size = attribute.find('_') + 1;
  const std::string_view prefix = attribute.substr(0, size);
  if (prefix != "partition_" && prefix != "slice_") return;
  const auto as_attribute = [&](std::string_view partition) {
    std::string name(prefix);
    name += partition;
    std::ranges::replace(name, '.', '_');
    return name;
  };
  std::vector<std::string> names;
  std::ranges::transform(accelerator.partitions, std::back_inserter(names), as_attribute);
  const bool is_here = written.is(Expression::Kind::attribute) && written.text == attribute;
  SdkRemark& remark = remarks.emplace_back();
  remark.kind = SdkRemark::Kind::unknown_partition;
  remark.span = is_here ? written.word : written.span;
  remark.seen = attribute;
  remark.device = accelerator.constant;
  remark.known = fmt::format("{}", fmt::join(names, "`, `"));
  std::string size_there(attribute.substr(size));
  std::ranges::replace(size_there, '_', '.');
  const auto meant = nearest(size_there, accelerator.partitions);
  if (meant && is_here) remark.edit = Edit{written.word, as_attribute(*meant)};
}

[[nodiscard]] std::optional<AcceleratorSpec> spec_of_name(const std::string& name,
                                                          const Expression& written,
                                                          SdkRemarks& remarks) {
  const std::string_view constant = accelerator_constant(name);
  const std::string_view first = constant.substr(0, constant.find('.'));
  const FlyteAccelerator* known = find_accelerator(flytekit_accelerators(), first);
  if (known == nullptr) return std::nullopt;
  AcceleratorSpec spec = parse_accelerator(constant, FlyteVersion::v1);
  if (!spec.problem.empty()) {
    note_attribute(*known, constant.substr(first.size() + 1), written, remarks);
    return std::nullopt;
  }
  note_device(*known, written.span, false, remarks);
  // flytekit 1.16 sends no device class, also for TPUs (flyteidl 1.16: GPUAccelerator has no such
  // field).
  spec.device_class = AcceleratorSpec().device_class;
  return spec;
}

}  // namespace

PythonTree python_accelerator_tree(const AcceleratorSpec& spec, Span span) {
  PythonTree tree = python_mapping(span);
  tree.add("device", span, python_scalar(spec.device, span, Style::double_quoted));
  if (spec.partition_size) {
    tree.add("partitionSize", span,
             python_scalar(*spec.partition_size, span, Style::double_quoted));
  }
  if (spec.unpartitioned) {
    tree.add("unpartitioned", span,
             python_scalar(*spec.unpartitioned ? "true" : "false", span, Style::plain));
  }
  tree.add("deviceClass", span, python_scalar(spec.device_class, span, Style::plain));
  return tree;
}

std::optional<AcceleratorSpec> read_flyte2_device(const std::string& text,
                                                  const Expression& written, SdkRemarks& remarks) {
  const std::size_t colon = text.rfind(':');
  const std::string_view name = current_name(std::string_view(text).substr(0, colon));
  const std::string count = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool is_number = !count.empty() && count.size() < 4 && std::ranges::all_of(count, is_digit);
  if (name == "AppleSilicon") return std::nullopt;  // a Mac's, which no cluster has
  const FlyteAccelerator* known = find_accelerator(flyte2_accelerators(), name);
  const FlyteAccelerator* meant = known == nullptr ? like(name) : known;
  const int number = is_number ? std::stoi(count) : 0;
  const bool is_possible =
      is_number && number > 0 &&
      (meant == nullptr || meant->device_class != "NVIDIA_GPU" || number <= most_devices);
  if (known != nullptr && is_possible && known->device_class != "GOOGLE_TPU") {
    note_device(*known, written.span, true, remarks);
    return parse_accelerator(fmt::format("{}:{}", name, count), FlyteVersion::v2);
  }
  const bool is_amount = !text.empty() && std::ranges::all_of(text, is_digit);
  std::string better;
  if (is_amount) {
    better = text;
  } else if (meant != nullptr && meant->device_class != "GOOGLE_TPU") {
    const std::string fitting = is_possible             ? count
                                : number > most_devices ? std::to_string(most_devices)
                                                        : "1";
    better = fmt::format("\"{}:{}\"", meant->constant, fitting);
  }
  note_unknown_device(text, std::move(better), written, remarks);
  return std::nullopt;
}

bool check_flyte2_device(AcceleratorSpec& spec, const Expression& device,
                         const Expression* partition, SdkRemarks& remarks) {
  spec.device = current_name(spec.device);
  const FlyteAccelerator* known = find_accelerator(flyte2_accelerators(), spec.device);
  if (known == nullptr) {
    const FlyteAccelerator* meant = like(spec.device);
    note_unknown_device(spec.device, meant == nullptr ? "" : fmt::format("\"{}\"", meant->constant),
                        device, remarks);
    return false;
  }
  note_device(*known, device.span, true, remarks);
  const bool is_known = !spec.partition_size || known->partitions.empty() ||
                        is_listed(known->partitions, *spec.partition_size);
  if (is_known || partition == nullptr) return true;
  SdkRemark& remark = remarks.emplace_back();
  remark.kind = SdkRemark::Kind::unknown_partition;
  remark.span = partition->span;
  remark.seen = *spec.partition_size;
  remark.device = known->constant;
  remark.known = fmt::format("{}", fmt::join(known->partitions, "`, `"));
  const auto meant = nearest(*spec.partition_size, known->partitions);
  if (meant && partition->is(Expression::Kind::string)) {
    remark.edit = Edit{partition->span, fmt::format("\"{}\"", *meant)};
  }
  return false;
}

std::optional<PythonTree> read_python_accelerator(const PythonArgument& argument,
                                                  SdkRemarks& remarks) {
  const PythonMeaning meaning = argument.scope->meaning(*argument.value);
  const Span span = argument.value->span;
  std::optional<AcceleratorSpec> spec;
  if (!meaning.name.empty()) {
    spec = spec_of_name(meaning.name, *argument.value, remarks);
  } else if (meaning.value != nullptr && meaning.value->is(Expression::Kind::call)) {
    spec = spec_of_call(*meaning.value, *meaning.scope);
  } else if (meaning.value != nullptr && meaning.value->is(Expression::Kind::attribute) &&
             meaning.value->text == "unpartitioned") {
    const auto device = own_device(meaning.value->parts[0], *meaning.scope);
    if (device) {
      spec.emplace().device = *device;
      spec->unpartitioned = true;
    }
  }
  if (!spec) return std::nullopt;
  return python_accelerator_tree(*spec, span);
}

}  // namespace gpulint::flyte
