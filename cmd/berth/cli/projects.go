package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/tools/pageapi"
)

// projects are the user's projects, as the page of one of them sees them.
type projects struct {
	link    *link
	root    string // of the page's own project
	desktop bool   // a person may see a browser here
}

// pageProject is a project in the page's list.
type pageProject struct {
	project
	Self bool `json:"self"`
}

// Projects implements instance.Projects.
func (p projects) Projects(ctx context.Context) (any, error) {
	all, err := p.link.projects(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]pageProject, len(all))
	for i, one := range all {
		list[i] = pageProject{one, one.ProjectRoot == p.root}
	}
	return list, nil
}

// Open implements instance.Projects. The other instance proves itself before
// it is asked, and the way in goes to this machine's desktop alone.
func (p projects) Open(ctx context.Context, root string) error {
	if !p.desktop {
		return &pageapi.Error{Code: "invalid_request", Message: "there is no desktop here that could open another page; run: berth open " + proxy.ShellWord(root)}
	}
	path, err := p.link.client.NewSignInFile(ctx, root)
	if err != nil {
		return refusalToOpen(err)
	}
	if err := openBrowser(ctx, path); err != nil {
		return &pageapi.Error{Code: "invalid_request", Message: fmt.Sprintf("the browser was not opened (%v); run: berth open %s", err, proxy.ShellWord(root))}
	}
	return nil
}

// refusalToOpen words why another instance did not help.
func refusalToOpen(err error) error {
	var refused *proxy.RefusedError
	switch {
	case errors.Is(err, proxy.ErrNotRunning):
		return &pageapi.Error{Code: "not_found", Message: "nothing serves that project any more; start it with berth serve"}
	case errors.Is(err, proxy.ErrNoAnswer):
		return &pageapi.Error{Code: "timeout", Message: "the instance of that project does not answer; see berth doctor"}
	case errors.As(err, &refused):
		return &pageapi.Error{Code: "forbidden", Message: "the instance of that project refused; it may be of another version of berth"}
	default:
		return &pageapi.Error{Code: "not_found", Message: "there is no such project"}
	}
}
