package pool

import (
	"context"
	"path/filepath"
	"slices"
)

// Ranks of connections.
const (
	RankSettings = iota // named in the settings
	RankListed          // listed for another program
	RankFound           // found in files of the project
	rankFile            // a SQLite file that nothing names
	RankDesign          // a design without a database, which no query can mean
)

// configured returns the connections that have been named to it, and the name
// of the default.
func (c *Connections) configured() (connections []Config, byDefault string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opts.Connections, c.opts.Default // replaced as a whole, never changed
}

// Notes say what is left out of the connections and why.
func (c *Connections) Notes() []string {
	c.mu.Lock()
	notes := slices.Clone(c.opts.Notes)
	c.mu.Unlock()
	if note := c.finder.Note(); note != "" {
		notes = append(notes, note)
	}
	return notes
}

// Known lists the project's connections: those named, then the SQLite files
// found that none of them names.
func (c *Connections) Known(ctx context.Context) []Config {
	configured, _ := c.configured()
	if c.opts.NoDiscovery {
		return slices.Clone(configured)
	}
	return c.withFiles(configured, c.finder.Find(ctx))
}

// withFiles adds to connections the SQLite files that none of them names.
func (c *Connections) withFiles(connections []Config, files []string) []Config {
	list := slices.Clone(connections)
	named := map[string]bool{}
	names := map[string]bool{}
	for _, cfg := range list {
		names[cfg.Name] = true
		if !cfg.IsSQLite() {
			continue
		}
		if path, err := c.resolve(cfg); err == nil {
			named[path] = true
		}
	}
	for _, rel := range files {
		path := filepath.Join(c.root, filepath.FromSlash(rel))
		if !named[path] && !names[rel] {
			list = append(list, Config{Name: rel, Path: path, Origin: "found in the project", Rank: rankFile})
		}
	}
	return list
}

// sole returns the only connection of the lowest rank; false: there are
// several of it, or none at all.
func sole(list []Config) (Config, bool) {
	var best Config
	count := 0
	for _, cfg := range list {
		switch {
		case count == 0 || cfg.Rank < best.Rank:
			best, count = cfg, 1
		case cfg.Rank == best.Rank:
			count++
		}
	}
	return best, count == 1
}
