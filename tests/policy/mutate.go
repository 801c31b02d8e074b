package main

import (
	"context"
	"io"
	"strings"

	"github.com/google/cel-go/cel"
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	yamlutil "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// The first release that serves MutatingAdmissionPolicy v1.
const firstOfMutations = "1.36"

func readMutating(text string) *v1.MutatingAdmissionPolicy {
	decoder := yamlutil.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		object := map[string]any{}
		if err := decoder.Decode(&object); err == io.EOF {
			panic("no MutatingAdmissionPolicy")
		} else if err != nil {
			panic(err)
		}
		if object["kind"] != "MutatingAdmissionPolicy" {
			continue
		}
		policy := &v1.MutatingAdmissionPolicy{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object, policy, true); err != nil {
			panic(err)
		}
		return policy
	}
}

// mutate gives every object as the policy leaves it; match conditions are those of the other policies and not asked.
func mutate(q question) []any {
	policy := readMutating(q.Mutating)
	compiler, err := plugincel.NewCompositedCompiler(environmentOf(firstOfMutations))
	if err != nil {
		panic(err)
	}
	options := plugincel.OptionalVariableDeclarations{HasAuthorizer: true}
	var variables []plugincel.NamedExpressionAccessor
	for _, v := range policy.Spec.Variables {
		variables = append(variables, expression{v.Name, v.Expression, []*cel.Type{cel.AnyType, cel.DynType}})
	}
	compiler.CompileAndStoreVariables(variables, options, environment.NewExpressions)
	options.HasPatchTypes = true
	var patchers []patch.Patcher
	for _, m := range policy.Spec.Mutations {
		condition := &patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}
		patchers = append(patchers, patch.NewJSONPatcher(compiler.CompileMutatingEvaluator(condition, options, environment.NewExpressions)))
	}
	objects := []any{}
	for _, s := range q.Objects {
		object := &unstructured.Unstructured{Object: s.Object}
		for _, patcher := range patchers {
			gvk := object.GroupVersionKind()
			resource := gvk.GroupVersion().WithResource(plural(gvk.Kind))
			attributes := &admission.VersionedAttributes{
				Attributes: admission.NewAttributesRecord(object, nil, gvk, "default", object.GetName(), resource, "",
					admission.Create, nil, true, nil),
				VersionedKind: gvk, VersionedObject: admission.NewLazyObject(object),
			}
			patched, err := patcher.Patch(compiler.CreateContext(context.Background()), patch.Request{MatchedResource: resource, VersionedAttributes: attributes,
				ObjectInterfaces: admission.NewObjectInterfacesFromScheme(runtime.NewScheme())}, celconfig.RuntimeCELCostBudget)
			if err != nil {
				continue // failurePolicy: Ignore
			}
			object = patched.(*unstructured.Unstructured)
		}
		objects = append(objects, object.Object)
	}
	return objects
}
