package serve

import (
	"context"

	"github.com/berth-dev/berth/proxy/projectlist"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
)

// listProjects returns the handler of list-projects for a client of the
// instance's own /mcp: it lists this project alone. A front-end never asks an
// instance for the list.
func listProjects(root string, status func(context.Context) wire.Status) tools.Handler {
	return func(ctx context.Context, call tools.Call) tools.Reply {
		asked, err := projectlist.Read(call.Arguments)
		if err != nil {
			return tools.Reply{Content: []string{"Error: " + err.Error()}, IsError: true, Reason: "invalid_request"}
		}
		var list []projectlist.Project
		if asked.Has(root) {
			s := status(ctx)
			list = append(list, projectlist.LiveProject(root, &s))
		}
		const note = "This is the server of one project; berth mcp lists those of the machine."
		return tools.Reply{Content: []string{projectlist.Reply(list, asked, note)}}
	}
}
