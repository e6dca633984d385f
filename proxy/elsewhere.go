package proxy

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// elsewhere returns a reply as it is for a caller on another machine, which
// knows this one as host. There the address of the page leads nowhere, or to
// another project: in its place stands the command that shows the page there.
// What a tool read for the caller stays as it is.
func elsewhere(line wire.Line, def catalog.Definition, inst wire.Instance, host string) wire.Line {
	r := line.Result
	if r == nil || !r.IsError && def.Failure != catalog.Structured {
		return line
	}
	quoted, err := json.Marshal(host + ":" + inst.ProjectRoot)
	if err != nil { // cannot happen: it is a string
		return line
	}
	project, address := string(quoted[1:len(quoted)-1]), wire.URL(inst.Port)
	change := strings.NewReplacer(
		`"url":"`+address+`"`, `"url":"berth open `+project+`"`,
		"on the page "+address+" or with berth approvals at a terminal in the project",
		"on the page (berth open "+project+") or with berth approvals "+project+" at a terminal",
	)
	changed := *r
	changed.Content = slices.Clone(r.Content)
	for i, text := range changed.Content {
		changed.Content[i] = change.Replace(text)
	}
	if len(r.Structured) > 0 {
		changed.Structured = json.RawMessage(change.Replace(string(r.Structured)))
	}
	if len(r.View) > 0 {
		changed.View = json.RawMessage(strings.Replace(string(r.View), `,"page":"`+address+`"`, "", 1))
	}
	line.Result = &changed
	return line
}
