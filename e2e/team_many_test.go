package e2e

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/designer/journal/stream"
	"github.com/berth-dev/berth/e2e/broker"
)

// accounts has two accounts with a login each, and one that both may use.
const accounts = `accounts {
  A { jetstream: enabled, users: [{ user: a, password: p }] }
  B { jetstream: enabled, users: [{ user: b, password: p }] }
}
jetstream { store_dir: "{store}" }`

// Designs of one name in two accounts of a broker are two, and so are designs of
// two names in one account: no entry, person or snapshot of one is seen in the
// other. A name is taken once in an account.
func TestDesignsDoNotMix(t *testing.T) {
	t.Parallel()
	b := broker.Start(t, accounts)
	as := func(login string) string { return strings.Replace(b.URL, "nats://", "nats://"+login+":p@", 1) }
	people := map[string]*mate{}
	for name, url := range map[string]string{"ann": as("a"), "amy": as("a"), "ben": as("b")} {
		people[name] = newMate(t, url, name)
	}
	ann, amy, ben := people["ann"], people["amy"], people["ben"]
	ann.team("init", "shop")
	ben.team("init", "shop")
	got := amy.berthIn(amy.root, "team", "init", "shop")
	assert.Equal(t, 3, got.code)
	assert.Contains(t, got.stderr, "shop")
	assert.Contains(t, got.stderr, "berth team attach shop")
	amy.team("init", "shop2")
	dice := rand.New(rand.NewPCG(1, 1))
	for name, m := range people {
		for m.edited() < 3 && !t.Failed() {
			m.edit(dice)
		}
		require.Len(t, m.acked, 3, name)
	}
	for login, designs := range map[string]map[string]*mate{"a": {"shop": ann, "shop2": amy}, "b": {"shop": ben}} {
		team, err := stream.Dial(context.Background(), stream.Options{URL: as(login), User: "checker"})
		require.NoError(t, err)
		t.Cleanup(team.Close)
		for design, m := range designs {
			who := []string{}
			for _, p := range m.state().People {
				who = append(who, p.Person)
			}
			assert.Equal(t, []string{m.name}, who, "who is there")
			assert.Equal(t, m.authors(t, team, design), []string{m.name})
			tables, _ := m.design()
			for _, other := range people {
				assert.Equal(t, other == m, strings.Contains(tables, other.name+"_"), "edits of %s in the design of %s", other.name, m.name)
			}
		}
	}
	page := *ann.key.Load()
	req, err := http.NewRequest("GET", ben.now.Load().URL+"/designs/"+ben.id, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", page)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	_ = resp.Body.Close()
	assert.Equal(t, http.StatusUnauthorized, resp.StatusCode, "a key of one project opens no other")
}

// authors lists, each once, those of a design's entries.
func (m *mate) authors(t *testing.T, team *stream.Team, design string) (list []string) {
	t.Helper()
	j, err := team.Open(context.Background(), design)
	require.NoError(t, err)
	seen := map[string]bool{}
	require.NoError(t, j.Read(context.Background(), journal.Position{}, func(e journal.Entry) error {
		var body struct{ Author string }
		if err := json.Unmarshal(e.Body, &body); err != nil {
			return err
		}
		if !seen[body.Author] {
			list = append(list, body.Author)
		}
		seen[body.Author] = true
		return nil
	}))
	return list
}
