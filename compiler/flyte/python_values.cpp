#include "compiler/flyte/python_values.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/flyte/python_keywords.h"
#include "compiler/flyte/task.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/quantity.h"

namespace gpulint::flyte {
namespace {

using python::Expression;

/// The SDKs' name of an amount, and the tasks' name.
struct AmountName {
  std::string_view sdk;
  std::string_view task;
};
constexpr std::array<AmountName, 7> amount_names = {{{"cpu", "cpu"},
                                                     {"mem", "memory"},
                                                     {"memory", "memory"},
                                                     {"gpu", "gpu"},
                                                     {"ephemeral_storage", "ephemeral-storage"},
                                                     {"storage", "ephemeral-storage"},
                                                     {"disk", "ephemeral-storage"}}};

[[nodiscard]] std::string_view last_part(std::string_view name) {
  return name.substr(name.rfind('.') + 1);
}

/// The place of a value: where it is used, if a name is there.
[[nodiscard]] PythonTree read_scalar(const Expression& written, const PythonScope& scope) {
  using Kind = Expression::Kind;
  const PythonMeaning meaning = scope.meaning(written);
  if (const auto text = scope.text(written)) {
    return python_scalar(*text, written.span, Style::double_quoted);
  }
  const bool is_boolean = meaning.value != nullptr && meaning.value->is(Kind::boolean);
  if (is_boolean) {
    return python_scalar(to_lower(meaning.value->text), written.span, Style::plain);
  }
  if (meaning.value != nullptr && meaning.value->is(Kind::number)) {
    return python_scalar(meaning.value->text, written.span, Style::plain);
  }
  if (const auto number = scope.number(written)) {
    return python_scalar(std::to_string(*number), written.span, Style::plain);
  }
  return python_unknown(written.span);
}

/// A number of GPUs, and Flyte 2's device before it: `L4:2`.
struct GpuCount {
  std::string device;
  Quantity count;
};

[[nodiscard]] std::optional<GpuCount> count_of(const PythonMeaning& amount) {
  if (amount.scope->is_none(*amount.value)) return GpuCount{};
  const PythonTree read = read_scalar(*amount.value, *amount.scope);
  if (read.opaque) return std::nullopt;
  const std::size_t colon = read.text.rfind(':');
  const bool has_device = colon != std::string::npos;
  const auto count = Quantity::parse(has_device ? read.text.substr(colon + 1) : read.text);
  if (!count) return std::nullopt;
  return GpuCount{has_device ? read.text.substr(0, colon) : std::string(), *count};
}

/// The most GPUs of several possible amounts; unchanged if there is no choice, or if they cannot be
/// compared.
[[nodiscard]] PythonArgument most_gpus(const PythonArgument& argument) {
  const std::vector<PythonMeaning> choices = argument.scope->choices(*argument.value);
  const bool is_known = argument.scope->meaning(*argument.value).value != nullptr;
  if (choices.empty() || (choices.size() == 1 && is_known)) return argument;
  const PythonMeaning* most = nullptr;
  GpuCount known;
  for (const PythonMeaning& choice : choices) {
    const auto count = count_of(choice);
    if (!count) return argument;
    if (count->count.is_zero()) continue;
    if (most != nullptr && count->device != known.device) return argument;
    if (most == nullptr || count->count > known.count) {
      most = &choice;
      known = *count;
    }
  }
  if (most == nullptr) most = choices.data();
  return {argument.keyword, argument.word, most->value, most->scope};
}

/// Devices that only a `Device(…)` can name, and for which Flyte 2's SDK sends other names.
[[nodiscard]] const FlyteAccelerator* find_old_device(std::string_view name) {
  constexpr std::array<std::string_view, 5> names = {"K80", "L4_VWS", "M60", "P100", "P4"};
  return is_listed(names, name) ? find_accelerator(flytekit_accelerators(), name) : nullptr;
}

/// Reads `Resources(…)`, amount by amount.
class ResourcesReader {
 public:
  ResourcesReader(Span span, PythonSdk sdk, SdkRemarks& remarks) : sdk_(sdk), remarks_(remarks) {
    read_.requests = python_mapping(span);
    read_.limits = python_mapping(span);
  }

