package files

import "testing"

// A search asks of every file of the project whether it is held back.
func BenchmarkSecret(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		secret("src/components/forms/inputs/text_input.component.spec.tsx")
	}
}
