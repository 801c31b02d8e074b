// Answers questions about dynamic resource allocation with Kubernetes' own code: one JSON object a line in, one out.
//
//	{"selector": CEL, "device": {driver, allowMultipleAllocations, attributes, capacity}}
//	{"node": Node, "claims": [ResourceClaim …], "classes": [DeviceClass …], "slices": [ResourceSlice …],
//	 "rules": [DeviceTaintRule …], "allocated": [ResourceClaim …]}
//
// Rules add their taints before the allocator is asked, what claims have already is its state: both are the scheduler's own
// business, and done here as the API's documentation says.
// The answer repeats the question as `ask` and says `true`, `false` or `error` of a selector, `yes`, `no` or `error` of
// claims, with the devices of each claim.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

type device struct {
	Driver                   string                                                    `json:"driver"`
	AllowMultipleAllocations *bool                                                     `json:"allowMultipleAllocations"`
	Attributes               map[resourceapi.QualifiedName]resourceapi.DeviceAttribute `json:"attributes"`
	Capacity                 map[resourceapi.QualifiedName]resourceapi.DeviceCapacity  `json:"capacity"`
}

type question struct {
	Selector  *string                        `json:"selector"`
	Device    device                         `json:"device"`
	Node      corev1.Node                    `json:"node"`
	Claims    []*resourceapi.ResourceClaim   `json:"claims"`
	Classes   []*resourceapi.DeviceClass     `json:"classes"`
	Slices    []*resourceapi.ResourceSlice   `json:"slices"`
	Rules     []*resourceapi.DeviceTaintRule `json:"rules"`
	Allocated []*resourceapi.ResourceClaim   `json:"allocated"`
}

type answer struct {
	Ask     json.RawMessage `json:"ask"`
	Answer  string          `json:"answer"`
	Devices [][]string      `json:"devices,omitempty"`
	Text    string          `json:"text,omitempty"`
}

var celFeatures = cel.Features{EnableConsumableCapacity: true, EnableListTypeAttributes: true}

// What Kubernetes 1.37 can do without its alpha features.
var features = structured.Features{
	AdminAccess: true, ConsumableCapacity: true, DeviceBindingAndStatus: true, DeviceTaints: true,
	PartitionableDevices: true, PrioritizedList: true,
}

var compiled = cel.NewCache(1000, celFeatures)

func selects(q question) answer {
	program := compiled.GetOrCompile(*q.Selector)
	if program.Error != nil {
		return answer{Answer: "error", Text: program.Error.Error()}
	}
	matches, _, err := program.DeviceMatches(context.Background(), cel.Device{
		Driver: q.Device.Driver, AllowMultipleAllocations: q.Device.AllowMultipleAllocations,
		Attributes: q.Device.Attributes, Capacity: q.Device.Capacity})
	if err != nil {
		return answer{Answer: "error", Text: err.Error()}
	}
	return answer{Answer: fmt.Sprint(matches)}
}

type classes []*resourceapi.DeviceClass

func (c classes) List() ([]*resourceapi.DeviceClass, error) { return c, nil }
func (c classes) Get(name string) (*resourceapi.DeviceClass, error) {
	for _, class := range c {
		if class.Name == name {
			return class, nil
		}
	}
	return nil, fmt.Errorf("device class %q not found", name)
}

// complete writes what the API server adds to a claim.
func complete(claim *resourceapi.ResourceClaim) {
	amount := func(mode *resourceapi.DeviceAllocationMode, count *int64) {
		if *mode == "" {
			*mode = resourceapi.DeviceAllocationModeExactCount
		}
		if *mode == resourceapi.DeviceAllocationModeExactCount && *count == 0 {
			*count = 1
		}
	}
	for i := range claim.Spec.Devices.Requests {
		request := &claim.Spec.Devices.Requests[i]
		if request.Exactly != nil {
			amount(&request.Exactly.AllocationMode, &request.Exactly.Count)
		}
		for j := range request.FirstAvailable {
			amount(&request.FirstAvailable[j].AllocationMode, &request.FirstAvailable[j].Count)
		}
	}
}

func applies(selector *string, name string) bool { return selector == nil || *selector == name }

func taint(slices []*resourceapi.ResourceSlice, rule *resourceapi.DeviceTaintRule) {
	selector := rule.Spec.DeviceSelector
	if selector == nil {
		return
	}
	for _, slice := range slices {
		if !applies(selector.Driver, slice.Spec.Driver) || !applies(selector.Pool, slice.Spec.Pool.Name) {
			continue
		}
		for i := range slice.Spec.Devices {
			device := &slice.Spec.Devices[i]
			if applies(selector.Device, device.Name) {
				device.Taints = append(device.Taints, rule.Spec.Taint)
			}
		}
	}
}

// occupied is what claims have got already.
func occupied(claims []*resourceapi.ResourceClaim) structured.AllocatedState {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, claim := range claims {
		for _, one := range claim.Status.Allocation.Devices.Results {
			device := structured.MakeDeviceID(one.Driver, one.Pool, one.Device)
			switch {
			case one.AdminAccess != nil && *one.AdminAccess:
			case one.ShareID == nil:
				state.AllocatedDevices.Insert(device)
			default:
				state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(device, one.ShareID))
				if one.ConsumedCapacity != nil {
					state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(device, one.ConsumedCapacity))
				}
			}
		}
	}
	return state
}

func allocates(q question) answer {
	for _, rule := range q.Rules {
		taint(q.Slices, rule)
	}
	for _, claim := range q.Claims {
		complete(claim)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	allocator, err := structured.NewAllocator(ctx, features, occupied(q.Allocated), classes(q.Classes), q.Slices, compiled)
	if err != nil {
		panic(err)
	}
	results, err := allocator.Allocate(ctx, &q.Node, q.Claims)
	if err != nil {
		return answer{Answer: "error", Text: err.Error()}
	}
	if results == nil {
		return answer{Answer: "no"}
	}
	allocated := answer{Answer: "yes", Devices: [][]string{}}
	for _, result := range results {
		names := []string{}
		for _, one := range result.Devices.Results {
			names = append(names, fmt.Sprintf("%s=%s/%s/%s", one.Request, one.Driver, one.Pool, one.Device))
		}
		allocated.Devices = append(allocated.Devices, names)
	}
	return allocated
}

func reply(line []byte) []byte {
	var q question
	if err := json.Unmarshal(line, &q); err != nil {
		panic(err)
	}
	var a answer
	if q.Selector != nil {
		a = selects(q)
	} else {
		a = allocates(q)
	}
	a.Ask = line
	out, err := json.Marshal(a)
	if err != nil {
		panic(err)
	}
	return append(out, '\n')
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	const batch = 256
	for more := true; more; {
		var lines [][]byte
		for len(lines) < batch {
			if more = in.Scan(); !more {
				break
			}
			lines = append(lines, append([]byte(nil), in.Bytes()...))
		}
		replies := make([][]byte, len(lines))
		var group sync.WaitGroup
		for i := range lines {
			group.Add(1)
			go func() { defer group.Done(); replies[i] = reply(lines[i]) }()
		}
		group.Wait()
		for _, one := range replies {
			out.Write(one)
		}
	}
}
