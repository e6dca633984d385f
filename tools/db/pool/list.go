package pool

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/driver"
)

// Info describes a connection to people.
type Info struct {
	Name             string
	Dialect          string // "sqlite", "postgres", "mysql" or "mssql"
	Server, Database string // as a design's target has them
	Origin           string // where it is known from; below the root where it is there
	Found            bool   // by looking into the project, not in the settings
	Default          bool   // what a call without a connection means
	AllowWrites      bool   // execute-sql needs no approval
	Version          string // of the server, with its name
	Privileges       driver.Privileges
	Design           bool  // there is no database, but a design
	Withheld         bool  // it waits for the user's trust, and was not contacted
	Err              error // nil: it answered
}

// Place is where the database is, in a few words.
func (i Info) Place() string {
	if i.Dialect == dial.SQLite {
		return i.Database
	}
	return i.Database + " on " + i.Server
}

// Bounds of a listing.
const (
	listWait  = 4 * time.Second // for one connection
	listOnce  = 8               // at once
	listNames = 50
)

// List describes the known connections, at most 50, and tries each.
func (c *Connections) List(ctx context.Context) []Info {
	def, noDefault := c.Pick(ctx, "")
	known := c.Known(ctx)
	known = known[:min(len(known), listNames)]
	all := make([]Info, len(known))
	var tries sync.WaitGroup
	room := make(chan struct{}, listOnce)
	for i, cfg := range known {
		info := &all[i]
		*info = c.describe(cfg)
		info.Default = noDefault == nil && def.Name == cfg.Name
		tries.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			c.try(ctx, cfg, info)
		})
	}
	tries.Wait()
	return all
}

// Outline describes the known connections without trying them. It looks for
// SQLite files only if the last search is a minute old, and does not wait long
// for it.
func (c *Connections) Outline(ctx context.Context) []Info {
	list, byDefault := c.configured()
	if !c.opts.NoDiscovery {
		list = c.withFiles(list, c.finder.Recent(ctx))
	}
	def, ok := sole(list)
	if byDefault != "" {
		def, ok = ByName(list, byDefault)
	}
	all := make([]Info, len(list))
	for i, cfg := range list {
		all[i] = c.describe(cfg)
		all[i].Default = ok && def.Name == cfg.Name
	}
	return all
}

// describe is what is known without asking.
func (c *Connections) describe(cfg Config) Info {
	dialect := cfg.Dialect
	if cfg.IsSQLite() {
		dialect = dial.SQLite
	}
	server, database := c.Place(cfg)
	return Info{Name: cfg.Name, Dialect: dialect, Server: server, Database: database, Design: cfg.Design,
		Origin: c.shortOrigin(cfg.Origin), Found: cfg.Rank > RankListed && !cfg.Design, Withheld: cfg.Withheld != "", AllowWrites: cfg.AllowWrites && !cfg.ReadOnly}
}

// shortOrigin is an origin below the root where it is there.
func (c *Connections) shortOrigin(origin string) string {
	if rest, ok := strings.CutPrefix(origin, c.root+string(filepath.Separator)); ok {
		return filepath.ToSlash(rest)
	}
	return origin
}

// try asks the server for its version and for what the login may do.
func (c *Connections) try(ctx context.Context, cfg Config, info *Info) {
	d, err := c.Database(cfg)
	if err != nil {
		info.Err = err
		return
	}
	var version string
	var privileges driver.Privileges
	_, err = c.ReadIn(ctx, cfg, d.catalogue, "list-connections", min(listWait, c.Timeout(cfg)), func(ctx context.Context) error {
		v, err := d.Version(ctx)
		if err != nil {
			return err
		}
		p, err := d.Privileges(ctx)
		if err == nil {
			version, privileges = v, p
		}
		return err
	})
	if err != nil {
		info.Err = c.unanswered(cfg, err)
		return
	}
	info.Version, info.Privileges = version, privileges
}

// unanswered words why a connection could not be tried.
func (c *Connections) unanswered(cfg Config, err error) error {
	err = cfg.Annotate(err)
	if _, slow := err.(*timeoutError); slow {
		return &dial.ConnectError{Connection: cfg.Name, Cause: fmt.Sprintf("no answer within %v", listWait)}
	}
	return err
}
