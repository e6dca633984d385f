package cli

import (
	"context"

	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/source"
)

// examineScratch names the scratch databases on the servers of connections
// that answered, and those of this project that may be on others.
func examineScratch(ctx context.Context, e *examination, databases *source.Sources, list []pool.Info) {
	type place struct{ server, name string }
	named := map[place]bool{}
	say := func(s source.ScratchDatabase, what string) {
		if at := (place{s.Server, s.Name}); !named[at] {
			named[at] = true
			e.note("scratch database %s on %s (connection %s): %s", s.Name, s.Server, s.Connection, what)
		}
	}
	for _, c := range list {
		if c.Err != nil || c.Dialect == sqlite.Dialect().Name {
			continue
		}
		found, err := databases.ScratchOn(ctx, c.Name)
		if err != nil {
			e.note("%v", err)
		}
		for _, s := range found {
			say(s, scratchWords(s))
		}
	}
	recorded, err := databases.ScratchRecorded()
	if err != nil {
		e.note("%v", err)
	}
	for _, s := range recorded {
		if !answered(list, s) {
			say(s, "it may be left there, which cannot be seen now; berth serve of this project drops it once the connection answers")
		}
	}
}

// answered reports whether what a server has was seen through the connection
// that s was made through.
func answered(list []pool.Info, s source.ScratchDatabase) bool {
	for _, c := range list {
		if c.Name == s.Connection && c.Server == s.Server {
			return c.Err == nil
		}
	}
	return false
}

func scratchWords(s source.ScratchDatabase) string {
	switch {
	case s.Own:
		return "a plan is tried or a script read there, or a killed process left it; berth serve of this project drops it"
	case s.Owned:
		return "of another project or home: in use, or left by a killed process; berth serve of that project drops it"
	default:
		return "of an older berth: in use, or left by a killed process; drop it if nobody uses it"
	}
}
