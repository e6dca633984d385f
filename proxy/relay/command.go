package relay

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// session is one run of a host's command, with the connection over it.
type session struct {
	version  string // of the berth there
	requests *http.Transport
	conn     *stdio
	slots    chan struct{} // one for each request that is let in
	uses     int           // requests that are in progress, guarded by Host.mu
}

// process is a command that runs.
type process struct {
	cmd    *exec.Cmd
	in     *os.File // what it prints
	out    *os.File // what it reads
	errors *ending
	heard  chan struct{} // closed when errors is all of it
	exited chan struct{} // closed when it has ended
}

// Limits on a command.
const (
	startBudget = 15 * time.Second       // until the berth there has greeted
	exitGrace   = 500 * time.Millisecond // for it to end by itself; its last words come with it
)

// startProcess starts a command with pipes of our own: those of package exec are
// closed when it ends, while what it has printed is not read yet.
func startProcess(argv []string) (*process, error) {
	theirIn, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	in, theirOut, err := os.Pipe()
	if err != nil {
		closeAll(theirIn, out)
		return nil, err
	}
	errs, theirErr, err := os.Pipe()
	if err != nil {
		closeAll(theirIn, out, in, theirOut)
		return nil, err
	}
	p := &process{cmd: exec.Command(argv[0], argv[1:]...), in: in, out: out, errors: &ending{}, heard: make(chan struct{}), exited: make(chan struct{})}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirIn, theirOut, theirErr
	p.cmd.Dir = ownFolder()
	ownGroup(p.cmd)
	err = p.cmd.Start()
	closeAll(theirIn, theirOut, theirErr)
	if err != nil {
		closeAll(in, out, errs)
		return nil, err
	}
	go func() {
		p.errors.copyFrom(errs) // a process that it leaves behind may keep this open
		close(p.heard)
		_ = errs.Close()
	}()
	go func() {
		_ = p.cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// ownFolder returns the folder in which commands run: the user's own, not the
// project that an agent works in, since some commands read files where they run.
func ownFolder() string {
	if dir, err := os.UserHomeDir(); err == nil {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return os.TempDir()
}

// end ends the process: by the end of its input, then by force.
func (p *process) end() {
	if closesFirst {
		closeAll(p.out, p.in)
		select {
		case <-p.exited:
			return
		case <-time.After(exitGrace):
		}
	}
	kill(p.cmd)
	<-p.exited
	closeAll(p.out, p.in)
}

// open starts the command and waits for the greeting of the berth there. The
// error is for a person, without the command.
func open(ctx context.Context, argv []string) (*session, error) {
	p, err := startProcess(argv)
	if err != nil {
		return nil, err
	}
	type greeting struct {
		hello
		err error
	}
	r := bufio.NewReaderSize(p.in, maxSkipped)
	greeted := make(chan greeting, 1)
	go func() {
		h, err := readHello(r)
		greeted <- greeting{h, err}
	}()
	budget := time.NewTimer(startBudget)
	defer budget.Stop()
	var g greeting
	select {
	case g = <-greeted:
	case <-budget.C:
		g.err = fmt.Errorf("no berth answered within %v", startBudget)
	case <-ctx.Done():
		g.err = ctx.Err()
	}
	if g.err != nil {
		defer func() { go p.end() }()
		return nil, p.explain(g.hello, g.err)
	}
	s := newSession(p, r, g.version)
	if err := s.begin(ctx); err != nil {
		_ = s.conn.Close()
		return nil, p.explain(hello{}, err)
	}
	return s, nil
}

// begin makes the first request. Until one has been answered, each of many
// requests at once would have the transport dial, and there is one connection.
func (s *session) begin(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startBudget)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+pingPath, nil)
	if err != nil {
		return err
	}
	resp, err := s.requests.RoundTrip(req)
	if err != nil {
		return fmt.Errorf("berth %s greeted and did not answer: %w", s.version, err)
	}
	return resp.Body.Close()
}

// newSession returns the session on the streams of a process.
func newSession(p *process, r *bufio.Reader, version string) *session {
	s := &session{version: version, slots: make(chan struct{}, maxRequests)}
	s.conn = newStdio(r, p.out, func() { go p.end() })
	first := make(chan net.Conn, 1)
	first <- s.conn
	s.requests = &http.Transport{
		Protocols: protocols(), HTTP2: http2(), DisableCompression: true,
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			select {
			case c := <-first:
				return c, nil
			default:
				return nil, errOver
			}
		},
	}
	return s
}

// explain adds to an error what the command said last.
func (p *process) explain(h hello, err error) error {
	if errors.Is(err, errNoHello) {
		grace := time.NewTimer(exitGrace)
		defer grace.Stop()
		select {
		case <-p.exited:
			err = fmt.Errorf("the command ended (%s)", p.cmd.ProcessState)
		case <-grace.C:
			err = errors.New("the command closed its output and no berth answered")
		}
		select {
		case <-p.heard:
		case <-grace.C:
		}
	}
	if said := saidLast(h.skipped, p.errors.String()); said != "" {
		return fmt.Errorf("%w: %s", err, said)
	}
	return err
}

// saidLast quotes the ends of what a command printed and of its errors. With a
// terminal in between, what berth said there is in the first, and what ssh says
// to its end in the second.
func saidLast(printed, errors string) string {
	return strings.TrimSpace(tail(quote(printed), maxQuoted/2) + " " + quote(errors))
}
