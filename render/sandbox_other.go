//go:build !linux

package main

import "time"

var started = time.Now()

func enterSandbox() {}

// processorTime is the wall time here.
func processorTime() time.Duration { return time.Since(started) }
