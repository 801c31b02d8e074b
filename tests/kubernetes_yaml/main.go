// Reads texts as Kubernetes reads manifests and prints what came of each.
//
// Standard input: for each text its length in bytes as a line of digits, then the text.
// Standard output: for each text one line of JSON: {"documents": [value, …]}, "error": "…" where the
// reader refused to go on, and "ignored": true where it passed over text behind a document (`...`).
// Values are as kubectl sends them on: null documents are left out.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	yamlv2 "go.yaml.in/yaml/v2"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// The size that kubectl gives the reader (cli-runtime, pkg/resource/visitor.go).
const bufferSize = 4096

type answer struct {
	Documents []json.RawMessage `json:"documents"`
	Error     string            `json:"error,omitempty"`
	Ignored   bool              `json:"ignored,omitempty"`
}

// normal is a value as encoding/json writes it: keys sorted, the last of equal keys, numbers as written.
func normal(raw json.RawMessage) (json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// ignoresText tells whether some document of a YAML stream is followed by more than its reader, which
// takes one document from what stands between two `---`, ever looks at.
func ignoresText(text []byte) bool {
	stream := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		part, err := stream.Read()
		if err != nil {
			return false
		}
		decoder := yamlv2.NewDecoder(bytes.NewReader(part))
		var first, more any
		if decoder.Decode(&first) == nil && decoder.Decode(&more) != io.EOF {
			return true
		}
	}
}

// yamlPart is what the decoder reads as YAML of a text that begins as JSON: all but a first object that is
// followed by something else, and the blanks behind that up to the end of their line. Nothing where all
// is JSON, or where two objects have made the text a stream of JSON.
func yamlPart(text []byte) []byte {
	decoder := json.NewDecoder(bytes.NewReader(text))
	var end int64
	for count := 0; ; count++ {
		var value json.RawMessage
		err := decoder.Decode(&value)
		if err == io.EOF || (err != nil && count > 1) {
			return nil
		}
		if err != nil {
			break
		}
		end = decoder.InputOffset()
	}
	rest := text[end:]
	for len(rest) > 0 && unicode.IsSpace(rune(rest[0])) {
		isBreak := rest[0] == '\n'
		rest = rest[1:]
		if isBreak {
			break
		}
	}
	return rest
}

// yamlError is what a reader of YAML refuses in a text; the decoder only tells what is wrong as JSON.
func yamlError(text []byte) error {
	decoder := yaml.NewYAMLToJSONDecoder(bytes.NewReader(text))
	for {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// decoded is a text of UTF-16 with its mark as UTF-8, which kubectl makes of it before it is read
// (cli-runtime, pkg/resource/visitor.go, BOMOverride); every other text as it is.
func decoded(text []byte) []byte {
	isLittle := bytes.HasPrefix(text, []byte{0xff, 0xfe})
	if !isLittle && !bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		return text
	}
	var units []uint16
	for at := 2; at+1 < len(text); at += 2 {
		high, low := text[at], text[at+1]
		if isLittle {
			high, low = low, high
		}
		units = append(units, uint16(high)<<8|uint16(low))
	}
	return []byte(string(utf16.Decode(units)))
}

// read takes documents until the reader's end or its first error, as kubectl does.
func read(text []byte) (result answer) {
	result.Documents = []json.RawMessage{}
	defer func() {
		if panicked := recover(); panicked != nil {
			result.Error = fmt.Sprintf("panic: %v", panicked)
		}
	}()
	text = decoded(text)
	asYAML := text
	if yaml.IsJSONBuffer(text) {
		asYAML = yamlPart(text)
	}
	result.Ignored = ignoresText(asYAML)
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), bufferSize)
	for {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if err == io.EOF {
			return result
		}
		if err == nil && len(raw) > 0 && string(raw) != "null" {
			if raw, err = normal(raw); err == nil {
				result.Documents = append(result.Documents, raw)
			}
		}
		if err != nil {
			result.Error = err.Error()
			if other := yamlError(asYAML); other != nil && other.Error() != err.Error() {
				result.Error += "; " + other.Error()
			}
			return result
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "kubernetes_yaml:", err)
	os.Exit(2)
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF && line == "" {
			break
		}
		if err != nil {
			fail(err)
		}
		size, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			fail(err)
		}
		text := make([]byte, size)
		if _, err = io.ReadFull(in, text); err != nil {
			fail(err)
		}
		if err = encoder.Encode(read(text)); err != nil {
			fail(err)
		}
	}
	if err := out.Flush(); err != nil {
		fail(err)
	}
}