  /// False: the requests are unknown.
  [[nodiscard]] bool add(const PythonArgument& written) {
    const auto* const name = std::ranges::find(amount_names, written.keyword, &AmountName::sdk);
    if (name == amount_names.end()) return true;  // `shm`
    const PythonArgument argument = name->task == "gpu" ? most_gpus(written) : written;
    if (argument.scope->is_none(*argument.value)) return true;
    const PythonMeaning meaning = argument.scope->meaning(*argument.value);
    const bool is_pair =
        meaning.value != nullptr && meaning.value->parts.size() == 2 &&
        (meaning.value->is(Expression::Kind::tuple) || meaning.value->is(Expression::Kind::list));
    const bool is_device = name->task == "gpu" && sdk_ == PythonSdk::flyte2;
    if (is_pair && is_device) {
      note_pair(*meaning.value, *meaning.scope);
      return false;
    }
    if (is_pair) {
      const auto& parts = meaning.value->parts;
      for (const Expression& part : parts) {
        PythonTree amount = read_scalar(part, *meaning.scope);
        note_integer(*name, part, amount);
        add_amount(argument, *name, std::move(amount),
                   &part == parts.data() ? read_.requests : read_.limits);
      }
      read_.has_limits = true;
      return true;
    }
    if (is_device) return add_device(argument, meaning);
    PythonTree amount = read_scalar(*argument.value, *argument.scope);
    if (is_left_out(amount)) return true;
    note_integer(*name, *argument.value, amount);
    add_amount(argument, *name, std::move(amount), read_.requests);
    return true;
  }

  [[nodiscard]] PythonResources take() && { return std::move(read_); }

 private:
  /// flyte-sdk, Resources.get_device: a pair is returned as it is and has no `quantity`.
  void note_pair(const Expression& pair, const PythonScope& scope) {
    SdkRemark remark{.kind = SdkRemark::Kind::paired_device, .span = pair.span};
    const PythonTree device = read_scalar(pair.parts.front(), scope);
    const PythonTree count = read_scalar(pair.parts.back(), scope);
    if (!device.opaque && !count.opaque && device.style == Style::double_quoted) {
      remark.known = "\"" + device.text + ":" + count.text + "\"";
      remark.edit = Edit{pair.span, remark.known};
    }
    remarks_.push_back(std::move(remark));
  }

  /// flytekit 1.16 passes amounts on unchanged, and protobuf accepts only text.
  void note_integer(AmountName name, const Expression& written, const PythonTree& amount) {
    if (name.task != "gpu" || sdk_ == PythonSdk::flyte2 || amount.opaque) return;
    const bool is_integer = amount.style == Style::plain && !amount.text.empty() &&
                            amount.text.find_first_not_of("0123456789") == std::string::npos;
    const bool is_zero = amount.text.find_first_not_of('0') == std::string::npos;  // left out
    if (!is_integer || is_zero) return;
    SdkRemark remark{
        .kind = SdkRemark::Kind::integer_gpu, .span = written.span, .seen = amount.text};
    if (written.is(Expression::Kind::number)) {
      remark.edit = Edit{written.span, "\"" + amount.text + "\""};
    }
    remarks_.push_back(std::move(remark));
  }

  /// flytekit ignores an empty text, like None.
  [[nodiscard]] bool is_left_out(const PythonTree& amount) const {
    const bool is_text = amount.style == Style::double_quoted;
    return sdk_ == PythonSdk::flytekit && is_text && !amount.opaque && amount.text.empty();
  }

  static void add_amount(const PythonArgument& argument, AmountName name, PythonTree amount,
                         PythonTree& into) {
    const Span place = argument.word.text.empty() ? amount.span : argument.word.span;
    into.add(std::string(name.task), place, std::move(amount));
  }

