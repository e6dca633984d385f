// Package plot draws how figures grow: lines on two logarithmic axes, as SVG.
// On such axes a power law is a straight line, and its exponent the slope.
//
// It is a template of its own because the plotting libraries of Go each bring
// ten modules and a font renderer for what is a dozen lines and labels here.
package plot

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
)

// Point is one figure: Y measured at X. Both are positive.
type Point struct{ X, Y float64 }

// Line is what was measured of one thing, by rising X.
type Line struct {
	Name   string
	Points []Point
}

// Chart is a plot of lines. A point that is not positive is left out.
type Chart struct {
	Title, X, Y string // X and Y are the axes' labels, with their units
	Lines       []Line
}

// Exponent returns e of the power law y = c·xᵉ that is nearest to the points
// by least squares of the logarithms: 1 is proportional, 0 constant. It is NaN
// of fewer than two different X.
func Exponent(points []Point) float64 {
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		x, y := math.Log(p.X), math.Log(p.Y)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	spread := n*sxx - sx*sx
	if spread <= 1e-9 {
		return math.NaN()
	}
	return (n*sxy - sx*sy) / spread
}

// The drawing's measures, in pixels. The legend stands right of the axes.
const (
	width, height          = 800, 420
	left, right, top, base = 70, 510, 40, 370
)

// colors tell the lines apart, also by eyes that see few of them (Okabe, Ito).
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"}

// axis is a logarithmic axis from low to high on the pixels from start to end.
type axis struct{ low, high, start, end float64 }

func (a axis) at(v float64) float64 {
	return a.start + (math.Log10(v)-a.low)/(a.high-a.low)*(a.end-a.start)
}

// newAxis goes from the power of ten below all values to that above them.
func newAxis(values []float64, start, end float64) axis {
	a := axis{low: math.Inf(1), high: math.Inf(-1), start: start, end: end}
	for _, v := range values {
		a.low, a.high = min(a.low, math.Floor(math.Log10(v))), max(a.high, math.Ceil(math.Log10(v)))
	}
	if a.low >= a.high {
		a.high = a.low + 1
	}
	return a
}

// tick is a labelled power of ten.
type tick struct {
	At    float64
	Label string
}

func (a axis) ticks() []tick {
	var all []tick
	for e := a.low; e <= a.high; e++ {
		v := math.Pow(10, e)
		all = append(all, tick{a.at(v), fmt.Sprintf("%g", v)})
	}
	return all
}

// drawn is a line as the template wants it.
type drawn struct {
	Name, Color, Path string
	Dashed            bool    // its color is another line's, too
	Dots              []Point // in pixels
	LegendY           int
}

// WriteSVG writes the chart.
func (c Chart) WriteSVG(w io.Writer) error {
	var xs, ys []float64
	kept := make([][]Point, len(c.Lines))
	for i, l := range c.Lines {
		for _, p := range l.Points {
			if p.X > 0 && p.Y > 0 {
				kept[i], xs, ys = append(kept[i], p), append(xs, p.X), append(ys, p.Y)
			}
		}
	}
	if len(xs) == 0 {
		return fmt.Errorf("nothing to draw in %q", c.Title)
	}
	x, y := newAxis(xs, left, right), newAxis(ys, base, top)
	var lines []drawn
	for i, l := range c.Lines {
		d := drawn{Name: l.Name, Color: colors[i%len(colors)], Dashed: i >= len(colors), LegendY: top + 10 + 20*i}
		var path []string
		for _, p := range kept[i] {
			dot := Point{x.at(p.X), y.at(p.Y)}
			d.Dots = append(d.Dots, dot)
			path = append(path, fmt.Sprintf("%.1f,%.1f", dot.X, dot.Y))
		}
		d.Path = strings.Join(path, " ")
		lines = append(lines, d)
	}
	return drawing.Execute(w, map[string]any{
		"Chart": c, "Lines": lines, "XTicks": x.ticks(), "YTicks": y.ticks(),
		"Width": width, "Height": height, "Left": left, "Right": right, "Top": top, "Base": base,
		"Middle": (left + right) / 2, "Half": (top + base) / 2, "Legend": right + 20, "LegendEnd": right + 36,
	})
}

// drawing has a white ground of its own, so that it is read in dark themes too.
var drawing = template.Must(template.New("svg").Parse(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{.Width}} {{.Height}}" font-family="sans-serif" font-size="12">
<rect width="{{.Width}}" height="{{.Height}}" fill="#ffffff"/>
<text x="{{.Left}}" y="22" font-size="15" font-weight="bold">{{.Chart.Title}}</text>
{{range .XTicks}}<line x1="{{printf "%.1f" .At}}" y1="{{$.Top}}" x2="{{printf "%.1f" .At}}" y2="{{$.Base}}" stroke="#dddddd"/><text x="{{printf "%.1f" .At}}" y="{{$.Base}}" dy="16" text-anchor="middle">{{.Label}}</text>
{{end}}{{range .YTicks}}<line x1="{{$.Left}}" y1="{{printf "%.1f" .At}}" x2="{{$.Right}}" y2="{{printf "%.1f" .At}}" stroke="#dddddd"/><text x="{{$.Left}}" dx="-6" y="{{printf "%.1f" .At}}" dy="4" text-anchor="end">{{.Label}}</text>
{{end}}<text x="{{.Middle}}" y="{{.Base}}" dy="36" text-anchor="middle">{{.Chart.X}}</text>
<text transform="translate(18 {{.Half}}) rotate(-90)" text-anchor="middle">{{.Chart.Y}}</text>
{{range .Lines}}<polyline points="{{.Path}}" fill="none" stroke="{{.Color}}" stroke-width="2"{{if .Dashed}} stroke-dasharray="6 4"{{end}}/>
{{$color := .Color}}{{range .Dots}}<circle cx="{{printf "%.1f" .X}}" cy="{{printf "%.1f" .Y}}" r="3" fill="{{$color}}"/>{{end}}
<line x1="{{$.Legend}}" y1="{{.LegendY}}" x2="{{$.LegendEnd}}" y2="{{.LegendY}}" stroke="{{.Color}}" stroke-width="3"{{if .Dashed}} stroke-dasharray="6 4"{{end}}/><text x="{{$.Legend}}" dx="22" y="{{.LegendY}}" dy="4">{{.Name}}</text>
{{end}}</svg>
`))
