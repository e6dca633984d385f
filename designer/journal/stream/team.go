package stream

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/mod/semver"

	"github.com/berth-dev/berth/designer/journal"
)

// oldest is the oldest server that is used: before it, entries that were
// acknowledged could be lost though every disk was kept.
const oldest = "v2.10.23"

// Times of the connection. A server that was stopped is noticed after
// pingEvery × 3; a try of a publish has tryTime.
const (
	dialTime    = 5 * time.Second
	pingEvery   = 3 * time.Second
	tryTime     = 2 * time.Second
	askTime     = 5 * time.Second
	leaderTime  = 30 * time.Second // for a cluster to have a leader
	firstPause  = 50 * time.Millisecond
	longestWait = 2 * time.Second
)

// Options say how a team's broker is reached.
type Options struct {
	URL         string // nats://, tls://, ws:// or wss://; several are divided by commas
	Credentials string // path of a credentials file (user JWT and seed); "": as URL says
	CA          string // path of certificates (PEM) that a broker's is checked against, by TLS alone; "": the system's
	Certificate string // path of a certificate (PEM) shown to a broker, by TLS alone; "": none
	Key         string // path of the private key (PEM) of Certificate
	User        string // who the connection is for; names its inbox. Required
	Changed     func() // is called when [Team.Reach] reports something else; it must not wait. nil: nobody needs to know
	Logger      *slog.Logger
}

// Team is a connection to a team's broker. It connects again by itself. It is
// safe for concurrent use.
type Team struct {
	nc   *nats.Conn
	js   jetstream.JetStream
	log  *slog.Logger
	user string
	// changed is called without mu held.
	changed func()

	mu      sync.Mutex
	reach   journal.Reach
	denials []denial // the newest ones, oldest first
	login   string   // why the server ends the login, said before it does; ""
	again   chan struct{}
}

// denial is a permission that the server said is missing. It answers nothing
// else: the call itself would end in silence.
type denial struct {
	at      time.Time
	subject string
	words   string
}

// Dial connects to a broker. It fails if none answers within five seconds, or
// if the server is older than 2.10.23 or has no JetStream.
func Dial(ctx context.Context, opts Options) (*Team, error) {
	t := &Team{log: cmp.Or(opts.Logger, slog.New(slog.DiscardHandler)), user: opts.User, changed: opts.Changed, again: make(chan struct{})}
	if t.changed == nil {
		t.changed = func() {}
	}
	options := []nats.Option{
		nats.Name("berth"), nats.Timeout(dialTime), nats.MaxReconnects(-1), nats.ReconnectBufSize(-1),
		nats.ReconnectWait(250 * time.Millisecond), nats.ReconnectJitter(250*time.Millisecond, 500*time.Millisecond),
		nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(2), nats.IgnoreAuthErrorAbort(),
		nats.CustomInboxPrefix(inboxOf(opts.User)),
		nats.ErrorHandler(t.onError), nats.DisconnectErrHandler(t.onDisconnect), nats.ReconnectHandler(t.onReconnect),
	}
	if opts.Credentials != "" {
		options = append(options, nats.UserCredentials(opts.Credentials))
	}
	if opts.CA != "" {
		options = append(options, nats.RootCAs(opts.CA))
	}
	if opts.Certificate != "" {
		options = append(options, nats.ClientCert(opts.Certificate, opts.Key))
	}
	nc, err := nats.Connect(opts.URL, options...)
	if err != nil {
		return nil, fmt.Errorf("connect to the team's broker %s: %w%s", redacted(opts.URL), err, adviceOn(err, opts))
	}
	t.nc, t.reach = nc, journal.Reach{Connected: true, Since: time.Now()}
	if err := t.check(ctx); err != nil {
		nc.Close()
		return nil, fmt.Errorf("the team's broker %s: %w", redacted(opts.URL), err)
	}
	return t, nil
}

// adviceOn says what to do about a certificate that is not trusted, about a
// login that is asked for, and about a certificate that is: a server that gets
// none says so or ends the connection, whichever is seen first.
func adviceOn(err error, opts Options) string {
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &unknown):
		return " (the authority's certificate, in PEM, is named by the setting team.ca)"
	case opts.Certificate == "" && (errors.Is(err, nats.ErrTLS) || strings.Contains(err.Error(), "tls: certificate required")):
		return " (where the broker asks for a certificate as the login, the settings team.certificate and team.key name it)"
	case errors.Is(err, nats.ErrAuthorization) && opts.Credentials == "" && opts.Certificate == "" && !strings.Contains(opts.URL, "@"):
		return " (where the broker asks for a login, the setting team.credentials names the file of one, or it stands in the address)"
	}
	return ""
}

