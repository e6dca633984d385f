package pageapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkADesignOf1000Tables measures one page's first request, without the
// network: 1,000 tables of 15 columns.
func BenchmarkADesignOf1000Tables(b *testing.B) {
	var script strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&script, "CREATE TABLE T%04d (Id INTEGER PRIMARY KEY", i)
		for c := range 13 {
			fmt.Fprintf(&script, ", Column%02d TEXT", c)
		}
		fmt.Fprintf(&script, ", RefId INTEGER REFERENCES T%04d (Id));\n", i/2)
	}
	o := newOffice(b, script.String())
	_, id := o.open()
	for b.Loop() {
		body, _, err := o.Design(b.Context(), id)
		require.NoError(b, err)
		text, err := json.Marshal(body)
		require.NoError(b, err)
		b.SetBytes(int64(len(text)))
	}
}
