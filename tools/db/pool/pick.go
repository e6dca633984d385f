package pool

import (
	"context"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// Pick returns the connection a call means. Without a name that is the
// default of the settings, else the only one of the lowest rank. A call that could
// mean several is an error that names them: a guess might answer from the wrong
// database.
func (c *Connections) Pick(ctx context.Context, name string) (Config, error) {
	configured, byDefault := c.configured()
	if name == "" {
		name = byDefault
	}
	if cfg, ok := sole(configured); name == "" && ok {
		return cfg, nil // without looking for files, which rank last
	}
	if cfg, ok := ByName(configured, name); ok {
		return cfg, nil
	}
	list := c.Known(ctx)
	if name != "" {
		if cfg, ok := ByName(list, name); ok {
			return cfg, nil
		}
		return Config{}, c.unknownConnection(name, list)
	}
	if len(list) == 0 {
		return Config{}, &dial.ConnectError{Cause: c.withCut("this project has no database that berth knows: " +
			"no connection in its settings and no SQLite file below its root; " +
			"create one, or name one in .berth/config.yaml")}
	}
	if cfg, ok := sole(list); ok {
		return cfg, nil
	}
	return Config{}, Usagef("this project has several databases; say which with the argument connection: %s. A person makes one the default with default: in .berth/config.yaml", Names(list))
}

// ByName finds a connection by its name, ignoring case.
func ByName(list []Config, name string) (Config, bool) {
	for _, cfg := range list {
		if name != "" && strings.EqualFold(cfg.Name, name) {
			return cfg, true
		}
	}
	return Config{}, false
}

func (c *Connections) unknownConnection(name string, list []Config) error {
	text := fmt.Sprintf("no connection is named %s, and none is known at all", replytext.Quote(name))
	if len(list) > 0 {
		text = fmt.Sprintf("no connection is named %s; known: %s", replytext.Quote(name), Names(list))
	}
	return Usagef("%s", c.withCut(text))
}

// withCut adds to what is not known that the search for it was cut short.
func (c *Connections) withCut(text string) string {
	if cut := c.finder.Note(); cut != "" {
		return text + ". " + cut
	}
	return text
}

// Names lists connections for a message.
func Names(list []Config) string {
	all := make([]string, len(list))
	for i, cfg := range list {
		all[i] = replytext.Shown(cfg.Name)
	}
	return replytext.List(all)
}