// redacted is an address without what may be a password.
func redacted(url string) string {
	list := strings.Split(url, ",")
	for i, u := range list {
		scheme, rest, ok := strings.Cut(u, "://")
		if !ok {
			scheme, rest = "nats", u
		}
		if at := strings.LastIndex(rest, "@"); at >= 0 {
			list[i] = scheme + "://" + rest[at+1:]
		}
	}
	return strings.Join(list, ",")
}

// check looks at what the server is.
func (t *Team) check(ctx context.Context) (err error) {
	if version := t.nc.ConnectedServerVersion(); !recent(version) {
		return fmt.Errorf("nats-server %s is too old: acknowledged edits could be lost; it needs %s or newer", version, oldest[1:])
	}
	if t.js, err = jetstream.New(t.nc, jetstream.WithDefaultTimeout(askTime)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	_, err = t.js.AccountInfo(ctx)
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
		return errors.New(`JetStream is not enabled: start it with "nats-server -js", or enable it for the account`)
	}
	return nil // a cluster may have no leader just now, and a user may lack this right and have those that count
}

func recent(version string) bool {
	v := "v" + strings.TrimPrefix(version, "v")
	return semver.IsValid(v) && semver.Compare(v, oldest) >= 0
}

// ServerVersion returns the version of the server that is connected, "" if none
// is.
func (t *Team) ServerVersion() string { return t.nc.ConnectedServerVersion() }

// Close ends the connection.
func (t *Team) Close() { t.nc.Close() }

// Reach reports whether the broker is connected, since when, and why not.
func (t *Team) Reach() journal.Reach {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.reach
}

func (t *Team) onDisconnect(nc *nats.Conn, err error) {
	reason := "the connection ended"
	if err != nil {
		reason = err.Error()
	}
	t.mu.Lock()
	if t.login != "" { // the server said why before it hung up
		reason, t.login = t.login, ""
	}
	t.mu.Unlock()
	t.setReach(journal.Reach{Since: time.Now(), Reason: reason})
}

// onReconnect also wakes those that follow a journal: its broker may be another
// one, or may have been restored from a backup.
func (t *Team) onReconnect(nc *nats.Conn) {
	if version := nc.ConnectedServerVersion(); !recent(version) {
		t.setReach(journal.Reach{Since: time.Now(), Reason: fmt.Sprintf("nats-server %s is too old", version)})
		return
	}
	t.setReach(journal.Reach{Connected: true, Since: time.Now()})
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.again)
	t.again = make(chan struct{})
}

func (t *Team) setReach(r journal.Reach) {
	defer t.changed()
	t.mu.Lock()
	defer t.mu.Unlock()
	if !r.Connected && !t.reach.Connected {
		r.Since = t.reach.Since
	}
	t.reach = r
	t.log.Info("team's broker", "connected", r.Connected, "reason", r.Reason)
}

// reconnected returns a channel that is closed at the next reconnect.
func (t *Team) reconnected() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.again
}

const keptDenials = 32

func (t *Team) onError(_ *nats.Conn, _ *nats.Subscription, err error) {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		t.mu.Lock()
		defer t.mu.Unlock()
		switch {
		case !t.reach.Connected: // a refused login, most of all
			t.reach.Reason = err.Error()
		case isLogin(err):
			t.login = err.Error()
		}
		return
	}
	words := err.Error()
	d := denial{at: time.Now(), words: words}
	if _, rest, ok := strings.Cut(words, `"`); ok {
		d.subject, _, _ = strings.Cut(rest, `"`)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.denials = append(t.denials, d)
	t.denials = t.denials[max(0, len(t.denials)-keptDenials):]
}

func isLogin(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked) ||
		errors.Is(err, nats.ErrAccountAuthExpired)
}

// denied returns the words with which the server has forbidden a subject since
// a moment; "" if it has not.
func (t *Team) denied(since time.Time, subject string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, d := range t.denials {
		if !d.at.Before(since) && strings.EqualFold(d.subject, subject) {
			return d.words
		}
	}
	return ""
}

// explain names a missing permission in place of the silence that it caused, and
// says a silence without one in words.
func (t *Team) explain(err error, since time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, d := range t.denials {
		if err != nil && !d.at.Before(since) {
			return fmt.Errorf("%s", d.words)
		}
	}
	switch {
	case errors.Is(err, nats.ErrReconnectBufExceeded):
		return fmt.Errorf("the broker is not connected: %w", err)
	case errors.Is(err, context.DeadlineExceeded) && errors.Unwrap(err) == nil: // not yet in words
		return fmt.Errorf("the broker has not answered for %s: %w", time.Since(since).Round(time.Second), err)
	}
	return err
}
