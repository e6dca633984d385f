package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/berth-dev/berth/e2e/bench/table"
)

// The designs that are measured, each beside the first.
const (
	oneAlone    = "one instance, no team"
	oneFormer   = "the same by the berth of -former"
	oneShared   = "one instance, in a team"
	onThree     = "one instance, in a team on three brokers"
	tenShared   = "ten instances, in a team"
	eightAlone  = "eight agents at one instance, no team"
	eightShared = "eight agents at one instance, in a team"
)

// What is measured of a shared design.
var (
	editRate   = table.Measure{Section: "Edits", Name: "edits acknowledged", Unit: "a second"}
	editTries  = table.Measure{Section: "Edits", Name: "calls for one acknowledged edit", Unit: "calls"}
	editHeard  = table.Measure{Section: "Edits", Name: "from an edit's call until another instance's page hears of it, median", Unit: "ms"}
	editStart  = table.Measure{Section: "Edits", Name: "from an instance's start until it serves", Unit: "ms"}
	editMemory = table.Measure{Section: "Edits", Name: "RSS of an instance afterwards", Unit: "MiB"}
)

// journalSizes are the entries that a newcomer finds.
func (b *bench) journalSizes() []int {
	if b.short {
		return []int{1, 100, 1_000}
	}
	return []int{1, 1_000, 10_000}
}

// shared measures what a design costs that several share, and writes the file
// of -team.
func (b *bench) shared(ctx context.Context) error {
	in := installer{ctx, b.dir, b.say}
	if b.peers != "" {
		in.dir = b.peers
	}
	var err error
	if b.programs.berth, err = in.ours(b.dir, "berth", "cmd/berth"); err != nil {
		return err
	}
	server := in.goInstall(natsServer, natsServerVersion)
	file, err := b.smallFile(ctx)
	if err != nil {
		return err
	}
	before := loadAverage()
	b.table = table.New(oneAlone)
	for round := range b.rounds {
		if err := b.editRound(ctx, server, file, round); err != nil {
			return err
		}
	}
	text := ""
	// What was measured is kept, whatever comes of the rest.
	write := func(more string) error {
		text += "\n" + more
		head := fmt.Sprintf("Measured on %s with `%s`, berth %s, nats-server %s with `sync_interval: always`, %s; load average %s before and %s after.\n",
			time.Now().UTC().Format("2 January 2006, 15:04 UTC"), b.command(), berthVersion(ctx, b.programs.berth.path), natsServerVersion, place(ctx),
			before, loadAverage())
		return os.WriteFile(b.team, []byte(head+text), 0o644)
	}
	if err := write(b.table.Markdown()); err != nil {
		return err
	}
	for _, measure := range []func(context.Context, program, []byte) (string, error){b.joins, b.idle} {
		section, err := measure(ctx, server, file)
		if err := errors.Join(err, write(section)); err != nil {
			return err
		}
	}
	return nil
}

