package main

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// Sizes of the picture, in pixels and characters.
const (
	columns, rows  = 118, 24
	cellW, cellH   = 8, 19 // of one character
	margin, header = 16, 30
	width          = 2*margin + columns*cellW
	height         = header + 2*margin + rows*cellH
)

// How long lines stay before the next one, in milliseconds.
const (
	lineTime  = 420
	sceneTime = 1300 // a heading
	lastTime  = 6000 // the end, before it begins again
)

const background = "#0d1117"

// draw returns an SVG of a terminal in which command was typed and lines
// appear one after the other, and again from the start. Where less motion is
// asked for, the last of them stand still. Long lines are cut, with a mark.
func draw(command string, lines []string) []byte {
	lines = append([]string{"$ " + command, ""}, lines...)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="A terminal that plays %s">`+"\n",
		width, height, width, height, html.EscapeString(command))
	b.WriteString("<style>\n" +
		"text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #c9d1d9; white-space: pre }\n" +
		".scene { fill: #79c0ff; font-weight: 700 } .asks { fill: #a5d6ff } .answer { fill: #8b949e } .person { fill: #f2cc60 } .refused { fill: #ffa198 } .typed { fill: #7ee787 }\n")
	b.WriteString(scroll(lines))
	b.WriteString("</style>\n")
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="10" fill="%s"/>`+"\n", width, height, background)
	for i, colour := range []string{"#ff5f56", "#ffbd2e", "#27c93f"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="6" fill="%s"/>`, margin+6+20*i, header/2+3, colour)
	}
	fmt.Fprintf(&b, "\n"+`<svg x="%d" y="%d" width="%d" height="%d"><g class="lines">`+"\n", margin, header+margin/2, columns*cellW, rows*cellH)
	for i, line := range lines {
		if line != "" {
			fmt.Fprintf(&b, `<text y="%d"%s>%s</text>`+"\n", (i+1)*cellH-5, class(line), html.EscapeString(cut(line)))
		}
	}
	fmt.Fprintf(&b, `<rect class="cover" width="%d" height="%d" fill="%s"/>`, columns*cellW, rows*cellH, background)
	b.WriteString("\n</g></svg>\n</svg>\n")
	return b.Bytes()
}

// scroll is the animation: what comes later is under a cover, which steps down
// by a line; once the terminal is full, the lines step up.
func scroll(lines []string) string {
	whole := 0
	for i := range lines {
		whole += stays(lines, i)
	}
	var up, down strings.Builder
	step := func(percent float64, n int) { // the n-th line is the last one
		fmt.Fprintf(&up, "%.2f%% { transform: translateY(%dpx) }\n", percent, min(rows-n, 0)*cellH)
		fmt.Fprintf(&down, "%.2f%% { transform: translateY(%dpx) }\n", percent, n*cellH)
	}
	at := 0
	for i := range lines {
		if stays(lines, i) > 0 {
			step(100*float64(at)/float64(whole), i+1)
		}
		at += stays(lines, i)
	}
	step(100, len(lines))
	const play = "%s { transform: translateY(%dpx); animation: %s %dms steps(1) infinite }\n"
	return "@keyframes up {\n" + up.String() + "}\n@keyframes down {\n" + down.String() + "}\n" +
		fmt.Sprintf(play, ".lines", min(rows-len(lines), 0)*cellH, "up", whole) +
		fmt.Sprintf(play, ".cover", len(lines)*cellH, "down", whole) +
		"@media (prefers-reduced-motion: reduce) { .lines, .cover { animation: none } }\n"
}

// stays is how long the i-th line is the last one.
func stays(lines []string, i int) int {
	switch {
	case i == len(lines)-1:
		return lastTime
	case isScene(lines[i]):
		return sceneTime
	case lines[i] == "":
		return 0
	}
	return lineTime
}

func isScene(line string) bool { return strings.HasPrefix(line, "━━ ") }

func class(line string) string {
	word := strings.TrimSpace(line)
	name := ""
	switch {
	case isScene(line):
		name = "scene"
	case strings.HasPrefix(word, "$"):
		name = "typed"
	case strings.HasPrefix(word, "person ▸"):
		name = "person"
	case strings.HasPrefix(word, "agent ▸"):
		name = "asks"
	case strings.Contains(word, `"success":false`):
		name = "refused"
	case strings.HasPrefix(word, "◂"), strings.HasSuffix(word, " bytes"):
		name = "answer"
	default:
		return ""
	}
	return ` class="` + name + `"`
}

func cut(line string) string {
	if utf8.RuneCountInString(line) <= columns {
		return line
	}
	return string([]rune(line)[:columns-1]) + "…"
}