  /// Flyte 2: a count, `"L4:1"`, or a Device.
  [[nodiscard]] bool add_device(const PythonArgument& argument, const PythonMeaning& meaning) {
    if (meaning.value != nullptr && meaning.value->is(Expression::Kind::call)) {
      return add_device_call(argument, meaning);
    }
    PythonTree amount = read_scalar(*argument.value, *argument.scope);
    if (amount.opaque) return false;  // it may name a device
    if (amount.style == Style::double_quoted) {
      const auto spec = read_flyte2_device(amount.text, *argument.value, remarks_);
      if (!spec) return false;
      amount.text = *spec->count;
      amount.style = Style::double_quoted;
      read_.accelerator = python_accelerator_tree(*spec, argument.value->span);
    }
    add_amount(argument, {"gpu", "gpu"}, std::move(amount), read_.requests);
    return true;
  }

  /// `GPU("A100", 1, "2g.10gb")`, `TPU("V5P", "2x2x1")`, `Device(…)`.
  [[nodiscard]] bool add_device_call(const PythonArgument& argument, const PythonMeaning& meaning) {
    const bool is_tpu = is_call_of(meaning, "TPU");
    const bool is_device = is_call_of(meaning, "Device");
    if (!is_tpu && !is_device && !is_call_of(meaning, "GPU")) return false;
    const auto arguments =
        is_tpu ? python_arguments(*meaning.value, *meaning.scope, {"device", "partition"})
        : is_device
            ? python_arguments(*meaning.value, *meaning.scope,
                               {"quantity", "device_class", "device", "partition"})
            : python_arguments(*meaning.value, *meaning.scope, {"device", "quantity", "partition"});
    if (!arguments) return false;
    AcceleratorSpec spec;
    const Expression* device = nullptr;
    const Expression* partition = nullptr;
    for (const auto& [keyword, word, value, scope] : *arguments) {
      if (scope->is_none(*value)) continue;
      if (keyword == "device") device = value;
      if (keyword == "partition") partition = value;
      const PythonTree read = read_scalar(*value, *scope);
      if (read.opaque) return false;
      if (keyword == "device") spec.device = read.text;
      if (keyword == "partition") spec.partition_size = read.text;
      if (keyword == "quantity") spec.count = read.text;
      if (keyword == "device_class" && read.text != "GPU") return false;
    }
    if (is_device && device == nullptr) {
      SdkRemark& remark = remarks_.emplace_back();
      remark.kind = SdkRemark::Kind::missing_device;
      remark.span = meaning.value->span;
      remark.seen = spec.count.value_or("1");
      return false;
    }
    const bool is_checked = !is_device && device != nullptr;
    if (is_checked && !check_flyte2_device(spec, *device, partition, remarks_)) return false;
    const FlyteAccelerator* known = find_accelerator(flyte2_accelerators(), spec.device);
    if (is_device && known == nullptr) known = find_old_device(spec.device);
    if (is_tpu && known == nullptr) return false;
    if (known != nullptr) spec.device = known->device;
    if (known != nullptr && !is_device) spec.device_class = known->device_class;
    const Span span = meaning.value->span;
    if (!spec.device.empty()) read_.accelerator = python_accelerator_tree(spec, span);
    add_amount(argument, {"gpu", "gpu"},
               python_scalar(spec.count.value_or("1"), span, Style::plain), read_.requests);
    return true;
  }

