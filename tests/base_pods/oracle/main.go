// Pods that Flyte's functions (v1, v2: taken by record.py) build upon PodTemplates, for questions on standard input.
package main

import (
	"encoding/json"
	"fmt"
	v1api "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"oracle/config"
	"oracle/core"
	one "oracle/v1"
	two "oracle/v2"
	"os"
)

type Acc struct {
	Device        string `json:"device"`
	PartitionSize string `json:"partitionSize"`
	Unpartitioned *bool  `json:"unpartitioned"`
}
type Case struct {
	Flyte         int                        `json:"flyte"`
	Config        config.K8sPluginConfig     `json:"config"`
	Platform      v1api.ResourceRequirements `json:"platform"`
	Interruptible bool                       `json:"interruptible"`
	Accelerator   *Acc                       `json:"accelerator"`
	Primary       string                     `json:"primary"`
	Pod           v1api.PodSpec              `json:"pod"`
	Template      v1api.PodTemplate          `json:"template"`
	Override      *v1api.ResourceRequirements `json:"override"`
}
type meta struct{ i bool }

func (m meta) IsInterruptible() bool        { return m.i }
func (m meta) GetK8sServiceAccount() string { return "" }
func check(e error) {
	if e != nil {
		panic(e)
	}
}

// What flyteadmin makes of a task's GPUs without limits of the platform (setCompiledTaskDefaults).
func complete(r *v1api.ResourceRequirements) {
	gpu := one.AdjustOrDefaultResource(r.Requests[one.ResourceNvidiaGPU], r.Limits[one.ResourceNvidiaGPU], resource.Quantity{}, resource.Quantity{})
	if gpu.Request.IsZero() {
		return
	}
	one.MergeResources(v1api.ResourceRequirements{
		Requests: v1api.ResourceList{one.ResourceNvidiaGPU: gpu.Request},
		Limits:   v1api.ResourceList{one.ResourceNvidiaGPU: gpu.Limit}}, r)
}

func main() {
	var cases []Case
	check(json.NewDecoder(os.Stdin).Decode(&cases))
	out := []map[string]interface{}{}
	for _, c := range cases {
		config.Current = c.Config
		k := &config.Current // the rest is as Flyte has it by default
		k.GpuResourceName = "nvidia.com/gpu"
		k.GpuDeviceNodeLabel = "k8s.amazonaws.com/accelerator"
		k.GpuPartitionSizeNodeLabel = "k8s.amazonaws.com/gpu-partition-size"
		k.DefaultCPURequest = resource.MustParse("1000m")
		k.DefaultMemoryRequest = resource.MustParse("1024Mi")
		pod := &c.Pod
		req := []v1api.ResourceRequirements{}
		for i := range pod.Containers {
			r := &pod.Containers[i].Resources
			if c.Override != nil {
				complete(r)
				one.MergeResources(*c.Override, r)
			}
			if c.Flyte == 1 {
				t := one.ExtractContainerResourcesFromPodTemplate(&c.Template, pod.Containers[i].Name, false)
				one.MergeResourcesIfMissing(t, r)
				*r = one.ApplyResourceOverrides(*r, c.Platform, true)
			} else {
				*r = two.ApplyResourceOverrides(*r, c.Platform, true)
			}
			req = append(req, *r)
		}
		var err error
		if c.Flyte == 1 {
			one.UpdatePod(meta{c.Interruptible}, req, pod)
			pod, err = one.MergeBasePodSpecOntoTemplate(&c.Template.Template.Spec, pod, c.Primary, "")
		} else {
			two.UpdatePod(meta{c.Interruptible}, req, pod)
			pod, err = two.MergeBasePodSpecOntoTemplate(&c.Template.Template.Spec, pod, c.Primary, "")
		}
		check(err)
		if c.Accelerator != nil {
			a := &core.GPUAccelerator{Device: c.Accelerator.Device}
			if c.Accelerator.Unpartitioned != nil {
				a.P = &core.GPUAccelerator_Unpartitioned{Unpartitioned: *c.Accelerator.Unpartitioned}
			}
			if c.Accelerator.PartitionSize != "" {
				a.P = &core.GPUAccelerator_PartitionSize{PartitionSize: c.Accelerator.PartitionSize}
			}
			if c.Flyte == 1 {
				one.ApplyGPUNodeSelectors(pod, a)
			} else {
				two.ApplyGPUNodeSelectors(pod, a)
			}
		}
		var primary v1api.Container
		for _, x := range pod.Containers {
			if x.Name == c.Primary {
				primary = x
			}
		}
		e := map[string]interface{}{"tolerations": pod.Tolerations, "nodeSelector": pod.NodeSelector, "affinity": pod.Affinity, "schedulerName": pod.SchedulerName, "runtimeClassName": pod.RuntimeClassName, "resources": primary.Resources}
		out = append(out, e)
	}
	b, err := json.Marshal(out)
	check(err)
	fmt.Println(string(b))
}
