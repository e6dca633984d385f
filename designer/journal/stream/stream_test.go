package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/e2e/broker"
)

var ctx = context.Background()

const patience = 30 * time.Second

func dial(t testing.TB, url, user string) *Team {
	t.Helper()
	team, err := Dial(ctx, Options{URL: url, User: user})
	require.NoError(t, err)
	t.Cleanup(team.Close)
	return team
}

// create makes the journal shop with a first entry.
func create(t testing.TB, team *Team) *Journal {
	t.Helper()
	j, err := team.Create(ctx, "shop", 1, "genesis", []byte("genesis"))
	require.NoError(t, err)
	return j
}

// all reads a journal from its start.
func all(t testing.TB, j *Journal) (list []journal.Entry) {
	t.Helper()
	require.NoError(t, j.Read(ctx, journal.Position{}, func(e journal.Entry) error {
		list = append(list, e)
		return nil
	}))
	return list
}

func end(t testing.TB, j *Journal) journal.Position {
	t.Helper()
	list := all(t, j)
	return list[len(list)-1].Position()
}

// What comes to a cluster without a leader is lost, not answered late.
func TestADesignIsMadeOnAClusterThatHasItsLeaderOnlyThen(t *testing.T) {
	t.Parallel()
	list := broker.Cluster(t, 3)
	team := dial(t, broker.URLs(list[:1]), "ann")
	for _, b := range list[1:] {
		b.Kill()
	}
	ctx, cancel := context.WithTimeout(ctx, 2*leaderTime)
	defer cancel()
	made := make(chan error, 1)
	go func() {
		_, err := team.Create(ctx, "shop", 3, "genesis", []byte("genesis"))
		made <- err
	}()
	time.Sleep(time.Second) // it is on its way
	for _, b := range list[1:] {
		b.Start()
	}
	require.NoError(t, <-made)
	j, err := team.Open(ctx, "shop")
	require.NoError(t, err)
	assert.Len(t, all(t, j), 1)
}

func TestAnEntryIsAppendedReadAndFollowed(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	ann := create(t, dial(t, b.URL, "ann"))
	ben, err := dial(t, b.URL, "ben").Open(ctx, "shop")
	require.NoError(t, err)

	following, stop := context.WithCancel(ctx)
	got, done := make(chan journal.Entry, 10), make(chan error, 1)
	go func() {
		done <- ben.Follow(following, journal.Position{}, func(e journal.Entry) error { got <- e; return nil })
	}()
	assert.Equal(t, "genesis", (<-got).ID)
	at, err := ann.Append(ctx, end(t, ann), "one", []byte("first edit"))
	require.NoError(t, err)
	e := <-got
	assert.Equal(t, at, e.Position())
	assert.Equal(t, "one", e.ID)
	assert.Equal(t, "first edit", string(e.Body))
	stop()
	assert.ErrorIs(t, <-done, context.Canceled)

	_, err = ben.Append(ctx, journal.Position{}, "two", nil)
	assert.ErrorIs(t, err, journal.ErrLost, "two entries stand where this was to be first")
	at, err = ben.Append(ctx, at, "two", nil)
	require.NoError(t, err)
	assert.Equal(t, uint64(3), at.Seq)
	assert.Empty(t, journal.Check(all(t, ann), nil, []journal.Seen{{Client: "ben", At: at}}))
}

func TestADesignIsCreatedOnce(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	var made, refused sync.Map
	var wait sync.WaitGroup
	for i := range 8 {
		team := dial(t, b.URL, fmt.Sprint("user", i))
		wait.Go(func() {
			if _, err := team.Create(ctx, "shop", 1, fmt.Sprint("genesis-", i), []byte("{}")); err == nil {
				made.Store(i, true)
			} else {
				refused.Store(i, err)
			}
		})
	}
	wait.Wait()
	count := func(m *sync.Map) (n int) { m.Range(func(_, _ any) bool { n++; return true }); return n }
	assert.Equal(t, 1, count(&made))
	refused.Range(func(_, err any) bool { return assert.ErrorIs(t, err.(error), ErrExists) })

	team := dial(t, b.URL, "ann")
	list, err := team.List(ctx)
	require.NoError(t, err)
	assert.Equal(t, []string{"shop"}, list)
	_, err = team.Open(ctx, "other")
	assert.ErrorIs(t, err, ErrNone)
	_, err = team.Open(ctx, "a.b")
	assert.ErrorContains(t, err, "lower-case letters")
}

func TestABodyTooLargeForAMessageIsAnObject(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	j := create(t, dial(t, b.URL, "ann"))
	large := []byte(strings.Repeat("0123456789abcdef", 3<<16)) // 3 MB, and a message takes 1 MB
	at, err := j.Append(ctx, end(t, j), "large", large)
	require.NoError(t, err)
	list := all(t, j)
	assert.Equal(t, large, list[1].Body)
	assert.Equal(t, at, list[1].Position())
}

