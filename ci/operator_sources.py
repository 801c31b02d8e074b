"""Where operator_keys.py finds charts and definitions of custom resources, and which releases count."""

GPU_OPERATOR = ["v22.9.2", "v23.3.2", "v23.6.2", "v23.9.2", "v24.3.0", "v24.6.2", "v24.9.2", "v25.3.4", "v25.10.1",
                "v26.3.3", "v26.7.0"]
DISCOVERY = ["v0.12.5", "v0.13.6", "v0.14.6", "v0.15.7", "v0.16.9", "v0.17.4", "v0.18.3", "v0.19.0"]
KUBERAY = ["v0.4.0", "v0.5.2", "v0.6.0", "v1.0.0", "v1.1.1", "v1.2.2", "v1.3.2", "v1.4.2", "v1.5.2", "v1.6.2", "v1.7.0"]
# Of its resources those whose fields are still served: 1.1 took `serveConfig` and `runtimeEnv` away.
RAY = ["v1.1.1", "v1.2.2", "v1.3.2", "v1.4.2", "v1.5.2", "v1.6.2", "v1.7.0"]
KUEUE = ["v0.6.3", "v0.7.1", "v0.8.4", "v0.9.5", "v0.10.6", "v0.11.9", "v0.12.10", "v0.13.10", "v0.14.8", "v0.15.8",
         "v0.16.9", "v0.17.8", "v0.18.6", "v0.19.2"]
NETWORK = ["v23.7.0", "v24.1.1", "v24.7.1", "v24.10.1", "v25.1.0", "v25.4.0", "v25.7.0", "v25.10.0", "v26.1.2", "v26.4.1"]
VOLCANO = ["v1.7.0", "v1.8.2", "v1.9.1", "v1.10.2", "v1.11.2", "v1.12.4", "v1.13.3", "v1.14.4", "v1.15.1"]
KAI = ["v0.4.19", "v0.5.5", "v0.6.17", "v0.7.13", "v0.8.5", "v0.9.14", "v0.10.5", "v0.12.17", "v0.13.0", "v0.20.1"]
AMD = ["v1.0.0", "v1.1.0", "v1.2.2", "v1.3.1", "v1.4.1", "v1.5.1"]
INTEL = "intel/intel-device-plugins-for-kubernetes"


def chart(name, charts, repository, folder, releases, *earlier):
    return {"name": name, "charts": charts, "repository": repository, "folders": [folder, *earlier], "releases": releases}


# Keys that values of no other chart have three of (or all, where they are fewer); a path alone is enough.
SIGNS = {
    "GPU Operator": ["dcgmExporter", "devicePlugin", "driver", "driver.nvidiaDriverCRD", "driver.rdma", "gfd", "mig", "migManager",
                     "migManager.config", "nodeStatusExporter", "operator.defaultRuntime", "sandboxWorkloads.defaultWorkload",
                     "sandboxWorkloads.enabled", "toolkit", "toolkit.env", "vgpuManager"],
    "NVIDIA's device plugin": ["compatWithCPUManager", "deviceIDStrategy", "deviceListStrategy", "failOnInitError",
                               "migStrategy", "nvidiaDriverRoot"],
    "NVIDIA's DRA driver": ["resources.computeDomains.enabled", "resources.gpus.enabled"],
    "HAMi": ["devicePlugin", "resourceCores", "resourceMem", "resourceName", "scheduler"],
    "AMD's GPU Operator": ["controllerManager", "deviceConfig", "kmm"],
    "the chart ray-cluster": ["additionalWorkerGroups", "head", "worker"],
    "vLLM's production stack": ["routerSpec", "servingEngineSpec"],
}


