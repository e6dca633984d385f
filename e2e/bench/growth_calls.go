package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/berth-dev/berth/e2e/bench/driver"
	"github.com/berth-dev/berth/e2e/bench/plot"
	"github.com/berth-dev/berth/e2e/bench/table"
)

// Calls are measured with so many projects, and so many clients each.
var (
	growingProjects = []int{1, 16, 64}
	growingClients  = []int{1, 8, 64}
)

// rate is what so many clients got of so many projects. Memory is that of one
// process, the mean.
type rate struct {
	projects, clients   int
	calls               float64 // a second
	p50, p99            time.Duration
	instance, front     float64 // MiB; 0: not known
	refused, callsInAll int
}

type rates []rate

// growCalls starts the projects of each number on one home, and has the
// clients of each number query them.
func (b *bench) growCalls(ctx context.Context) (rates, error) {
	one, err := b.sqliteFile(ctx, 13)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(fill(ctx, one), one.db.Close()); err != nil {
		return nil, err
	}
	file, err := os.ReadFile(one.path)
	if err != nil {
		return nil, err
	}
	program := berth{program: b.programs.berth, dir: b.dir}
	env, err := program.env()
	if err != nil {
		return nil, err
	}
	var all rates
	var running []instance
	defer func() {
		for _, i := range running {
			i.stop()
		}
	}()
	for _, projects := range growingProjects {
		for len(running) < projects {
			i, err := program.startOn(ctx, file, env)
			if err != nil {
				return nil, err
			}
			running = append(running, i)
		}
		for _, clients := range growingClients {
			b.say("growth: %d projects, %d clients", projects, clients)
			r, err := b.rate(ctx, program, env, running, clients)
			if err != nil {
				return nil, err
			}
			all = append(all, r)
		}
	}
	return all, nil
}

// startOn serves a new project that has the file as its database.
func (b berth) startOn(ctx context.Context, file []byte, env []string) (instance, error) {
	root, err := b.project()
	if err != nil {
		return instance{}, err
	}
	if err := os.WriteFile(filepath.Join(root, "app.db"), file, 0o600); err != nil {
		return instance{}, err
	}
	return b.start(ctx, root, env)
}

// rate has so many clients query the projects for a while, each the project
// that is its own by its number.
func (b *bench) rate(ctx context.Context, program berth, env []string, projects []instance, clients int) (rate, error) {
	sessions := make([]*session, 0, clients)
	defer func() {
		for _, s := range sessions {
			s.close()
		}
	}()
	for i := range clients {
		s, err := program.open(ctx, berthWords(projects[i%len(projects)].root), env, "mcp")
		if err != nil {
			return rate{}, err
		}
		sessions = append(sessions, s)
		if _, err := s.Tool(s.query(oneRow)); err != nil {
			return rate{}, err
		}
	}
	length := 3 * time.Second
	if b.short {
		length = 300 * time.Millisecond
	}
	r := rate{projects: len(projects), clients: clients}
	began := time.Now()
	took, refused, err := together(sessions, began.Add(length))
	if err != nil {
		return rate{}, err
	}
	r.callsInAll, r.refused = len(took), refused
	r.calls = float64(len(took)-refused) / time.Since(began).Seconds()
	r.p50, r.p99 = table.Quantile(took, .5), table.Quantile(took, .99)
	for _, p := range projects {
		mib, _ := residentMiB(p.pid)
		r.instance += mib / float64(len(projects))
	}
	for _, s := range sessions {
		mib, _ := residentMiB(s.PID())
		r.front += mib / float64(clients)
	}
	return r, nil
}

// together has every session ask for one row again and again until the end.
func together(sessions []*session, end time.Time) (took []time.Duration, refused int, err error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, s := range sessions {
		all.Go(func() {
			var mine []time.Duration
			no := 0
			var broken error
			for broken == nil && time.Now().Before(end) {
				reply, failed := s.Tool(s.query(oneRow))
				switch {
				case failed == nil:
					mine = append(mine, reply.Took)
				case driver.Refused(failed):
					mine, no = append(mine, reply.Took), no+1
				default:
					broken = failed
				}
			}
			mu.Lock()
			defer mu.Unlock()
			took, refused, err = append(took, mine...), refused+no, errors.Join(err, broken)
		})
	}
	all.Wait()
	return took, refused, err
}

// lines are the calls a second by clients, a line for each number of projects.
func (all rates) lines() []plot.Line {
	var lines []plot.Line
	for _, projects := range growingProjects {
		l := plot.Line{Name: fmt.Sprintf("%d projects", projects)}
		if projects == 1 {
			l.Name = "1 project"
		}
		for _, r := range all {
			if r.projects == projects {
				l.Points = append(l.Points, plot.Point{X: float64(r.clients), Y: r.calls})
			}
		}
		lines = append(lines, l)
	}
	return lines
}

func (all rates) markdown(w io.Writer) {
	fmt.Fprint(w, "\n## Projects and clients\n\nEach client is a `berth mcp` that asks its project for one row of SQLite again and again. Memory is resident, the mean of the processes of a kind.\n\n"+
		"| projects | clients | calls a second | p50, ms | p99, ms | refused | an instance, MiB | a front-end, MiB |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, r := range all {
		fmt.Fprintf(w, "| %d | %d | %.0f | %.2f | %.2f | %d of %d | %.1f | %.1f |\n", r.projects, r.clients, r.calls, millis(r.p50), millis(r.p99), r.refused, r.callsInAll, r.instance, r.front)
	}
	fmt.Fprint(w, "\nThe exponent of the calls a second over the clients, as in the table of designs below: ")
	for i, l := range all.lines() {
		if i > 0 {
			fmt.Fprint(w, ", ")
		}
		fmt.Fprintf(w, "%s %s", l.Name, exponent(l.Points))
	}
	fmt.Fprintln(w, ".")
}