  PythonSdk sdk_;
  SdkRemarks& remarks_;
  PythonResources read_;
};

/// `V1Toleration(…)` and literals as in the API; unknown beyond a reasonable depth.
[[nodiscard]] PythonTree read_object(const Expression& written, const PythonScope& scope,
                                     int depth);

/// `node_selector` → `nodeSelector`.
[[nodiscard]] std::string as_field(std::string_view keyword) {
  std::string field;
  bool is_capital = false;
  for (const char c : keyword) {
    if (c == '_') {
      is_capital = !field.empty();
      continue;
    }
    field += is_capital ? to_upper(std::string(1, c)).front() : c;
    is_capital = false;
  }
  return field;
}

[[nodiscard]] PythonTree read_call(const PythonMeaning& meaning, int depth) {
  const Expression& call = *meaning.value;
  const PythonMeaning callee = meaning.scope->meaning(call.parts.front());
  const bool is_api =
      callee.name.starts_with("kubernetes.") && last_part(callee.name).starts_with("V1");
  const auto arguments = is_api ? python_arguments(call, *meaning.scope, {}) : std::nullopt;
  if (!arguments) return python_unknown(call.span);
  PythonTree object = python_mapping(call.span);
  for (const auto& [keyword, word, value, scope] : *arguments) {
    if (scope->is_none(*value)) continue;
    object.add(as_field(keyword), word.span, read_object(*value, *scope, depth - 1));
  }
  return object;
}

PythonTree read_object(const Expression& written, const PythonScope& scope, int depth) {
  using Kind = Expression::Kind;
  const PythonMeaning meaning = scope.meaning(written);
  if (meaning.value == nullptr || depth <= 0) return python_unknown(written.span);
  const Expression& value = *meaning.value;
  if (value.is(Kind::call)) return read_call(meaning, depth);
  if (value.is(Kind::list) || value.is(Kind::tuple)) {
    PythonTree list;
    list.kind = NodeKind::sequence;
    list.span = value.span;
    for (const Expression& part : value.parts) {
      if (!part.is(Kind::opaque)) {
        list.parts.push_back(read_object(part, *meaning.scope, depth - 1));
      } else {
        return python_unknown(written.span);
      }
    }
    return list;
  }
  if (!value.is(Kind::dict)) return read_scalar(written, scope);
  PythonTree dict = python_mapping(value.span);
  for (std::size_t i = 0; i + 1 < value.parts.size(); i += 2) {
    const auto key = meaning.scope->text(value.parts[i]);
    if (!key) return python_unknown(written.span);
    dict.add(*key, value.parts[i].span, read_object(value.parts[i + 1], *meaning.scope, depth - 1));
  }
  return dict;
}

constexpr int max_object_depth = 20;

}  // namespace

bool is_sdk_member(const PythonMeaning& meaning, std::string_view member) {
  return sdk_of(meaning.name) != PythonSdk::none && meaning.name.find('.') != std::string::npos &&
         last_part(meaning.name) == member;
}

bool is_call_of(const PythonMeaning& meaning, std::string_view member) {
  return meaning.value != nullptr && meaning.value->is(Expression::Kind::call) &&
         is_sdk_member(meaning.scope->meaning(meaning.value->parts.front()), member);
}

namespace {

constexpr int max_copies = 8;

/// The arguments of `Resources(…)`, also of a copy by `dataclasses.replace(BASE, gpu="8")`.
[[nodiscard]] std::optional<PythonArguments> resources_arguments(const PythonMeaning& meaning,
                                                                 PythonSdk& sdk, int copies,
                                                                 SdkRemarks& remarks) {
  if (meaning.value == nullptr || !meaning.value->is(Expression::Kind::call)) return std::nullopt;
  const Expression& call = *meaning.value;
  const PythonMeaning callee = meaning.scope->meaning(call.parts.front());
  if (callee.name == "dataclasses.replace" && call.parts.size() > 1 && copies > 0) {
    auto all = resources_arguments(meaning.scope->meaning(call.parts[1]), sdk, copies - 1, remarks);
    auto changes = python_arguments(call, *meaning.scope, {"<base>"});
    if (!all || !changes) return std::nullopt;
    note_resources_keywords(call, sdk, remarks);
    for (PythonArgument& change : *changes) {
      std::erase_if(*all, [&](const auto& each) { return each.keyword == change.keyword; });
      all->push_back(std::move(change));
    }
    return all;
  }
  if (!is_sdk_member(callee, "Resources")) return std::nullopt;
  sdk = sdk_of(callee.name);
  note_resources_keywords(call, sdk, remarks);
  return sdk == PythonSdk::flyte2
             ? python_arguments(call, *meaning.scope, {"cpu", "memory", "gpu", "disk"})
             : python_arguments(call, *meaning.scope, {"cpu", "mem", "gpu", "ephemeral_storage"});
}

[[nodiscard]] std::optional<PythonResources> read_resources(const PythonMeaning& meaning,
                                                            SdkRemarks& remarks) {
  PythonSdk sdk = PythonSdk::none;
  std::optional<PythonArguments> arguments = PythonArguments();
  const bool is_none = meaning.value->is(Expression::Kind::none);
  if (!is_none) arguments = resources_arguments(meaning, sdk, max_copies, remarks);
  if (!arguments) return std::nullopt;
  ResourcesReader reader(meaning.value->span, sdk, remarks);
  for (const PythonArgument& each : *arguments) {
    if (!reader.add(each)) return std::nullopt;
  }
  return std::move(reader).take();
}

/// The number of GPUs that is requested; nullopt if it is unknown.
[[nodiscard]] std::optional<Quantity> gpus_of(const PythonResources& resources) {
  const PythonTree* amount = resources.requests.find("gpu");
  if (amount == nullptr) return Quantity{};
  return amount->opaque ? std::nullopt : Quantity::parse(amount->text);
}

[[nodiscard]] std::string device_of(const PythonResources& resources) {
  return resources.accelerator ? resources.accelerator->find("device")->text : std::string();
}

}  // namespace

std::optional<PythonResources> read_python_resources(const PythonArgument& argument,
                                                     SdkRemarks& remarks) {
  const std::vector<PythonMeaning> choices = argument.scope->choices(*argument.value);
  std::optional<PythonResources> most;
  SdkRemarks made;
  for (const PythonMeaning& choice : choices) {
    SdkRemarks own;
    auto read = read_resources(choice, own);
    if (!read && choices.size() == 1) std::ranges::move(own, std::back_inserter(remarks));
    if (!read) return std::nullopt;
    if (most) {
      const auto count = gpus_of(*read);
      const auto known = gpus_of(*most);
      if (!count || !known) return std::nullopt;
      const bool is_comparable =
          count->is_zero() || known->is_zero() || device_of(*read) == device_of(*most);
      if (!is_comparable) return std::nullopt;
      if (*count <= *known) continue;
    }
    most = std::move(read);
    made = std::move(own);
  }
  std::ranges::move(made, std::back_inserter(remarks));
  return most;
}

namespace {

constexpr std::array<std::string_view, 2> copying_methods = {"allow_nested_sandboxing",
                                                             "with_termination_grace_period"};

/// Whether a method with one of the names is called: `template.allow_nested_sandboxing()`.
[[nodiscard]] bool is_call_of_any(const PythonMeaning& meaning,
                                  std::span<const std::string_view> methods) {
  if (meaning.value == nullptr || !meaning.value->is(Expression::Kind::call)) return false;
  const Expression& callee = meaning.value->parts.front();
  return callee.is(Expression::Kind::attribute) && is_listed(methods, callee.text);
}

}  // namespace

std::optional<PythonPodTemplate> read_python_pod(const PythonArgument& argument) {
  PythonMeaning meaning = argument.scope->meaning(*argument.value);
  // Flyte 2: a copy that differs only in fields unrelated to GPUs
  for (int steps = 4; steps > 0 && is_call_of_any(meaning, copying_methods); --steps) {
    meaning = meaning.scope->meaning(meaning.value->parts.front().parts.front());
  }
  if (!is_call_of(meaning, "PodTemplate")) return std::nullopt;
  const auto arguments =
      python_arguments(*meaning.value, *meaning.scope, {"pod_spec", "primary_container_name"});
  if (!arguments) return std::nullopt;
  PythonPodTemplate pod{python_mapping(meaning.value->span)};
  if (const PythonArgument* name = find_argument(*arguments, "primary_container_name")) {
    const auto text = name->scope->text(*name->value);
    if (!text) return std::nullopt;
    pod.primary_container = *text;
  }
  if (const PythonArgument* spec = find_argument(*arguments, "pod_spec")) {
    pod.pod_spec = read_object(*spec->value, *spec->scope, max_object_depth);
    if (pod.pod_spec.kind != NodeKind::mapping) return std::nullopt;
  }
  return pod;
}

}  // namespace gpulint::flyte
