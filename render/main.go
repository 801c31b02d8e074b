// Command gpulint-render renders Helm charts and kustomizations for gpulint. It reads one request per line from standard
// input and writes one answer per line to standard output, both in JSON. README.md describes them and the limits.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sort"
	"strings"
	"sync"
	"time"
)

// Of one request. A watch sees softMemory; the kernel refuses more than hardMemory, which ends the process at once.
const (
	softMemory  = 1024 << 20
	hardMemory  = 2048 << 20
	outputLimit = 64 << 20
	errorLength = 1000
	limitStatus = 3 // exit status when a request exceeds a limit
)

var version = "0.0.0" // of gpulint; the build sets it

var (
	helmVersion      = strings.TrimPrefix(moduleVersion("helm.sh/helm/v3"), "v")
	kustomizeVersion = "5.8" // of the command that has api v0.21
)

type layer struct{ Name, Text string }

type request struct {
	ID            json.RawMessage
	Hello         bool
	Chart         string
	Values        []layer // lowest first
	Release       string
	Namespace     string
	KubeVersion   string
	CheckSchema   bool
	Kustomization string
	Root          string
	Files         map[string]string // texts that replace files: relative to the chart, or absolute
	Known         map[string]string // template to the SHA-256 of the text that gpulint has
}

// output is one rendered template; the whole build of a kustomization has no name.
type output struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// limitError ends the process after its answer.
type limitError string

func (e limitError) Error() string { return string(e) }

// server answers one request at a time; the watch may answer in its place, and then ends the process.
type server struct {
	out   io.Writer
	mutex sync.Mutex
	busy  json.RawMessage // id of the request in work, or null
	since time.Duration   // processor time when it began
}

func main() {
	showVersion := flag.Bool("version", false, "print versions")
	seconds := flag.Int("cpu-seconds", 20, "processor time that a request may take")
	flag.Parse()
	if *showVersion {
		fmt.Printf("gpulint-render %s (Helm %s, kustomize %s)\n", version, helmVersion, kustomizeVersion)
		return
	}
	isolate()
	serve(os.Stdin, os.Stdout, time.Duration(*seconds)*time.Second)
}

// isolate takes away what a chart could reach: environment, programs, network, memory.
func isolate() {
	os.Clearenv()
	os.Setenv("PATH", "")
	http.DefaultTransport = noNetwork{}
	log.SetOutput(io.Discard)
	debug.SetMemoryLimit(softMemory * 3 / 4)
	debug.SetGCPercent(400)
	enterSandbox()
}

// noNetwork is what kustomize's loader meets where it would download.
type noNetwork struct{}

func (noNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("gpulint downloads nothing: %s", r.URL)
}

func serve(in io.Reader, out io.Writer, cpu time.Duration) {
	s := &server{out: out}
	go s.watch(cpu)
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			s.answer(line)
		}
		if err != nil {
			return
		}
	}
}

// watch ends the process when a request exceeds a limit: templates cannot be stopped from outside.
func (s *server) watch(cpu time.Duration) {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(20 * time.Millisecond) {
		s.mutex.Lock()
		if s.busy != nil {
			metrics.Read(sample)
			if sample[0].Value.Uint64()-sample[1].Value.Uint64() > softMemory {
				s.fail(limitError(fmt.Sprintf("it needs more than %d MiB of memory", softMemory>>20)))
			} else if processorTime()-s.since > cpu {
				s.fail(limitError(fmt.Sprintf("it needs more than %d s of processor time", int(cpu.Seconds()))))
			}
		}
		s.mutex.Unlock()
	}
}

func (s *server) answer(line []byte) {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		r = request{ID: json.RawMessage("0")}
		s.begin(r.ID)
		s.end(nil, nil, fmt.Errorf("the request is not JSON of the protocol: %w", err))
		return
	}
	if r.ID == nil {
		r.ID = json.RawMessage("0")
	}
	s.begin(r.ID)
	if r.Hello {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.write(map[string]any{"version": "gpulint-render " + version, "helm": helmVersion, "kustomize": kustomizeVersion})
		return
	}
	outputs, missing, err := render(&r)
	s.end(selectOutputs(outputs, r.Known), missing, err)
}

// render turns panics of the libraries into errors.
func render(r *request) (outputs []output, missing []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			outputs, err = nil, fmt.Errorf("the renderer failed: %v", p)
		}
	}()
	switch {
	case r.Chart != "":
		outputs, missing, err = renderChart(r)
	case r.Kustomization != "":
		outputs, err = renderKustomization(r)
	default:
		err = errors.New("the request has neither `chart` nor `kustomization`")
	}
	size := 0
	for _, each := range outputs {
		size += len(each.Text)
	}
	if size > outputLimit {
		return nil, nil, limitError(fmt.Sprintf("the rendered text has %d MiB, more than %d MiB", size>>20, outputLimit>>20))
	}
	sort.Slice(outputs, func(a, b int) bool { return outputs[a].Name < outputs[b].Name })
	return outputs, missing, err
}

// selectOutputs leaves out the texts that gpulint has.
func selectOutputs(outputs []output, known map[string]string) []any {
	selected := make([]any, 0, len(outputs))
	for _, each := range outputs {
		digest := sha256.Sum256([]byte(each.Text))
		if hash, ok := known[each.Name]; ok && hash == hex.EncodeToString(digest[:]) {
			selected = append(selected, map[string]any{"name": each.Name, "same": true})
		} else {
			selected = append(selected, each)
		}
	}
	return selected
}

func (s *server) begin(id json.RawMessage) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.busy, s.since = id, processorTime()
}

func (s *server) end(outputs []any, missing []string, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err != nil {
		s.fail(err)
		return
	}
	if missing == nil {
		missing = []string{}
	}
	s.write(map[string]any{"templates": outputs, "missing": missing})
}

func (s *server) fail(err error) {
	line := strings.Join(strings.Fields(err.Error()), " ")
	if len(line) > errorLength {
		line = strings.ToValidUTF8(line[:errorLength], "") + "…"
	}
	s.write(map[string]any{"error": line})
	if errors.As(err, new(limitError)) {
		os.Exit(limitStatus)
	}
}

func (s *server) write(answer map[string]any) {
	answer["id"] = s.busy
	s.busy = nil
	encoder := json.NewEncoder(s.out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(answer) != nil {
		os.Exit(1) // gpulint is gone
	}
}

// moduleVersion is the version of a module that is linked in, or empty.
func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == path {
				return module.Version
			}
		}
	}
	return ""
}
