package proxy

import (
	"context"
	"encoding/json"
	"maps"
	"sync"

	"github.com/berth-dev/berth/proxy/projectlist"
	"github.com/berth-dev/berth/proxy/wire"
)

// listProjects answers list-projects from the port map and the instances that
// it names, and from what is known of other machines. It waits for no single
// one of them beyond waits.list: an instance that hangs is known to by then, and
// one that was not looked at is listed as if it did.
func (c *Client) listProjects(ctx context.Context, args json.RawMessage) (wire.Line, error) {
	asked, err := projectlist.Read(args)
	if err != nil {
		return refusal("Error: %v", err), nil
	}
	look, cancel := context.WithTimeout(ctx, c.waits.list)
	defer cancel()
	var far []projectlist.Project
	var note string
	var group sync.WaitGroup
	if c.opts.Hosts != nil {
		group.Go(func() { far, note = c.opts.Hosts.Known(look) })
	}
	list, err := c.runningHere(look, asked)
	group.Wait()
	switch {
	case ctx.Err() != nil:
		return wire.Line{}, ctx.Err()
	case err != nil:
		return refusal("Error: the list of projects cannot be read: %v. A person sees more with: berth doctor", err), nil
	}
	for _, p := range far {
		if asked.Has(p.ProjectRoot) {
			list = append(list, p)
		}
	}
	return wire.Line{Result: &wire.Result{Content: []string{projectlist.Reply(list, asked, note)}}}, nil
}

// Running implements [Way].
func (h here) Running(ctx context.Context) ([]projectlist.Project, error) {
	ctx, cancel := context.WithTimeout(ctx, h.c.waits.list)
	defer cancel()
	return h.c.runningHere(ctx, projectlist.Arguments{})
}

// runningHere lists the projects of this machine that are asked for.
func (c *Client) runningHere(ctx context.Context, asked projectlist.Arguments) ([]projectlist.Project, error) {
	entries, err := c.opts.Store.Entries()
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(entries, func(root string, _ int) bool { return !asked.Has(root) })
	var list []projectlist.Project
	for _, e := range c.Look(ctx, entries) {
		switch e.State {
		case Live:
			list = append(list, projectlist.LiveProject(e.Root, e.Status))
		case Hung:
			list = append(list, projectlist.Project{ProjectRoot: e.Root, State: projectlist.NotAnswering,
				Note: "A person ends it with: berth stop --force " + ShellWord(e.Root)})
		}
	}
	return list, nil
}
