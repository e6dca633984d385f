package main_test

import (
	_ "embed" // the probe
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

//go:embed probe.js
var probe string

// BenchmarkPage measures the designer page on 1,000 and on 5,000 tables of 15
// columns with 1.6 foreign keys each, alternating with a page of React Flow
// alone that shows the same tables in the same places on a stage of the same
// size, in one Chromium without a graphics card. React Flow is measured as it
// comes, with every node an element ("plain"), and with
// onlyRenderVisibleElements ("visible"). All tables are shown, except in
// "first", which is berth's own first view.
func BenchmarkPage(b *testing.B) {
	for _, modules := range []int{50, 250} {
		b.Run(fmt.Sprint(modules*members), func(b *testing.B) {
			p := newPages(b, modules)
			p.part(b, "size", p.size)
			p.part(b, "first", p.first)
			p.part(b, "load", p.load)
			for _, level := range levels {
				p.part(b, "move/"+level.name, func(b *testing.B) { p.move(b, level) })
			}
			p.part(b, "arrange", p.arrange)
			p.part(b, "edit", p.edit)
		})
	}
}

// part runs one measurement. Each repeats itself as often as it needs to.
func (p *pages) part(b *testing.B, name string, measure func(b *testing.B)) {
	b.Run(name, func(b *testing.B) {
		if b.N > 1 {
			return // it took no time, and has been done
		}
		p.berth.b, p.plain.b = b, b
		measure(b)
		b.ReportMetric(0, "ns/op")
	})
}

const members = 20 // tables of a module

// tableName names a table as in a schema that has grown by modules.
func tableName(i int) string { return fmt.Sprintf("module%02d_table%02d", i/members, i%members) }

// manyTables is the script of so many modules' tables with 15 columns. A table
// refers to one or two of its own module, and every fifth to the head of another.
func manyTables(modules int) string {
	var script strings.Builder
	for i := range modules * members {
		refs := []int{}
		if at := i % members; at > 0 {
			refs = append(refs, i-at+(at-1)/3)
			if at%2 == 0 {
				refs = append(refs, i-at+at*7%at)
			}
		}
		if i%5 == 4 {
			refs = append(refs, (i*31/members)%modules*members)
		}
		fmt.Fprintf(&script, "CREATE TABLE %s (id INTEGER PRIMARY KEY", tableName(i))
		for n := range 14 {
			if n < len(refs) {
				fmt.Fprintf(&script, ", parent%d_id INTEGER REFERENCES %s (id)", n+1, tableName(refs[n]))
			} else {
				fmt.Fprintf(&script, ", column%02d %s", n+1, []string{"TEXT NOT NULL", "INTEGER", "DECIMAL(10,2)", "DATETIME", "VARCHAR(200)"}[n%5])
			}
		}
		script.WriteString(");\n")
	}
	return script.String()
}

// pages are the two that are compared, each in a tab that shows nothing until
// it is its turn.
type pages struct {
	root, url, plainURL string
	viewKey             string // where berth's page remembers its view
	agent               *stdio
	version             string // of the design, after the agent's last edit
	berth, plain        *tab
	fit                 view
	stage               rect
}

// A view is what part of the diagram is seen, as React Flow counts it.
type view struct{ X, Y, Zoom float64 }

type rect struct{ Left, Top, Width, Height float64 }

func newPages(b testing.TB, modules int) *pages {
	p := &pages{}
	root, env, url := project(b, manyTables(modules))
	p.root, p.url = root, url
	p.agent = start(b, env, programs.berth, "mcp")
	b.Cleanup(func() { p.agent.stop(b) })
	p.agent.handshake(b)
	p.version = p.design(b, map[string]any{"operation": "show"})

	browser := chromium(b)
	p.berth = newTab(b, browser)
	p.berth.open(signIn(b, root, env))
	p.berth.until(`document.querySelector("[data-testid=minimap]") !== null`)
	design := eval[struct{ Connection, Data string }](p.berth, arranged, 0)
	p.viewKey = "berth.view." + root + "." + design.Connection
	p.readStage()
	p.plainURL = plainPage(b, []byte(design.Data))
	p.plain = newTab(b, browser)
	return p
}

var addressInFile = regexp.MustCompile(`content="0; url=([^"]+)"`)

// signIn is an address that signs a browser in: what is in the file that
// `berth open` hands to the desktop's opener.
func signIn(b testing.TB, root string, env []string) string {
	b.Helper()
	dir := b.TempDir()
	file := filepath.Join(dir, "address")
	for _, opener := range []string{"xdg-open", "open"} { // Linux and macOS
		check(b, os.WriteFile(filepath.Join(dir, opener), []byte(fmt.Sprintf("#!/bin/sh\nprintf %%s \"$1\" >%q\n", file)), 0o755))
	}
	open := exec.Command(programs.berth, "open", root)
	open.Env = append(env, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := open.CombinedOutput(); err != nil {
		b.Fatalf("berth open: %v\n%s", err, out)
	}
	path, err := os.ReadFile(file)
	check(b, err)
	text, err := os.ReadFile(string(path))
	check(b, err)
	address := addressInFile.FindSubmatch(text)
	if address == nil {
		b.Fatalf("berth open wrote no address: %s", text)
	}
	return string(address[1])
}

// arranged waits until the design that nobody had laid out is arranged and
// kept, and returns its connection, tables and their places.
const arranged = `async () => {
	const { keyId, key } = JSON.parse(localStorage.getItem("berth.credential"));
	localStorage.setItem("berth.guided", "1");
	const read = async (path) => (await fetch(path, { headers: { Authorization: "Bearer " + keyId + "." + key } })).json();
	const { connection } = (await read("/designs")).designs[0];
	for (;;) {
		const { positions } = await read("/designs/" + connection + "/layout");
		const { tables } = await read("/designs/" + connection);
		if (Object.keys(positions).length === tables.length) return { Connection: connection, Data: JSON.stringify({ tables, positions }) };
		await new Promise((done) => setTimeout(done, 100));
	}
}`

// readStage notes where berth has its canvas and what it shows first, so that
// the plain page can do the same.
func (p *pages) readStage() {
	p.stage = eval[rect](p.berth, `async () => {
		const { left, top, width, height } = document.querySelector(".react-flow").getBoundingClientRect();
		return { Left: left, Top: top, Width: width, Height: height };
	}`, 0)
	p.show(side{name: "berth"}, view{})
	p.fit = eval[view](p.berth, `async () => {
		const m = new DOMMatrix(getComputedStyle(document.querySelector(".react-flow__viewport")).transform);
		return { X: m.e, Y: m.f, Zoom: m.a };
	}`, 0)
	p.berth.open("about:blank")
}

// A side is one of what is compared.
type side struct {
	name    string
	plain   bool
	visible bool // onlyRenderVisibleElements
	ranked  bool // the tables with most relations, not all
}

var sides = []side{{name: "berth"}, {name: "plain", plain: true}, {name: "visible", plain: true, visible: true}}

// asOpened is berth's page as a person gets it, who has not asked for all.
var asOpened = side{name: "berth", ranked: true}

func (p *pages) tab(s side) *tab {
	if s.plain {
		return p.plain
	}
	return p.berth
}

// address is where a side shows a view, when prepared. The zero view is what
// a page shows whoever opens it first: everything.
func (p *pages) address(s side, at view) string {
	if !s.plain {
		return p.url
	}
	if at == (view{}) {
		at = p.fit
	}
	address := fmt.Sprintf("%s/#left=%g&top=%g&width=%g&height=%g&x=%g&y=%g&zoom=%g",
		p.plainURL, p.stage.Left, p.stage.Top, p.stage.Width, p.stage.Height, at.X, at.Y, at.Zoom)
	if s.visible {
		address += "&visible"
	}
	return address
}

// prepare goes to where nothing is, on a side's own origin, and leaves there
// what the page is to find: the view, and whether a person wants to see all
// tables, which is what the other side shows.
func (p *pages) prepare(s side, at view) {
	t := p.tab(s)
	if s.plain {
		t.open(p.plainURL + "/nothing")
		return
	}
	t.open(p.url + "/nothing")
	eval[bool](t, `(key, at, first) => (at.Zoom ? localStorage.setItem(key, JSON.stringify({ x: at.X, y: at.Y, zoom: at.Zoom })) : localStorage.removeItem(key),
		localStorage.setItem(key.replace("berth.view.", "berth.first."), first), true)`, p.viewKey, at, map[bool]string{false: "all", true: "ranked"}[s.ranked])
}

// shown is true in a page that shows its tables.
const shown = `document.querySelector(".react-flow__node, [data-testid=far-layer]") !== null`

// show opens a side with a view and waits until it has come to rest.
func (p *pages) show(s side, at view) *tab {
	p.prepare(s, at)
	t := p.tab(s)
	t.open(p.address(s, at))
	t.until(shown)
	t.rest()
	return t
}

// design calls the designer as the agent does and returns the version.
func (p *pages) design(b testing.TB, args map[string]any) string {
	b.Helper()
	args["projectRoot"] = p.root
	text := textOf(b, p.agent.tool(b, "mssql_schema_designer", args))
	var reply struct {
		Success bool
		Version string
	}
	check(b, json.Unmarshal([]byte(text), &reply))
	if !reply.Success {
		b.Fatalf("the designer refused: %.300s", text)
	}
	return reply.Version
}