// smallFile is a SQLite database of fifteen tables.
func (b *bench) smallFile(ctx context.Context) ([]byte, error) {
	d, err := b.sqliteFile(ctx, 13)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(fill(ctx, d), d.db.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(d.path)
}

// editRound measures edits of each kind of design, in another order in every
// round.
func (b *bench) editRound(ctx context.Context, server program, file []byte, round int) error {
	ours := b.programs.berth
	kinds := []editKind{{oneAlone, ours, 1, 1, 0}, {oneShared, ours, 1, 1, 1}, {onThree, ours, 1, 1, 3}, {tenShared, ours, 10, 1, 1},
		{eightAlone, ours, 1, 8, 0}, {eightShared, ours, 1, 8, 1}}
	if b.former != "" {
		former := ours
		former.path = b.former
		kinds = append(kinds, editKind{oneFormer, former, 1, 1, 0})
	}
	for i := range kinds {
		k := kinds[(i+round)%len(kinds)]
		b.say("round %d of %d: %s", round+1, b.rounds, k.name)
		if err := b.edits(ctx, server, file, round, k); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
	}
	return nil
}

// editKind is one kind of design.
type editKind struct {
	name    string
	berth   program
	people  int
	agents  int // of each person
	servers int // of the broker; 0: no team
}

func (b *bench) edits(ctx context.Context, server program, file []byte, round int, k editKind) error {
	var at *broker
	var err error
	if k.servers > 0 {
		if at, err = startBrokers(ctx, server, b.dir, k.servers); err != nil {
			return err
		}
		defer at.stop()
	}
	members, err := b.members(ctx, k.berth, at, file, k.people)
	defer func() {
		for _, m := range members {
			m.close()
		}
	}()
	if err != nil {
		return err
	}
	for _, m := range members[:k.people] {
		for range k.agents - 1 {
			other, err := m.agent(ctx, berth{program: k.berth, dir: b.dir})
			if err != nil {
				return err
			}
			members = append(members, other)
		}
	}
	n := (&turn{bench: b}).calls(1000)
	took, err := editTogether(members, n/len(members))
	if err != nil {
		return err
	}
	tries, edits, mib, start := 0, 0, 0.0, 0.0
	for i, m := range members {
		tries, edits = tries+m.tries, edits+m.edits
		if i < k.people {
			one, _ := residentMiB(m.instance)
			mib, start = mib+one/float64(k.people), start+millis(m.start)/float64(k.people)
		}
	}
	b.table.Add(editStart, k.name, round, start)
	b.table.Add(editRate, k.name, round, float64(edits)/took.Seconds())
	b.table.Add(editTries, k.name, round, float64(tries)/float64(edits))
	b.table.Add(editMemory, k.name, round, mib)
	if k.servers == 0 {
		return nil
	}
	heard, err := b.heard(ctx, at, file, members[0])
	b.table.Add(editHeard, k.name, round, heard)
	return err
}

// heard measures how long it takes until a newcomer's page hears of another's
// edit.
func (b *bench) heard(ctx context.Context, at *broker, file []byte, first *member) (ms float64, err error) {
	m, err := berth{program: b.programs.berth, dir: b.dir}.member(ctx, at.url, "hears", file)
	if err != nil {
		return 0, err
	}
	defer m.close()
	if _, err := m.team(ctx, "attach", "shop"); err != nil {
		return 0, err
	}
	page, err := m.hear(ctx)
	if err != nil {
		return 0, err
	}
	defer page.Close()
	var times []float64
	for range (&turn{bench: b}).calls(100) {
		began := time.Now()
		if err := first.edit("t000"); err != nil {
			return 0, err
		}
		at, err := heardOf(page, "p0")
		if err != nil {
			return 0, err
		}
		times = append(times, millis(at.Sub(began)))
	}
	return table.Median(times), nil
}

// members starts so many people with that berth. With a broker the first shares
// a design and the others join it.
func (b *bench) members(ctx context.Context, p program, at *broker, file []byte, people int) (members []*member, err error) {
	url := ""
	if at != nil {
		url = at.url
	}
	for i := range people {
		m, err := berth{program: p, dir: b.dir}.member(ctx, url, fmt.Sprint("p", i), file)
		if err != nil {
			return members, err
		}
		members = append(members, m)
		if url == "" {
			continue
		}
		act := []string{"attach", "shop"}
		if i == 0 {
			act = []string{"init", "shop", "--servers", fmt.Sprint(at.servers)}
		}
		if _, err := m.team(ctx, act...); err != nil {
			return members, err
		}
		if err := m.show(); err != nil {
			return members, err
		}
	}
	return members, nil
}

// editTogether has everyone make n edits at once, each in a table of their own.
func editTogether(members []*member, n int) (time.Duration, error) {
	var all sync.WaitGroup
	failed := make([]error, len(members))
	began := time.Now()
	for i, m := range members {
		all.Go(func() {
			for range n {
				if failed[i] = m.edit(fmt.Sprintf("t%03d", i)); failed[i] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(began), errors.Join(failed...)
}

// joins measures how long newcomers take to join a journal as it grows.
func (b *bench) joins(ctx context.Context, server program, file []byte) (string, error) {
	at, err := startBroker(ctx, server, b.dir)
	if err != nil {
		return "", err
	}
	defer at.stop()
	members, err := b.members(ctx, b.programs.berth, at, file, 1)
	if err != nil {
		return "", err
	}
	first := members[0]
	defer first.close()
	var text strings.Builder
	fmt.Fprint(&text, "### Joining\n\nThe first row is a design that has just been shared. A newcomer reads the newest snapshot, of which there is one every 500 entries, and what came since.\n\n"+
		"| entries | bytes of one, in the broker's file | to join, ms, median of five | as a multiple of the first | RSS of who joined, MiB | RSS of the broker, MiB |\n| --- | --- | --- | --- | --- | --- |\n")
	var least float64
	for _, size := range b.journalSizes() {
		b.say("joining %s entries", thousands(size))
		for first.edits < size-1 {
			if err := first.edit("t000"); err != nil {
				return "", err
			}
		}
		entries, bytes, err := at.journal(ctx, "shop")
		if err != nil {
			return "", err
		}
		took, mib, err := b.join(ctx, at.url, file)
		if err != nil {
			return "", err
		}
		if least == 0 {
			least = took
		}
		broker, _ := residentMiB(at.pid)
		fmt.Fprintf(&text, "| %s | %.0f | %.0f | %.1f | %.1f | %.1f |\n", thousands(int(entries)), bytes/entries, took, took/least, mib, broker)
	}
	return text.String(), nil
}

// join has five newcomers join, one after the other.
func (b *bench) join(ctx context.Context, url string, file []byte) (took, mib float64, err error) {
	var times, memory []float64
	for i := range 5 {
		m, err := berth{program: b.programs.berth, dir: b.dir}.member(ctx, url, fmt.Sprint("newcomer", i), file)
		if err != nil {
			return 0, 0, err
		}
		d, err := m.team(ctx, "attach", "shop")
		one, _ := residentMiB(m.instance)
		m.close()
		if err != nil {
			return 0, 0, err
		}
		times, memory = append(times, millis(d)), append(memory, one)
	}
	return table.Median(times), table.Median(memory), nil
}