func TestTheNewestSnapshotThatFitsIsRead(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	j := create(t, dial(t, b.URL, "ann"))
	_, data, err := j.Snapshot(ctx)
	require.NoError(t, err)
	assert.Nil(t, data)
	at := end(t, j)
	for i := range 4 {
		at, err = j.Append(ctx, at, fmt.Sprint("e", i), nil)
		require.NoError(t, err)
		require.NoError(t, j.SaveSnapshot(ctx, at, fmt.Append(nil, "state ", i)))
	}
	require.NoError(t, j.SaveSnapshot(ctx, journal.Position{Seq: 3, Hash: "of another stream"}, []byte("wrong")))
	got, data, err := j.Snapshot(ctx)
	require.NoError(t, err)
	assert.Equal(t, at, got)
	assert.Equal(t, "state 3", string(data))
	names, err := j.snapshots(ctx)
	require.NoError(t, err)
	assert.Len(t, names, keptSnapshots)
}

func TestAnOldServerIsRefused(t *testing.T) {
	t.Parallel()
	b, version := broker.Old(t)
	if recent(version) {
		t.Skipf("nats-server of the path is %s, which is not too old", version)
	}
	_, err := Dial(ctx, Options{URL: b.URL, User: "ann"})
	assert.ErrorContains(t, err, "nats-server "+version+" is too old: acknowledged edits could be lost; it needs 2.10.23 or newer")
}

func TestABrokerWithoutJetStreamIsRefused(t *testing.T) {
	t.Parallel()
	b := broker.Start(t, "# jetstream is off")
	_, err := Dial(ctx, Options{URL: b.URL, User: "ann"})
	assert.ErrorContains(t, err, `JetStream is not enabled: start it with "nats-server -js"`)
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	b.Kill()
	address := strings.TrimPrefix(b.URL, "nats://")
	_, err := Dial(ctx, Options{URL: "nats://ann:secret@" + address, User: "ann"})
	require.Error(t, err)
	assert.Contains(t, err.Error(), "connect to the team's broker nats://"+address)
	assert.NotContains(t, err.Error(), "secret")
}

func TestABrokerThatStandsStillIsSaid(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	team := dial(t, b.URL, "ann")
	j := create(t, team)
	b.Stop()
	for what, ask := range map[string]func() error{
		"open": func() error { _, err := team.Open(ctx, "shop"); return err },
		"list": func() error { _, err := team.List(ctx); return err },
		"read": func() error { return j.Read(ctx, journal.Position{}, func(journal.Entry) error { return nil }) },
	} {
		assert.Regexp(t, "the broker (has not answered for \\d+s|is not connected)", ask(), what)
	}
	b.Continue()
}

// rights is a configuration with a user that may do so much.
func rights(permissions string) string {
	return `authorization { users: [ {user: admin, password: a}, {user: ann, password: b, permissions: ` + permissions + `} ] }`
}

func as(b *broker.Broker, login string) string {
	return strings.Replace(b.URL, "nats://", "nats://"+login+"@", 1)
}

// A missing permission is silence to who called: the server says it elsewhere.
func TestAMissingPermissionIsSaid(t *testing.T) {
	t.Parallel()
	b := broker.Start(t, rights(`{publish: {allow: ["$JS.API.>", "_INBOX_ann.>"]}, subscribe: {allow: ["_INBOX_ann.>"]}}`))
	create(t, dial(t, as(b, "admin:a"), "admin"))
	j, err := dial(t, as(b, "ann:b"), "ann").Open(ctx, "shop")
	require.NoError(t, err)
	_, err = j.Append(ctx, end(t, j), "one", nil)
	var no *journal.RefusedError
	require.ErrorAs(t, err, &no)
	assert.Contains(t, strings.ToLower(err.Error()), `permissions violation for publish to "berth.j.shop"`)
	assert.Contains(t, err.Error(), "docs/teams.md")
}

func TestCredentialsRevokedWhileConnected(t *testing.T) {
	t.Parallel()
	b := broker.Start(t, rights(`{}`))
	j := create(t, dial(t, as(b, "ann:b"), "ann"))
	b.Configure(`authorization { users: [ {user: admin, password: a} ] }`)
	b.Reload()
	require.Eventually(t, func() bool { return !j.Reach().Connected }, patience, 10*time.Millisecond)
	require.Eventually(t, func() bool { return strings.Contains(strings.ToLower(j.Reach().Reason), "authorization") }, patience, 10*time.Millisecond,
		"the reason is the login: %v", j.Reach())
	short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	_, err := j.Append(short, journal.Position{Seq: 1, Hash: "of the genesis"}, "one", nil)
	var gone *journal.UnreachableError
	require.ErrorAs(t, err, &gone)
	assert.Contains(t, strings.ToLower(err.Error()), "authorization")
}

