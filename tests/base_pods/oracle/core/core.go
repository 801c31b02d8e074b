// What the functions ask of an accelerator.
package core

type isP interface{ x() }
type GPUAccelerator_Unpartitioned struct{ Unpartitioned bool }

func (*GPUAccelerator_Unpartitioned) x() {}

type GPUAccelerator_PartitionSize struct{ PartitionSize string }

func (*GPUAccelerator_PartitionSize) x() {}

type Class int

func (c Class) String() string { return "NVIDIA_GPU" }

type GPUAccelerator struct {
	Device string
	P      isP
}

func (g *GPUAccelerator) GetDevice() string          { return g.Device }
func (g *GPUAccelerator) GetPartitionSizeValue() isP { return g.P }
func (g *GPUAccelerator) GetDeviceClass() Class      { return 0 }
