package clients

import (
	"os"
	"slices"
	"strings"
)

// A Scope says in whose file a server is registered.
type Scope string

// The scopes.
const (
	Project Scope = "project" // for those who work in the project
	User    Scope = "user"    // for one user, in all projects
)

// A Client is a program that starts MCP servers. The zero value is of no use;
// see [All].
type Client struct {
	ID       string // as a flag names it
	Name     string // as its maker writes it
	Docs     string // the page or the source that the rest is taken from
	Desktop  bool   // gets no PATH of a shell, so that it needs absolute paths
	Paste    string // where to paste an entry, for one with a dialog and no file
	After    map[Scope]string
	programs []string // names that it may have on PATH
	traces   func(m Machine) []string
	files    func(m Machine) []file
}

// file is one file that a client reads.
type file struct {
	scope   Scope
	path    []string // below the project, or absolute in one part
	purpose string   // what it does with the entry
	format  format
}

// All lists the clients, in the order in which they are shown.
func All() []*Client {
	return []*Client{
		claudeCode(), vsCode(), cursor(), windsurf(), zed(), jetBrains(), codex(), gemini(), openCode(), claudeDesktop(),
	}
}

// ByID returns the client of that name, or nil.
func ByID(id string) *Client {
	all := All()
	if i := slices.IndexFunc(all, func(c *Client) bool { return c.ID == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// IDs lists the names of all clients.
func IDs() []string {
	var ids []string
	for _, c := range All() {
		ids = append(ids, c.ID)
	}
	return ids
}

// Has reports whether the client reads a file of that scope.
func (c *Client) Has(m Machine, scope Scope) bool {
	return slices.ContainsFunc(c.files(m), func(f file) bool { return f.scope == scope })
}

// Targets returns the files of the client in one scope; root is the canonical
// path of the project and is needed for [Project].
func (c *Client) Targets(m Machine, scope Scope, root string) []*Target {
	var list []*Target
	for _, f := range c.files(m) {
		if f.scope != scope {
			continue
		}
		t := &Target{Client: c, Scope: scope, Purpose: f.purpose, format: f.format}
		if scope == Project {
			t.root, t.Path = root, m.join(append([]string{root}, f.path...)...)
			t.Shown = strings.Join(f.path, "/")
		} else {
			t.Path = f.path[0]
			t.Shown = m.shown(t.Path)
		}
		if servers, ok := f.format.(jsonServers); ok && servers.alsoJSONC && !exists(t.Path) && exists(t.Path+"c") {
			t.Path, t.Shown = t.Path+"c", t.Shown+"c"
		}
		list = append(list, t)
	}
	return list
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
