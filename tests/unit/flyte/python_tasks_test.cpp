#include "compiler/flyte/python_tasks.h"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/flyte/task.h"
#include "frontend/python/parse.h"

namespace gpulint::flyte::test {
namespace {

[[nodiscard]] std::string tell(const std::vector<TaskResource>& amounts) {
  std::string text;
  for (const TaskResource& each : amounts) {
    text += fmt::format(" {}={}", each.name.value,
                        each.amount.is_opaque() ? "?" : each.amount.value_or("-"));
  }
  return text;
}

[[nodiscard]] std::string tell(const TaskAccelerator& accelerator) {
  std::string text = accelerator.device.value;
  if (accelerator.partition_size) text += "/" + accelerator.partition_size->value;
  if (accelerator.unpartitioned) text += *accelerator.unpartitioned ? "/whole" : "/not whole";
  if (accelerator.device_class != "NVIDIA_GPU") text += " of " + accelerator.device_class;
  return text;
}

[[nodiscard]] std::string tell(const Task& task) {
  std::string text = task.name + ":";
  if (!task.requests.empty()) text += " requests" + tell(task.requests);
  if (!task.limits.empty()) text += " limits" + tell(task.limits);
  if (task.accelerator) text += " on " + tell(*task.accelerator);
  if (task.interruptible) text += " interruptible";
  if (task.plugin != TaskPlugin::container) text += fmt::format(" {}", to_string(task.plugin));
  if (task.target == TaskTarget::k8s_pod) text += " pod";
  if (!task.pod_template_name.value.empty()) text += " upon " + task.pod_template_name.value;
  if (task.override_requests) text += "; requests" + tell(*task.override_requests);
  if (task.override_limits) text += "; limits" + tell(*task.override_limits);
  if (task.override_accelerator) text += "; on " + tell(*task.override_accelerator);
  if (!task.problem.empty()) text += " PROBLEM " + task.problem;
  return text + "\n";
}

/// The tasks of a source, one a line; then those of which not enough is known.
[[nodiscard]] std::string read(std::string text) {
  const SourceFile file(0, "tasks.py", std::move(text));
  const python::Module module = python::parse(file);
  const PythonTasks tasks = read_python_tasks(module, file);
  std::string told;
  if (tasks.document) {
    const auto entries = task_entries(root(*tasks.document));
    for (const Node entry : *entries) told += tell(read_task(entry, FlyteVersion::v1));
  }
  for (const OpenPythonTask& task : tasks.open) {
    if (!task.because.empty()) told += fmt::format("{}? {}\n", task.name, task.because);
  }
  for (const SdkRemark& remark : tasks.remarks) {
    const bool is_refusal = remark.kind == SdkRemark::Kind::unknown_device ||
                            remark.kind == SdkRemark::Kind::unknown_partition ||
                            remark.kind == SdkRemark::Kind::nested_task;
    if (is_refusal) told += fmt::format("{}! {}\n", remark.task, remark.seen);
  }
  return told;
}

const std::string v1 =
    "from flytekit import task, dynamic, workflow, Resources\n"
    "from flytekit.extras.accelerators import A100, T4, GPUAccelerator\n";
const std::string v2 = "import flyte\n";

TEST_CASE("Python tasks: requests, limits and accelerators of flytekit") {
  CHECK(read(v1 + "@task(requests=Resources(gpu=\"1\"))\ndef train(): pass\n") ==
        "train: requests gpu=1\n");
  CHECK(read(v1 +
             "@task(requests=Resources(gpu='1', mem='4Gi'), limits=Resources(gpu='1', mem='8Gi'),\n"
             "      accelerator=A100.partition_2g_10gb, interruptible=True)\n"
             "def train(): pass\n") ==
        "train: requests gpu=1 memory=4Gi limits gpu=1 memory=8Gi on nvidia-tesla-a100/2g.10gb "
        "interruptible\n");
  CHECK(read(v1 + "@dynamic(requests=Resources('1', '2Gi', '3'), accelerator=A100.unpartitioned)\n"
                  "def d(): pass\n") ==
        "d: requests cpu=1 memory=2Gi gpu=3 on nvidia-tesla-a100/whole\n");
  CHECK(read(v1 + "@task(accelerator=T4)\ndef t(): pass\n") == "t: on nvidia-tesla-t4\n");
  CHECK(read(v1 + "@task(resources=Resources(cpu=('1', '2'), mem='1Gi', gpu='1'),\n"
                  "      accelerator=GPUAccelerator('nvidia-rtx-a6000'), shared_memory=True)\n"
                  "def t(): pass\n") ==
        "t: requests cpu=1 memory=1Gi gpu=1 limits cpu=2 on nvidia-rtx-a6000\n");
}

TEST_CASE("Python tasks: names mean something by imports alone") {
  const std::string body =
      "@fk.task(requests=fk.Resources(gpu='1'), accelerator=acc.L4)\ndef t(): pass\n";
  const std::string acc = "import flytekit.extras.accelerators as acc\n";
  CHECK(read("import flytekit as fk\n" + acc + body) == "t: requests gpu=1 on nvidia-l4\n");
  CHECK(read("import union as fk\n" + acc + body) == "t: requests gpu=1 on nvidia-l4\n");
  CHECK(read("import luigi as fk\n" + acc + body).empty());
  CHECK(read("from prefect import task\nfrom flytekit import Resources\n"
             "@task(requests=Resources(gpu='1'))\ndef t(): pass\n")
            .empty());
  CHECK(read("from flytekit import task\nfrom mine import Resources\n"
             "@task(requests=Resources(gpu='1'))\ndef t(): pass\n") ==
        "t? the code computes its resources\n");
  CHECK(read("from .flytekit import task, Resources\n"
             "@task(requests=Resources(gpu='1'))\ndef t(): pass\n")
            .empty());
  CHECK(read(v1 + "def task(f): return f\n@task(requests=Resources(gpu='1'))\ndef t(): pass\n")
            .empty());
  CHECK(read(v1 + "trainer = Trainer(accelerator='gpu')\n").empty());
}

// Expected values: what flytekit 1.16 and flyte 2.12 serialize.
TEST_CASE("Python tasks: factories of decorators are evaluated") {
  const std::string factory =
      v1 + "def gpu_task(n='1', **kw): return task(requests=Resources(gpu=n), **kw)\n";
  CHECK(read(factory + "@gpu_task('4')\ndef t(): pass\n") == "t: requests gpu=4\n");
  CHECK(read(factory + "@gpu_task()\ndef t(): pass\n") == "t: requests gpu=1\n");
  CHECK(read(factory + "@gpu_task(n='2', limits=Resources(gpu='2'))\ndef t(): pass\n") ==
        "t: requests gpu=2 limits gpu=2\n");
  CHECK(read(factory + "@gpu_task(n=unknown())\ndef t(): pass\n") == "t: requests gpu=?\n");
  CHECK(read(v1 + "gpu = task(requests=Resources(gpu='2'))\n@gpu\ndef t(): pass\n") ==
        "t: requests gpu=2\n");
  CHECK(read(v1 + "def gpu(fn): return task(requests=Resources(gpu='3'))(fn)\n@gpu\n"
                  "def t(): pass\n") == "t: requests gpu=3\n");
  CHECK(read(v1 + "def gpu(n):\n  def wrap(fn):\n    return task(requests=Resources(gpu=n))(fn)\n"
                  "  return wrap\n@gpu('5')\ndef t(): pass\n") == "t: requests gpu=5\n");
  CHECK(read(v1 + "def pick(n):\n  if n: return Resources(gpu='1')\n  return Resources(gpu='2')\n"
                  "@task(requests=pick(1))\ndef t(): pass\n") == "t? the code computes its resources\n");
  CHECK(read(v1 + "def f(**kw): return f(**f(**kw))\nX = f(**X)\n@task(**X)\ndef t(): pass\n") ==
        "t? the code computes its arguments\n");
}

TEST_CASE("Python tasks: tasks that are made by calls") {
  CHECK(read(v1 + "def t(): pass\ntrain = task(t, requests=Resources(gpu='6'))\n"
                  "train().with_overrides(limits=Resources(gpu='9'))\n") ==
        "t: requests gpu=6\nt.with_overrides: requests gpu=6; limits gpu=9\n");
  CHECK(read(v1 + "def t(): pass\ntrain = task(requests=Resources(gpu='7'))(t)\n") ==
        "t: requests gpu=7\n");
  CHECK(read(v1 + "from flytekit import ContainerTask, ShellTask, eager\n"
                  "c = ContainerTask(name='box', requests=Resources(gpu='1'))\n"
                  "s = ShellTask(name='sh', requests=Resources(gpu='2'))\n"
                  "@eager(requests=Resources(gpu='3'))\nasync def e(): pass\n") ==
        "e: requests gpu=3\nbox: requests gpu=1\nsh: requests gpu=2\n");
  CHECK(read(v1 +
             "@task(requests=Resources(gpu='1'))\ndef t(): pass\nwf = Workflow(name='w')\n"
             "node = wf.add_entity(t, a=1)\nnode.with_overrides(limits=Resources(gpu='4'))\n") ==
        "t: requests gpu=1\nt.with_overrides: requests gpu=1; limits gpu=4\n");
}

TEST_CASE("Python tasks: environments from functions, dicts, classes and names given twice") {
  const std::string make = v2 +
                           "def make(name, gpu): return flyte.TaskEnvironment(name=name, "
                           "resources=flyte.Resources(gpu=gpu))\n";
  CHECK(read(make + "env = make('a', 'A100:4')\n@env.task\ndef t(): pass\n") ==
        "a.t: requests gpu=4 on nvidia-tesla-a100\n");
  CHECK(read(make + "ENVS = {'t4': make('a', 'T4:1')}\nt4 = ENVS['t4']\n@t4.task\n"
                    "def t(): pass\n") == "a.t: requests gpu=1 on nvidia-tesla-t4\n");
  CHECK(read(make + "ALL = [make('a', 'T4:1'), make('b', 'T4:2')]\n@ALL[-1].task\n"
                    "def t(): pass\n") == "b.t: requests gpu=2 on nvidia-tesla-t4\n");
  CHECK(read(make + "class Envs:\n  ONE = make('a', 'L4:1')\n"
                    "  BIG = ONE.clone_with(name='b', resources=flyte.Resources(gpu='L4:8'))\n"
                    "@Envs.BIG.task\ndef t(): pass\n") == "b.t: requests gpu=8 on nvidia-l4\n");
  CHECK(read(make + "a = make('a', 'L4:1')\n@a.task\ndef t(): pass\na = make('b', 'L4:2')\n"
                    "@a.task\ndef u(): pass\n") ==
        "a.t: requests gpu=1 on nvidia-l4\nb.u: requests gpu=2 on nvidia-l4\n");
  CHECK(read(make + "a = make('a', 'L4:1')\nb = a.clone_with(name='b', resources=None)\n@b.task\n"
                    "def t(): pass\n") == "b.t: requests gpu=1 on nvidia-l4\n");
  CHECK(read(make +
             "env = make('a', 'L4:1')\ndef t(): pass\nu = env.task(t)\n"
             "v = u.override(short_name='x').override(resources=flyte.Resources(gpu='L4:2'))\n") ==
        "a.t: requests gpu=1 on nvidia-l4\na.t.override: requests gpu=2 on nvidia-l4\n");
  CHECK(read(v2 + "from flyte.clustered import ClusteredTaskEnvironment\n"
                  "env = ClusteredTaskEnvironment(name='ddp', replicas=2, nproc_per_node=8,\n"
                  "  resources=flyte.Resources(gpu='H100:8'))\n@env.task\nasync def t(): pass\n") ==
        "ddp.t: requests gpu=8 on nvidia-tesla-h100\n");
}

TEST_CASE("Python tasks: dicts of dicts") {
  const std::string common = v1 + "common = {'requests': Resources(gpu='1')}\n";
  const std::string expected = "t: requests gpu=1 limits gpu=2\n";
  CHECK(read(common + "@task(**(common | {'limits': Resources(gpu='2')}))\ndef t(): pass\n") ==
        expected);
  CHECK(read(common + "@task(**{**common, 'limits': Resources(gpu='2')})\ndef t(): pass\n") ==
        expected);
  CHECK(read(common + "@task(**dict(common, limits=Resources(gpu='2')))\ndef t(): pass\n") ==
        expected);
  CHECK(read(v1 + "S = {'large': '8'}\nT = ['1', '4']\n"
                  "@task(requests=Resources(gpu=S['large']), limits=Resources(gpu=T[1]))\n"
                  "def t(): pass\n") == "t: requests gpu=8 limits gpu=4\n");
  CHECK(read(v1 + "S = {'large': '8'}\nS['large'] = '4'\n"
                  "@task(requests=Resources(gpu=S['large']))\ndef t(): pass\n") ==
        "t: requests gpu=?\n");
}

TEST_CASE("Python tasks: what another function may change is unknown") {
  const std::string body = "@task(**common)\ndef t(): pass\n";
  const std::string common = v1 + "common = {'requests': Resources(gpu='1')}\n";
  CHECK(read(common + "print(common)\n" + body) == "t: requests gpu=1\n");
  CHECK(read(common + "configure(common)\n" + body) == "t? the code computes its arguments\n");
  CHECK(read(common + "def configure(o): o['requests'] = Resources(gpu='8')\nconfigure(common)\n" +
             body) == "t? the code computes its arguments\n");
  CHECK(read(common + "def show(o): print(o)\nshow(common)\n" + body) == "t: requests gpu=1\n");
  CHECK(read(common + "from mine import configure\nconfigure(options=common)\n" + body) ==
        "t? the code computes its arguments\n");
  CHECK(read(v1 + "N = '1'\nglobals()['N'] = '4'\n@task(requests=Resources(gpu=N))\n"
                  "def t(): pass\n") == "t: requests gpu=?\n");
  CHECK(read(v1 + "N = '1'\nglobals().update(N='4')\n@task(requests=Resources(gpu=N))\n"
                  "def t(): pass\n") == "t: requests gpu=?\n");
}

TEST_CASE("Python tasks: constants are followed, and what may change is open") {
  CHECK(read(v1 + "N = '8'\nbig = Resources(gpu=N)\nwhere = A100\n"
                  "@task(requests=big, accelerator=where)\ndef t(): pass\n") ==
        "t: requests gpu=8 on nvidia-tesla-a100\n");
  CHECK(read(v1 + "if fast:\n  N = '8'\nelse:\n  N = '1'\n"
                  "@task(requests=Resources(gpu=N))\ndef t(): pass\n") == "t: requests gpu=8\n");
  CHECK(read(v1 + "import os\n@task(requests=Resources(gpu=os.environ['N']))\ndef t(): pass\n") ==
        "t: requests gpu=?\n");
  CHECK(read(v1 +
             "def make(n):\n  @task(requests=Resources(gpu=n))\n  def t(): pass\n  return t\n") ==
        "t! \n");
  CHECK(read(v1 + "r = pick()\n@task(requests=r)\ndef t(): pass\n") ==
        "t? the code computes its resources\n");
  CHECK(read(v1 + "@task(requests=Resources(gpu='1'), accelerator=pick())\ndef t(): pass\n") ==
        "t? the code computes its accelerator\n");
  CHECK(read(v1 + "@task(requests=Resources(gpu='1'), **more)\ndef t(): pass\n") ==
        "t? the code computes its arguments\n");
  CHECK(
      read(v1 +
           "more = {'requests': Resources(gpu='1')}\n@task(cache=True, **more)\ndef t(): pass\n") ==
      "t: requests gpu=1\n");
  CHECK(read(v1 + "a = b\nb = a\n@task(requests=a)\ndef t(): pass\n") ==
        "t? the code computes its resources\n");
}

TEST_CASE("Python tasks: those without GPUs are not told") {
  CHECK(read(v1 + "@task\ndef a(): pass\n@task(requests=Resources(cpu='1'))\ndef b(): pass\n"
                  "@task(requests=Resources(gpu='0'))\ndef c(): pass\n")
            .empty());
}

TEST_CASE("Python tasks: partials and actors stand for what they were made with") {
  CHECK(read(v1 + "import functools\nfrom functools import partial\n"
                  "gpu_task = functools.partial(task, requests=Resources(gpu='1'))\n"
                  "big_task = partial(gpu_task, accelerator=A100)\n"
                  "@gpu_task\ndef a(): pass\n"
                  "@big_task(requests=Resources(gpu='2'))\ndef b(): pass\n") ==
        "a: requests gpu=1\nb: requests gpu=2 on nvidia-tesla-a100\n");
  CHECK(read("import union\nactor = union.ActorEnvironment(name='a', "
             "requests=union.Resources(gpu='1'))\n"
             "@actor.task\ndef t(): pass\n") == "t: requests gpu=1\n");
}

TEST_CASE("Python tasks: own accelerator classes") {
  const std::string own =
      "from flytekit.extras.accelerators import MultiInstanceGPUAccelerator as M\n"
      "class H100(M):\n    device = 'nvidia-h100-80gb'\n";
  const auto with = [&](const std::string& accelerator) {
    return read(v1 + own + "@task(limits=Resources(gpu='1'), accelerator=" + accelerator +
                ")\ndef t(): pass\n");
  };
  CHECK(with("H100.partitioned('1g.10gb')") == "t: limits gpu=1 on nvidia-h100-80gb/1g.10gb\n");
  CHECK(with("H100().unpartitioned") == "t: limits gpu=1 on nvidia-h100-80gb/whole\n");
  CHECK(with("H100()") == "t: limits gpu=1 on nvidia-h100-80gb\n");
  CHECK(with("A100.partitioned('3g.20gb')") == "t: limits gpu=1 on nvidia-tesla-a100/3g.20gb\n");
  CHECK(with("A100.partition_9g_99gb") == "t! partition_9g_99gb\n");
}

TEST_CASE("Python tasks: with_overrides makes a variant") {
  CHECK(read(v1 + "@task(requests=Resources(gpu='1'))\ndef train(): pass\n"
                  "@workflow\ndef wf():\n"
                  "  a = train().with_overrides(requests=Resources(gpu='4'), accelerator=T4)\n"
                  "  return train().with_overrides(limits=Resources(gpu='2'))\n"
                  "  train().with_overrides(retries=3)\n") ==
        "train: requests gpu=1\n"
        "train.with_overrides: requests gpu=1; requests gpu=4; on nvidia-tesla-t4\n"
        "train.with_overrides-2: requests gpu=1; limits gpu=2\n");
}

TEST_CASE("Python tasks: Flyte 2's environments") {
  const auto with = [](const std::string& gpu) {
    return read(v2 + "env = flyte.TaskEnvironment(name='e', resources=flyte.Resources(gpu=" + gpu +
                "))\n@env.task\nasync def t(): pass\n");
  };
  CHECK(with("1") == "e.t: requests gpu=1\n");
  CHECK(with("'H100:8'") == "e.t: requests gpu=8 on nvidia-tesla-h100\n");
  CHECK(with("'H200:1'") == "e.t: requests gpu=1 on H200\n");
  CHECK(with("'A100 80G:2'") == "e.t: requests gpu=2 on nvidia-a100-80gb\n");
  CHECK(with("flyte.GPU('A100', 1, '2g.10gb')") ==
        "e.t: requests gpu=1 on nvidia-tesla-a100/2g.10gb\n");
  CHECK(with("flyte.Device(quantity=1, device_class='GPU', device='my-gpu', partition='1g.5gb')") ==
        "e.t: requests gpu=1 on my-gpu/1g.5gb\n");
  CHECK(with("'A100'") == "e.t! A100\n");
  CHECK(with("'A100_80G:1'") == "e.t: requests gpu=1 on nvidia-a100-80gb\n");
  CHECK(with("'RTX PRO 6000:1'") == "e.t: requests gpu=1 on nvidia-rtx-pro-6000\n");
  CHECK(with("'AppleSilicon'") == "e.t? the code computes its resources\n");
  CHECK(with("pick()") == "e.t? the code computes its resources\n");
  CHECK(read("import flyte as fl\nN = 4\n"
             "env = fl.TaskEnvironment('e', resources=fl.Resources(cpu=(1, 2), memory='4Gi',\n"
             "                         gpu=f'A100:{N}', shm='auto'))\n"
             "@env.task(cache='auto')\ndef t(): pass\n") ==
        "e.t: requests cpu=1 memory=4Gi gpu=4 limits cpu=2 on nvidia-tesla-a100\n");
  CHECK(read(v2 + "env = flyte.TaskEnvironment(name='e', resources=flyte.Resources(gpu='L4:1'))\n"
                  "cpu = env.clone_with(name='c', resources=flyte.Resources(gpu=0))\n"
                  "two = env.clone_with(name='two', resources=flyte.Resources(gpu='L4:2'))\n"
                  "@env.task\ndef a(): pass\n@cpu.task\ndef b(): pass\n@two.task\ndef c():\n"
                  "  a.override(resources=flyte.Resources(gpu='T4:3'))()\n") ==
        "e.a: requests gpu=1 on nvidia-l4\ntwo.c: requests gpu=2 on nvidia-l4\n"
        "e.a.override: requests gpu=3 on nvidia-tesla-t4\n");
}

TEST_CASE("Python tasks: a pod template is read as the API has it") {
  const std::string pod =
      "from flytekit import PodTemplate\nfrom kubernetes.client import V1PodSpec, V1Container, "
      "V1ResourceRequirements, V1Toleration\n"
      "pod = PodTemplate(primary_container_name='main', pod_spec=V1PodSpec(\n"
      "  node_selector={'pool': 'gpu'}, tolerations=[V1Toleration(key='k', operator='Exists')],\n"
      "  containers=[V1Container(name='main', resources=V1ResourceRequirements(\n"
      "    limits={'nvidia.com/gpu': '2'}))]))\n";
  CHECK(read(v1 + pod + "@task(pod_template=pod)\ndef t(): pass\n") ==
        "t: limits nvidia.com/gpu=2 pod\n");
  CHECK(read(v1 + pod + "@task(pod_template=pod, requests=Resources(gpu='1'))\ndef t(): pass\n") ==
        "t: requests gpu=1 pod\n");
  CHECK(read(v1 + "@task(pod_template=make(), requests=Resources(gpu='1'))\ndef t(): pass\n") ==
        "t? the code computes its pod template\n");
  const std::string sidecar =
      "two = PodTemplate(primary_container_name='main', pod_spec=V1PodSpec(containers=["
      "V1Container(name='main'), V1Container(name='side', resources=V1ResourceRequirements("
      "limits={'nvidia.com/gpu': '5'}))]))\n";
  CHECK(read(v1 + pod + sidecar +
             "@task(pod_template=two, requests=Resources(gpu='1'))\ndef t(): pass\n") ==
        "t? several containers of its pod may request GPUs\n");
  // Flyte 2's SDK keeps what the template asks for (flyte 2.12: task_serde.py).
  CHECK(
      read(v2 + pod.substr(pod.find('\n') + 1) +
           "from flyte import PodTemplate\n"
           "env = flyte.TaskEnvironment('e', pod_template=pod, resources=flyte.Resources(gpu=1))\n"
           "@env.task\ndef t(): pass\n") == "e.t: requests gpu=1 limits nvidia.com/gpu=2 pod\n");
}

TEST_CASE("Python tasks: a pod template may be the name of an object") {
  CHECK(read(v1 + "BASE = 'base'\n@task(pod_template_name=BASE, requests=Resources(gpu='1'))\n"
                  "def t(): pass\n") == "t: requests gpu=1 upon base\n");
  CHECK(read(v1 + "@task(pod_template_name='base')\ndef t(): pass\n") == "t: upon base\n");
  CHECK(
      read(v1 + "@task(pod_template_name=pick(), requests=Resources(gpu='1'))\ndef t(): pass\n") ==
      "t? the code computes its pod template\n");
  CHECK(read(v2 + "env = flyte.TaskEnvironment('e', pod_template='base')\n"
                  "@env.task\ndef t(): pass\n") == "e.t: upon base\n");
  CHECK(read(v1 + "@task(requests=Resources(gpu='1'))\ndef t(): pass\n"
                  "t().with_overrides(pod_template=pick())\n") ==
        "t: requests gpu=1\nt.with_overrides? its pod template is overridden\n");
}

TEST_CASE("Python tasks: what changes a name in place leaves it open") {
  const std::string with_more = "@task(**more)\ndef t(): pass\n";
  const std::string more = v1 + "more = {'requests': Resources(gpu='1')}\n";
  CHECK(read(more + with_more) == "t: requests gpu=1\n");
  CHECK(read(more + "more.update(requests=Resources(gpu='7'))\n" + with_more) ==
        "t? the code computes its arguments\n");
  CHECK(read(more + "def later():\n  more.pop('requests')\n" + with_more) ==
        "t? the code computes its arguments\n");
  const std::string with_n = "@task(requests=Resources(gpu=N))\ndef t(): pass\n";
  CHECK(read(v1 + "N = '1'\nif (N := '2'): pass\n" + with_n) == "t: requests gpu=?\n");
  CHECK(read(v1 + "N = '1'\nprint(N := '2')\n" + with_n) == "t: requests gpu=?\n");
  CHECK(read(v1 + "N = '1'\ndef other():\n  while N := read(): pass\n" + with_n) ==
        "t: requests gpu=1\n");
  CHECK(read(v1 + "class C:\n  N = '1'\nsetattr(C, 'N', '2')\n"
                  "@task(requests=Resources(gpu=C.N))\ndef t(): pass\n") == "t: requests gpu=?\n");
}

TEST_CASE("Python tasks: a name that is given in one place means that, or nothing at all") {
  const std::string with_n = "@task(requests=Resources(gpu=N))\ndef t(): pass\n";
  CHECK(read(v1 + "if big:\n  N = '8'\n" + with_n) == "t: requests gpu=8\n");
  CHECK(read(v1 + "N = '1'\nif big:\n  N = '8'\n" + with_n) == "t: requests gpu=8\n");
  CHECK(read(v1 + "for i in range(2):\n  N = str(i)\n" + with_n) == "t: requests gpu=?\n");
  CHECK(read(v1 + "for N in ('1', '2'): pass\n" + with_n) == "t: requests gpu=?\n");
  CHECK(read(v1 + "try:\n  from sizes import N\nexcept ImportError:\n  N = '8'\n" + with_n) ==
        "t: requests gpu=?\n");
  CHECK(read(v1 + "from sizes import *\nif big:\n  N = '8'\n" + with_n) == "t: requests gpu=?\n");
}

TEST_CASE("Python tasks: constants of classes are those of plain ones") {
  const auto with = [](const std::string& type) {
    return read(v1 + "from enum import Enum\nfrom dataclasses import dataclass\nG = '8'\n" + type +
                "@task(requests=Resources(gpu=C.N))\ndef t(): pass\n");
  };
  CHECK(with("class C:\n  N = '2'\n") == "t: requests gpu=2\n");
  CHECK(with("class B: pass\nclass C(B):\n  N = '2'\n") == "t: requests gpu=2\n");
  CHECK(with("@dataclass(frozen=True)\nclass C:\n  N: str = '2'\n") == "t: requests gpu=2\n");
  CHECK(with("class C(Enum):\n  N = '2'\n") == "t: requests gpu=?\n");
  CHECK(with("class C(metaclass=Meta):\n  N = '2'\n") == "t: requests gpu=?\n");
  CHECK(with("@change\nclass C:\n  N = '2'\n") == "t: requests gpu=?\n");
  CHECK(with("class C:\n  G = '2'\n  N = G\n") == "t: requests gpu=2\n");
  CHECK(with("class C:\n  N = G\n") == "t: requests gpu=8\n");
}

TEST_CASE("Python tasks: of branches the larger amount, if all of them are known") {
  const auto with = [](const std::string& before, const std::string& gpu) {
    return read(v1 + before + "@task(requests=Resources(gpu=" + gpu + "))\ndef t(): pass\n");
  };
  CHECK(with("", "'2' if a else '10'") == "t: requests gpu=10\n");
  CHECK(with("", "'2' if a else f()") == "t: requests gpu=?\n");
  CHECK(with("", "'2' if a else 'one'") == "t: requests gpu=?\n");
  CHECK(with("", "None if a else '1'") == "t: requests gpu=1\n");
  CHECK(with("", "'0' if a else None").empty());
  CHECK(with("N = '2' if a else '4' if b else '1'\n", "N") == "t: requests gpu=4\n");
  CHECK(with("N = N if a else '1'\n", "N") == "t: requests gpu=?\n");
  // an earlier value counts if one branch alone may replace it
  CHECK(with("N = '8'\nif a: N = '1'\n", "N") == "t: requests gpu=8\n");
  CHECK(with("N = '8'\nif a: N = '1'\nelse: N = '2'\n", "N") == "t: requests gpu=?\n");
  CHECK(with("if a: N = '8'\nelse: N = '1'\nN = '2'\n", "N") == "t: requests gpu=2\n");
  CHECK(with("if a: N = '1'\nelse: N = '2'\nN += '0'\n", "N") == "t: requests gpu=?\n");
  CHECK(with("if a: N = ['1']\nelse: N = ['2']\nN.append('3')\n", "N[0]") == "t: requests gpu=?\n");
  CHECK(read(v1 + "R = Resources(gpu='1') if a else Resources(gpu='4')\n"
                  "@task(requests=R)\ndef t(): pass\n") == "t: requests gpu=4\n");
  CHECK(read(v1 + "R = Resources(gpu='1') if a else f()\n@task(requests=R)\ndef t(): pass\n") ==
        "t? the code computes its resources\n");
}

TEST_CASE("Python tasks: an environment that is given other resources") {
  const std::string env =
      v2 + "e = flyte.TaskEnvironment(name='a', resources=flyte.Resources(gpu=1))\n";
  const std::string change = "e.resources = flyte.Resources(gpu=2)\n";
  const std::string task = "@e.task\ndef t(): pass\n";
  CHECK(read(env + change + task) == "a.t: requests gpu=2\n");
  CHECK(read(env + task + change) == "a.t: requests gpu=1\n");
  CHECK(read(env + "if a: " + change + task).empty());
  CHECK(read(env + "def f():\n  " + change + "f()\n" + task).empty());
  CHECK(read(env + "e.resources.gpu = 2\n" + task).empty());
}

TEST_CASE("Python tasks: what constants form, and what they do not") {
  const auto with = [](const std::string& before, const std::string& gpu) {
    return read(v1 + before + "@task(requests=Resources(gpu=" + gpu + "))\ndef t(): pass\n");
  };
  CHECK(with("import os\n", "os.environ.get('N', '2')") == "t: requests gpu=2\n");
  CHECK(with("from os import getenv\n", "getenv('N', default='2')") == "t: requests gpu=2\n");
  CHECK(with("import os\n", "os.environ.get('N', '0')") == "t: requests gpu=?\n");
  CHECK(with("import os\n", "os.environ.get('N', None)") == "t: requests gpu=?\n");
  CHECK(with("import os\n", "os.environ.get('N')") == "t: requests gpu=?\n");
  CHECK(with("from mine import str\n", "str(2)") == "t: requests gpu=?\n");
  CHECK(with("N = 2\n", "str(N * 2 + 1)") == "t: requests gpu=?\n");
  CHECK(with("N = 2\n", "str((N * 2) + 1)") == "t: requests gpu=5\n");
  CHECK(with("N = 2\n", "str(N * x)") == "t: requests gpu=?\n");
  CHECK(with("N = '2'\n", "N * 2") == "t: requests gpu=?\n");
  CHECK(with("A = B + B\nB = A + A\n", "A") == "t: requests gpu=?\n");
  const std::string config =
      "from dataclasses import dataclass\n@dataclass\nclass C:\n  n: str\n  m: str = '3'\n";
  CHECK(with(config + "c = C(n='2')\n", "c.n + c.m") == "t: requests gpu=23\n");
  CHECK(with(config + "c = C('2')\n", "c.n") == "t: requests gpu=?\n");
  CHECK(with(config + "c = C(n='2')\nc.n = '4'\n", "c.n") == "t: requests gpu=?\n");
  CHECK(with(config + "c = C(n='2')\nchange(c)\n", "c.n") == "t: requests gpu=?\n");
  CHECK(with(config + "  def __post_init__(self): self.n = '9'\nc = C(n='2')\n", "c.n") ==
        "t: requests gpu=?\n");
  CHECK(with("class C:\n  n = '3'\nc = C()\n", "c.n") == "t: requests gpu=?\n");
}

TEST_CASE("Python tasks: in classes, mapped ones, and amounts that flytekit passes over") {
  CHECK(read(v1 + "class TestTasks:\n  N = '2'\n  def test(self):\n"
                  "    @task(requests=Resources(gpu='1'))\n    def t(): pass\n") == "t! \n");
  CHECK(read(v1 + "from flytekit import map_task\nimport functools\n"
                  "@task\ndef t(): pass\n"
                  "@workflow\ndef wf():\n  p = functools.partial(t, a=1)\n"
                  "  map_task(p)(b=2).with_overrides(requests=Resources(gpu='1'))\n") ==
        "t.with_overrides:; requests gpu=1\n");
  CHECK(read(v1 + "@task(requests=Resources(gpu='', cpu='1'))\ndef t(): pass\n").empty());
  CHECK(read(v1 + "@task(requests=Resources(gpu='1'))\ndef t(): pass\n"
                  "t().with_overrides(interruptible=True)\n") ==
        "t: requests gpu=1\nt.with_overrides: requests gpu=1 interruptible\n");
}

TEST_CASE("Python tasks: a star gives the SDK's names where nothing else may") {
  const std::string t = "@task(requests=Resources(gpu='1'))\ndef t(): pass\n";
  CHECK(read("from flytekit import *\n" + t) == "t: requests gpu=1\n");
  CHECK(read("from flytekit import *\nfrom other import *\n" + t).empty());
  CHECK(read(v1 + "from other import *\n" + t) == "t: requests gpu=1\n");
}

TEST_CASE("Python tasks: copies of a pod template that ask for the same") {
  const auto with = [&](const std::string& pod) {
    return read(
        "import flyte\nenv = flyte.TaskEnvironment('e', resources=flyte.Resources(gpu='L4:1'), "
        "pod_template=" +
        pod + ")\n@env.task\ndef t(): pass\n");
  };
  CHECK(with("flyte.PodTemplate().allow_nested_sandboxing()") == with("flyte.PodTemplate()"));
  CHECK(with("flyte.PodTemplate().with_gpus()") == "e.t? the code computes its pod template\n");
}

TEST_CASE("Python tasks: plugins whose pods have what the task asks for") {
  const std::string imports =
      "from flytekitplugins.kfpytorch import Elastic, Master, PyTorch, Worker\n"
      "from flytekitplugins.ray import HeadNodeConfig, RayJobConfig, WorkerNodeConfig\n"
      "from flytekitplugins.spark import Spark\n"
      "NODES = 2\nTEXT = '2'\nworkers = [WorkerNodeConfig(group_name='w', replicas=NODES)]\n";
  const auto with = [&](const std::string& config) {
    return read(v1 + imports + "@task(task_config=" + config +
                ", requests=Resources(gpu='1'))\ndef t(): pass\n");
  };
  CHECK(with("Elastic(nnodes=1, nproc_per_node=8)") == "t: requests gpu=1\n");
  CHECK(with("RayJobConfig()") == "t: requests gpu=1 ray\n");
  CHECK(with("Elastic(nnodes=NODES)") == "t: requests gpu=1 kubeflow\n");
  CHECK(with("Elastic(nnodes=int(TEXT))") == "t: requests gpu=1 kubeflow\n");
  CHECK(with("Elastic(nnodes='1:4', nproc_per_node=int(x))") == "t: requests gpu=1 kubeflow\n");
  CHECK(with("PyTorch(worker=Worker(replicas=2), master=Master())") ==
        "t: requests gpu=1 kubeflow\n");
  CHECK(with("RayJobConfig(worker_node_config=workers, runtime_env={'a': 'b'})") ==
        "t: requests gpu=1 ray\n");
}

TEST_CASE("Python tasks: plugins whose pods may ask for something else") {
  const std::string imports =
      "from flytekitplugins.kfpytorch import Elastic, PyTorch, Worker\n"
      "from flytekitplugins.ray import HeadNodeConfig, RayJobConfig, WorkerNodeConfig\n"
      "from flytekitplugins.spark import Spark\n";
  for (const char* const config :
       {"Elastic(nnodes=choose())", "Elastic(**more)", "PyTorch(worker=choose())",
        "PyTorch(worker=Worker(replicas=2, requests=Resources(gpu='2')))", "PyTorch(**more)",
        "RayJobConfig(worker_node_config=[WorkerNodeConfig(group_name='w', pod_template=p)])",
        "RayJobConfig(head_node_config=HeadNodeConfig(**more))", "RayJobConfig([w])",
        "Spark(spark_conf={'spark.executor.resource.gpu.amount': '2'})", "Other()"}) {
    CHECK(read(v1 + imports + "@task(task_config=" + config +
               ", requests=Resources(gpu='1'))\ndef t(): pass\n") ==
          "t? its plugin decides on its pods\n");
  }
}

TEST_CASE("Python tasks: nodes stand where the Python was written") {
  const std::string text =
      v1 +
      "N = '8'\nbig = Resources(gpu=N, mem='1Gi')\n\n"
      "@task(requests=big, accelerator=A100.partition_1g_5gb)\ndef t(): pass\n";
  const SourceFile file(0, "tasks.py", text);
  const PythonTasks tasks = read_python_tasks(python::parse(file), file);
  REQUIRE(tasks.document);
  const Task task = read_task(root(*tasks.document).items().at(0), FlyteVersion::v1);
  CHECK(file.text(task.node.span()) == "task(requests=big, accelerator=A100.partition_1g_5gb)");
  REQUIRE(task.requests.size() == 2);
  CHECK(file.text(task.requests[0].name.span()) == "gpu");
  CHECK(file.text(task.requests[0].amount.span()) == "N");
  CHECK(file.text(task.requests[1].amount.span()) == "'1Gi'");
  CHECK(file.text(task.accelerator->device.span()) == "A100.partition_1g_5gb");
}

}  // namespace
}  // namespace gpulint::flyte::test
