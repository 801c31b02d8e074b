// What the functions read of plugins.k8s.
package config

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

type AcceleratorDeviceClassConfig struct {
	ResourceName                         v1.ResourceName
	DeviceNodeLabel                      string
	PartitionSizeNodeLabel               string
	UnpartitionedNodeSelectorRequirement *v1.NodeSelectorRequirement
	UnpartitionedToleration              *v1.Toleration
	PodTemplate                          *v1.PodTemplate
}
type K8sPluginConfig struct {
	GpuResourceName                         v1.ResourceName
	GpuDeviceNodeLabel                      string
	GpuPartitionSizeNodeLabel               string
	GpuUnpartitionedNodeSelectorRequirement *v1.NodeSelectorRequirement
	GpuUnpartitionedToleration              *v1.Toleration
	ResourceTolerations                     map[v1.ResourceName][]v1.Toleration `json:"resource-tolerations"`
	DefaultTolerations                      []v1.Toleration                     `json:"default-tolerations"`
	InterruptibleTolerations                []v1.Toleration                     `json:"interruptible-tolerations"`
	DefaultNodeSelector                     map[string]string                   `json:"default-node-selector"`
	InterruptibleNodeSelector               map[string]string                   `json:"interruptible-node-selector"`
	InterruptibleNodeSelectorRequirement    *v1.NodeSelectorRequirement         `json:"interruptible-node-selector-requirement"`
	NonInterruptibleNodeSelectorRequirement *v1.NodeSelectorRequirement         `json:"non-interruptible-node-selector-requirement"`
	DefaultAffinity                         *v1.Affinity                        `json:"default-affinity"`
	SchedulerName                           string                              `json:"scheduler-name"`
	DefaultCPURequest                       resource.Quantity
	DefaultMemoryRequest                    resource.Quantity
	DefaultSecurityContext                  *v1.SecurityContext
	DefaultPodSecurityContext               *v1.PodSecurityContext
	EnableHostNetworkingPod                 *bool
	DefaultPodDNSConfig                     *v1.PodDNSConfig
	AcceleratorDevices                      map[string]string
	AcceleratorDeviceClasses                map[string]AcceleratorDeviceClassConfig
	AddTolerationsForExtendedResources      []string
}

var Current K8sPluginConfig

func GetK8sPluginConfig() *K8sPluginConfig { return &Current }