func TestAFullBrokerRefusesAndKeeps(t *testing.T) {
	t.Parallel()
	b := broker.Start(t, "jetstream { store_dir: \"{store}\", max_file_store: 1048576 }")
	j := create(t, dial(t, b.URL, "ann"))
	at, body := end(t, j), []byte(strings.Repeat("x", 100<<10))
	kept := uint64(1)
	for i := 0; ; i++ {
		require.Less(t, i, 20, "it is full at some time")
		next, err := j.Append(ctx, at, fmt.Sprint("e", i), body)
		if err != nil {
			var no *journal.RefusedError
			require.ErrorAs(t, err, &no, "%v", err)
			assert.Contains(t, err.Error(), "no room left")
			break
		}
		at, kept = next, next.Seq
	}
	assert.Equal(t, kept, end(t, j).Seq)
	assert.Empty(t, journal.Check(all(t, j), nil, []journal.Seen{{Client: "ann", At: at}}))
}

// What a broker's administrator can do to a stream, and what a replica says
// that has seen what was there before.
func TestAStreamThatWasTamperedWithIsNotFollowed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tamper func(t *testing.T, team *Team)
		says   string
	}{
		"deleted": {func(t *testing.T, team *Team) {
			require.NoError(t, team.js.DeleteStream(ctx, streamOf("shop")))
		}, "its stream is gone"},
		"deleted and made again": {func(t *testing.T, team *Team) {
			require.NoError(t, team.js.DeleteStream(ctx, streamOf("shop")))
			j := create(t, team)
			at := end(t, j)
			for i := range 5 {
				var err error
				at, err = j.Append(ctx, at, fmt.Sprint("new", i), nil)
				require.NoError(t, err)
			}
		}, "its entry 4 is not the one that this replica has"},
		"restored from an older backup": {func(t *testing.T, team *Team) {
			require.NoError(t, team.js.DeleteStream(ctx, streamOf("shop")))
			create(t, team)
		}, "this replica has 4 entries and the broker 1"},
		"purged": {func(t *testing.T, team *Team) {
			c := config("shop", 1)
			require.NoError(t, team.js.DeleteStream(ctx, streamOf("shop")))
			c.DenyPurge = false
			s, err := team.js.CreateStream(ctx, c)
			require.NoError(t, err)
			for range 5 {
				_, err := team.js.Publish(ctx, subjectOf("shop"), nil)
				require.NoError(t, err)
			}
			require.NoError(t, s.Purge(ctx))
		}, "entries were deleted from its stream"},
		"allowed to forget": {func(t *testing.T, team *Team) {
			c := config("shop", 1)
			c.MaxAge = time.Hour
			_, err := team.js.UpdateStream(ctx, c)
			require.NoError(t, err)
		}, "deletes entries by age"},
		"written to by another program": {func(t *testing.T, team *Team) {
			_, err := team.js.Publish(ctx, subjectOf("shop"), []byte("hello"))
			require.NoError(t, err)
		}, "entry 5 does not follow the one before it"},
	} {
		t.Run(name, func(t *testing.T) {
			b := broker.Start(t)
			j := create(t, dial(t, b.URL, "ann"))
			at := end(t, j)
			for i := range 3 {
				var err error
				at, err = j.Append(ctx, at, fmt.Sprint("e", i), nil)
				require.NoError(t, err)
			}
			c.tamper(t, dial(t, b.URL, "admin"))
			short, cancel := context.WithTimeout(ctx, patience)
			defer cancel()
			err := j.Follow(short, at, func(journal.Entry) error { return nil })
			var broken *journal.BrokenError
			require.ErrorAs(t, err, &broken, "%v", err)
			assert.Contains(t, err.Error(), c.says)
		})
	}
}

// The first try's answer gets lost: the second is told "wrong last sequence"
// by a broker that committed the first.
func TestAnAnswerThatGotLostIsNoLoss(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	team := dial(t, b.URL, "ann")
	j := create(t, team)
	after := end(t, j)
	e := journal.Entry{Seq: after.Seq + 1, ID: "one", Previous: after.Hash, Body: []byte("edit")}
	msg, err := j.message(ctx, e)
	require.NoError(t, err)
	require.NoError(t, team.nc.PublishMsg(msg)) // nobody waits for the answer
	require.NoError(t, team.nc.Flush())

	at, err := j.push(ctx, &trial{after: after.Seq, open: true}, e, msg)
	require.NoError(t, err)
	assert.Equal(t, e.Position(), at)

	// Likewise once the window in which ids are compared is over: what is at
	// n+1 has the id.
	again := nats.NewMsg(msg.Subject)
	again.Data = msg.Data
	for name, values := range msg.Header {
		again.Header[name] = values
	}
	c := config("shop", 1)
	c.Duplicates = 100 * time.Millisecond
	_, err = team.js.UpdateStream(ctx, c)
	require.NoError(t, err)
	time.Sleep(300 * time.Millisecond)
	at, err = j.push(ctx, &trial{after: after.Seq, open: true}, e, again)
	require.NoError(t, err)
	assert.Equal(t, e.Position(), at)
	assert.Equal(t, uint64(2), end(t, j).Seq)
}

