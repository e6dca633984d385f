package plot

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExponentIsTheSlope(t *testing.T) {
	assert.InDelta(t, 1.5, Exponent([]Point{{10, 2 * math.Pow(10, 1.5)}, {100, 2 * math.Pow(100, 1.5)}, {1000, 2 * math.Pow(1000, 1.5)}}), 1e-9)
	assert.InDelta(t, 0, Exponent([]Point{{1, 7}, {10, 7}}), 1e-9)
	assert.True(t, math.IsNaN(Exponent(nil)))
	assert.True(t, math.IsNaN(Exponent([]Point{{5, 1}, {5, 2}})), "one X says nothing")
}

func TestEachPowerOfTenIsAsFarFromTheNext(t *testing.T) {
	x := newAxis([]float64{20, 9_000}, 0, 300)
	assert.Equal(t, []tick{{0, "10"}, {100, "100"}, {200, "1000"}, {300, "10000"}}, x.ticks())
	y := newAxis([]float64{1, 1}, 300, 0)
	assert.Equal(t, []tick{{300, "1"}, {0, "10"}}, y.ticks(), "one value has an axis too")
}

func TestChartIsXMLWithEveryPoint(t *testing.T) {
	var out strings.Builder
	require.NoError(t, Chart{Title: `a <b> & "c"`, X: "tables", Y: "ms", Lines: []Line{
		{"one", []Point{{10, 1}, {100, 3}}}, {"none", []Point{{10, 0}}},
	}}.WriteSVG(&out))
	circles, d := 0, xml.NewDecoder(strings.NewReader(out.String()))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err, out.String())
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "circle" {
			circles++
		}
	}
	assert.Equal(t, 2, circles, "a figure of 0 has no place on the axis")
	assert.Contains(t, out.String(), "a &lt;b&gt; &amp; &#34;c&#34;")
	assert.NotContains(t, out.String(), "ZgotmplZ")
	assert.ErrorContains(t, Chart{Title: "empty"}.WriteSVG(io.Discard), `nothing to draw in "empty"`)
}