CHARTS = [
    chart("GPU Operator", ["gpu-operator"], "NVIDIA/gpu-operator", "deployments/gpu-operator", GPU_OPERATOR),
    chart("NVIDIA's device plugin", ["nvidia-device-plugin"], "NVIDIA/k8s-device-plugin",
          "deployments/helm/nvidia-device-plugin",
          ["v0.12.3", "v0.13.0", "v0.14.5", "v0.15.1", "v0.16.2", "v0.17.4", "v0.18.2", "v0.19.3", "v0.20.0"]),
    chart("DCGM exporter", ["dcgm-exporter"], "NVIDIA/dcgm-exporter", "deployment",
          ["3.1.8-3.1.5", "3.2.5-3.1.7", "3.3.9-3.6.1", "4.1.1-4.0.4", "4.4.2-4.7.1", "4.5.3-4.8.2"]),
    chart("Node Feature Discovery", ["node-feature-discovery"], "kubernetes-sigs/node-feature-discovery",
          "deployment/helm/node-feature-discovery", DISCOVERY),
    chart("NVIDIA's DRA driver", ["nvidia-dra-driver-gpu", "dra-driver-nvidia-gpu"], "NVIDIA/k8s-dra-driver-gpu",
          "deployments/helm/dra-driver-nvidia-gpu", ["v25.3.2", "v25.8.1", "v25.12.0"],
          "deployments/helm/nvidia-dra-driver-gpu"),
    chart("NVIDIA's Network Operator", ["network-operator"], "Mellanox/network-operator", "deployment/network-operator",
          NETWORK),
    chart("AMD's GPU Operator", ["gpu-operator-charts"], "ROCm/gpu-operator", "helm-charts-k8s", AMD),
    chart("AMD's device plugin", ["amd-gpu"], "ROCm/k8s-device-plugin", "helm/amd-gpu",
          ["amd-gpu-helm-0.19.0", "amd-gpu-helm-0.20.0", "amd-gpu-helm-0.21.0"]),
    chart("Intel's GPU device plugin", ["intel-device-plugins-gpu"], "intel/helm-charts", "charts/gpu-device-plugin", []),
    chart("KubeRay", ["kuberay-operator"], "ray-project/kuberay", "helm-chart/kuberay-operator", KUBERAY),
    chart("the chart ray-cluster", ["ray-cluster"], "ray-project/kuberay", "helm-chart/ray-cluster", KUBERAY),
    chart("Kueue", ["kueue"], "kubernetes-sigs/kueue", "charts/kueue", KUEUE),
    chart("Volcano", ["volcano"], "volcano-sh/volcano", "installer/helm/chart/volcano", VOLCANO),
    chart("HAMi", ["hami"], "Project-HAMi/HAMi", "charts/hami",
          ["v2.4.1", "v2.5.3", "v2.6.1", "v2.7.1", "v2.8.3", "v2.9.0", "v2.10.0"]),
    chart("KAI Scheduler", ["kai-scheduler"], "NVIDIA/KAI-Scheduler", "deployments/kai-scheduler", KAI),
    chart("vLLM's production stack", ["vllm-stack"], "vllm-project/production-stack", "helm",
          [f"vllm-stack-0.1.{patch}" for patch in range(1, 13)]),
]


def kind(name, group, repository, releases, *paths):
    return {"kind": name, "group": group, "repository": repository, "releases": releases, "paths": paths}


KINDS = [
    kind("ClusterPolicy", "nvidia.com", "NVIDIA/gpu-operator", GPU_OPERATOR,
         "config/crd/bases/nvidia.com_clusterpolicies.yaml"),
    kind("NVIDIADriver", "nvidia.com", "NVIDIA/gpu-operator", GPU_OPERATOR,
         "config/crd/bases/nvidia.com_nvidiadrivers.yaml"),
    kind("NicClusterPolicy", "mellanox.com", "Mellanox/network-operator", NETWORK,
         "config/crd/bases/mellanox.com_nicclusterpolicies.yaml"),
    kind("DeviceConfig", "amd.com", "ROCm/gpu-operator", AMD, "config/crd/bases/amd.com_deviceconfigs.yaml"),
    kind("GpuDevicePlugin", "deviceplugin.intel.com", INTEL, [],
         "deployments/operator/crd/bases/deviceplugin.intel.com_gpudeviceplugins.yaml"),
    kind("NodeFeatureRule", "nfd.k8s-sigs.io", "kubernetes-sigs/node-feature-discovery", DISCOVERY,
         "deployment/base/nfd-crds/nfd-api-crds.yaml"),
    kind("RayCluster", "ray.io", "ray-project/kuberay", RAY, "ray-operator/config/crd/bases/ray.io_rayclusters.yaml"),
    kind("RayJob", "ray.io", "ray-project/kuberay", RAY, "ray-operator/config/crd/bases/ray.io_rayjobs.yaml"),
    kind("RayService", "ray.io", "ray-project/kuberay", RAY, "ray-operator/config/crd/bases/ray.io_rayservices.yaml"),
    kind("ClusterQueue", "kueue.x-k8s.io", "kubernetes-sigs/kueue", KUEUE,
         "config/components/crd/bases/kueue.x-k8s.io_clusterqueues.yaml"),
    kind("LocalQueue", "kueue.x-k8s.io", "kubernetes-sigs/kueue", KUEUE,
         "config/components/crd/bases/kueue.x-k8s.io_localqueues.yaml"),
    kind("ResourceFlavor", "kueue.x-k8s.io", "kubernetes-sigs/kueue", KUEUE,
         "config/components/crd/bases/kueue.x-k8s.io_resourceflavors.yaml"),
    kind("Queue", "scheduling.volcano.sh", "volcano-sh/volcano", VOLCANO,
         "config/crd/volcano/bases/scheduling.volcano.sh_queues.yaml"),
    kind("Job", "batch.volcano.sh", "volcano-sh/volcano", VOLCANO, "config/crd/volcano/bases/batch.volcano.sh_jobs.yaml"),
    kind("Queue", "scheduling.run.ai", "NVIDIA/KAI-Scheduler", KAI,
         "deployments/kai-scheduler/crds/scheduling.run.ai_queues.yaml"),
    kind("NIMService", "apps.nvidia.com", "NVIDIA/k8s-nim-operator", [],
         "config/crd/bases/apps.nvidia.com_nimservices.yaml"),
]
