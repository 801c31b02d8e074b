// What the functions call beside one another.
package utils

func UnionMaps(maps ...map[string]string) map[string]string {
	composite := map[string]string{}
	for _, m := range maps {
		for k, v := range m {
			composite[k] = v
		}
	}
	return composite
}