func TestUnknownIsResolvedOnceTheBrokerAnswers(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	j := create(t, dial(t, b.URL, "ann"))
	after := end(t, j)
	b.Stop()
	short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	_, err := j.Append(short, after, "one", []byte("edit"))
	var unknown *journal.UnknownError
	require.ErrorAs(t, err, &unknown)
	assert.Equal(t, "one", unknown.ID)
	b.Continue()
	at, err := unknown.Resolve(ctx)
	require.NoError(t, err)
	assert.Empty(t, journal.Check(all(t, j), []journal.Told{{Client: "ann", ID: "one", Outcome: journal.Committed, At: at}}, nil))
	assert.Len(t, all(t, j), 2)
}

func TestFollowingOutlivesTheBroker(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	j := create(t, dial(t, b.URL, "ann"))
	got := make(chan journal.Entry, 100)
	following, stop := context.WithCancel(ctx)
	t.Cleanup(stop)
	go func() {
		_ = j.Follow(following, journal.Position{}, func(e journal.Entry) error { got <- e; return nil })
	}()
	at := (<-got).Position()
	for i := range 3 {
		b.Kill()
		require.Eventually(t, func() bool { return !j.Reach().Connected }, patience, time.Millisecond)
		b.Start()
		require.Eventually(t, func() bool {
			next, err := j.Append(ctx, at, fmt.Sprint("e", i), nil)
			if err == nil {
				at = next
			}
			return err == nil
		}, patience, time.Millisecond)
		select {
		case e := <-got:
			assert.Equal(t, at, e.Position())
		case <-time.After(patience):
			t.Fatal("the entry did not come")
		}
	}
}

// A heartbeat is a message for every design and instance, so with one server,
// whose death the connection notices, there are few of them.
func TestAFollowerAsksSeldomUnlessOtherServersMayDie(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name              string
		brokers           func(testing.TB) []*broker.Broker
		expiry, heartbeat time.Duration
	}{
		{"one server", func(t testing.TB) []*broker.Broker { return []*broker.Broker{broker.Start(t)} }, time.Minute, 30 * time.Second},
		{"three servers", func(t testing.TB) []*broker.Broker { return broker.Cluster(t, 3) }, 10 * time.Second, 2 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := broker.URLs(c.brokers(t))
			j := create(t, dial(t, url, "ann"))
			watch, err := nats.Connect(url)
			require.NoError(t, err)
			t.Cleanup(watch.Close)
			asks, err := watch.SubscribeSync("$JS.API.CONSUMER.MSG.NEXT.>")
			require.NoError(t, err)
			require.NoError(t, watch.Flush())

			following, stop := context.WithCancel(ctx)
			t.Cleanup(stop)
			go func() {
				_ = j.Follow(following, journal.Position{}, func(journal.Entry) error { return nil })
			}()
			msg, err := asks.NextMsg(patience)
			require.NoError(t, err)
			var ask struct {
				Expires       time.Duration
				IdleHeartbeat time.Duration `json:"idle_heartbeat"`
			}
			require.NoError(t, json.Unmarshal(msg.Data, &ask))
			assert.Equal(t, c.expiry, ask.Expires)
			assert.Equal(t, c.heartbeat, ask.IdleHeartbeat)
		})
	}
}

func TestAMirrorIsNoJournal(t *testing.T) {
	t.Parallel()
	c := config("shop", 1)
	assert.Empty(t, wrongConfig(c))
	c.Mirror, c.Storage = &jetstream.StreamSource{Name: "OTHER"}, jetstream.MemoryStorage
	assert.Equal(t, "copies another stream, is kept in memory", wrongConfig(c))
}

func TestWhoIsThereAnswers(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	ann, ben := dial(t, b.URL, "ann"), dial(t, b.URL, "ben")
	list, err := ann.Who(ctx, "shop", nil)
	require.NoError(t, err)
	assert.Empty(t, list)
	for name, team := range map[string]*Team{"ann": ann, "ben": ben} {
		stop, err := team.Answer("shop", func() Present { return Present{Person: name, Pages: 1} }, nil)
		require.NoError(t, err)
		defer stop()
	}
	require.NoError(t, ben.nc.Flush())
	list, err = ann.Who(ctx, "shop", nil)
	require.NoError(t, err)
	assert.Equal(t, []Present{{Person: "ann", Pages: 1}, {Person: "ben", Pages: 1}}, list)
}
