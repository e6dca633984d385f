package serve

import (
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strconv"

	"github.com/berth-dev/berth/cmd/berth/connections"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/tools/visible"
)

// A rightsAnnouncer says at the terminal, in the log and on the page what a
// project's own files ask, and when what is allowed changes while it is
// served. None of it happens silently.
type rightsAnnouncer struct {
	root     string
	terminal io.Writer
	log      *slog.Logger
	announce func(notice any) // to the page

	asks   []settings.Ask
	rights map[string]string // nil: nothing was said yet
}

// noticeTrust: what the project asks, or what of it is trusted, changed.
const noticeTrust = "trust"

// announceChanges says what is new since it was last called.
func (a *rightsAnnouncer) announceChanges(s *settings.Settings, known connections.Set) {
	rights := rightsInForce(s, known)
	var lines []string
	if a.rights != nil {
		lines = changedRights(a.rights, rights)
	}
	waiting := newAsks(a.asks, known.Asks)
	var waits []string
	for _, ask := range waiting {
		waits = append(waits, "waits for your trust: "+ask.Place()+" "+ask.Words)
	}
	changed := a.rights != nil && !slices.Equal(a.asks, known.Asks)
	a.asks, a.rights = known.Asks, rights
	for _, line := range slices.Concat(lines, waits) {
		a.log.Info(line)
		fmt.Fprintln(a.terminal, visible.SingleLine(line))
	}
	if len(waiting) > 0 {
		fmt.Fprintln(a.terminal, "look at it and allow it with: "+visible.SingleLine(settings.TrustCommand(a.root)))
	}
	if len(lines) > 0 || len(waits) > 0 || changed {
		a.announce(rightsNotice{noticeTrust, lines, waits})
	}
}

// rightsNotice tells open pages to read GET /trust. An editor asks for trust
// itself, so a page in its tab leaves Waits unsaid.
type rightsNotice struct {
	Type  string   `json:"type"`
	Lines []string `json:"lines,omitempty"` // which rights changed, in words
	Waits []string `json:"waits,omitempty"` // what waits for trust and did not before, in words
}

// newAsks are those that wait now and did not before.
func newAsks(before, after []settings.Ask) []settings.Ask {
	return slices.DeleteFunc(settings.Untrusted(after), func(x settings.Ask) bool {
		return slices.ContainsFunc(before, func(y settings.Ask) bool { return y.Digest == x.Digest && !y.Trusted })
	})
}

// rightsInForce are what is allowed, by setting, and which connections are
// used.
func rightsInForce(s *settings.Settings, known connections.Set) map[string]string {
	rights := map[string]string{
		"files.mode":         s.Files.Mode,
		"files.secrets":      strconv.FormatBool(s.Files.Secrets),
		"files.store":        s.Files.Store.String(),
		"publish.unattended": strconv.FormatBool(s.Publish.Unattended),
		"designer.confirm (from the next start on)": s.Designer.Confirm,
	}
	for _, c := range known.Configs {
		key := "connections." + c.Name
		if c.AllowWrites {
			rights[key+".allowWrites"] = "true"
		}
		rights[key] = "used"
		if c.Withheld != "" {
			rights[key] = "withheld"
		}
	}
	return rights
}

// changedRights words what differs. That a connection came or went is no
// right that changed, unless it allows writes.
func changedRights(before, after map[string]string) (lines []string) {
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		was, is := before[key], after[key]
		isRight := was != "used" && is != "used" && was != "withheld" && is != "withheld"
		switch {
		case was == is || !isRight && (was == "" || is == ""):
			continue
		case was == "":
			was = "false"
		case is == "":
			is = "false"
		}
		lines = append(lines, fmt.Sprintf("rights changed: %s is %s now, it was %s", key, is, was))
	}
	return lines
}
