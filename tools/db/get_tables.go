package db

import (
	"context"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// Bounds of get-tables' list.
const (
	maxTables     = 1000
	maxTableBytes = catalog.ReplyBytes
)

// getTables handles get-tables.
func (t *Tools) getTables(ctx context.Context, call tools.Call) tools.Reply {
	var connection, pattern string
	var views bool
	err := decode(call.Arguments,
		argument{name: "connection", into: &connection},
		argument{name: "pattern", into: &pattern},
		argument{name: "includeViews", into: &views})
	if err != nil {
		return fail(err)
	}
	all, err := t.objects(ctx, connection)
	if err != nil {
		return fail(err)
	}
	l := tableList{names: []string{}}
	for _, o := range all {
		if (views || !o.View) && matches(pattern, o.Name) {
			l.add(o)
		}
	}
	return reply(encodeJSON(l.names), l.notes(pattern))
}

// objects lists the objects of the connection a call means.
func (t *Tools) objects(ctx context.Context, connection string) ([]driver.Object, error) {
	cfg, d, err := t.conns.Open(ctx, connection)
	if err != nil {
		return nil, err
	}
	var all []driver.Object
	err = t.conns.ReadCatalogue(ctx, cfg, d, func(ctx context.Context) error {
		list, err := d.Objects(ctx)
		if err == nil {
			all = list
		}
		return err
	})
	if err != nil {
		return nil, cfg.Annotate(err)
	}
	return all, nil
}

// tableList is the bounded list of a reply.
type tableList struct {
	names   []string
	views   []string
	size    int
	total   int
	removed int
}

func (l *tableList) add(o driver.Object) {
	l.total++
	name, removed := replytext.Clean(o.Name)
	if len(l.names) == maxTables || l.size+len(name) > maxTableBytes {
		return
	}
	l.names = append(l.names, name)
	l.size += len(name) + len(`"",`)
	l.removed += removed
	if o.View {
		l.views = append(l.views, name)
	}
}

func (l *tableList) notes(pattern string) string {
	var notes []string
	if len(l.views) > 0 {
		notes = append(notes, "Views: "+encodeJSON(l.views))
	}
	if more := l.total - len(l.names); more > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d names are listed; narrow the list with the argument pattern.", len(l.names), l.total))
	}
	if l.total == 0 && pattern != "" {
		notes = append(notes, "No name matches the pattern; * and ? are wildcards, and a word without them is looked for anywhere in a name.")
	}
	return strings.Join(append(notes, rowset.RemovedNote(l.removed)...), "\n")
}

// matches reports whether name matches pattern, ignoring case. * stands for any
// text and ? for one character; a pattern without either may stand anywhere
// in the name. The empty pattern matches all.
func matches(pattern, name string) bool {
	pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	if !strings.ContainsAny(pattern, "*?") {
		return strings.Contains(name, pattern)
	}
	return glob([]rune(pattern), []rune(name))
}

// glob goes back to the last star only, so that no pattern makes it slow.
func glob(pattern, name []rune) bool {
	p, n, star, from := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			from++
			p, n = star+1, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
