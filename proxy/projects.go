package proxy

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"github.com/berth-dev/berth/proxy/projectlist"
	"github.com/berth-dev/berth/proxy/wire"
)

// listTimeout bounds the answer of list-projects. An instance that hangs is
// known to by then; one that was not looked at is listed as if it did.
const listTimeout = time.Second

// listProjects answers list-projects from the port map and the instances that
// it names. It waits for no single one of them beyond listTimeout.
func (c *Client) listProjects(ctx context.Context, args json.RawMessage) (wire.Line, error) {
	asked, err := projectlist.Read(args)
	if err != nil {
		return refusal("Error: %v", err), nil
	}
	entries, err := c.opts.Store.Entries()
	if err != nil {
		return refusal("Error: the list of projects cannot be read: %v. A person sees more with: berth doctor", err), nil
	}
	maps.DeleteFunc(entries, func(root string, _ int) bool { return !asked.Has(root) })
	look, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	var list []projectlist.Project
	for _, e := range c.Look(look, entries) {
		switch e.State {
		case Live:
			list = append(list, projectlist.LiveProject(e.Root, e.Status))
		case Hung:
			list = append(list, projectlist.Project{ProjectRoot: e.Root, State: projectlist.NotAnswering,
				Note: "A person ends it with: berth stop --force " + ShellWord(e.Root)})
		}
	}
	if ctx.Err() != nil {
		return wire.Line{}, ctx.Err()
	}
	return wire.Line{Result: &wire.Result{Content: []string{projectlist.Reply(list, asked, "")}}}, nil
}
