package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/wire"
)

// personKey reads the key by which berth's own processes speak for a person.
func (w *world) personKey() string {
	w.t.Helper()
	key, err := wire.ReadPersonKey(filepath.Join(w.home, "person.key"))
	require.NoError(w.t, err)
	return key.Header()
}

// code gets a code that signs a page in, as `berth open` does.
func (w *world) code(in *instance) string {
	w.t.Helper()
	status, body := request(w.t, in, "POST", "/signin/code", "{}", map[string]string{
		"Authorization": "Bearer " + w.token(in), wire.PersonHeader: w.personKey()})
	require.Equal(w.t, 200, status, body)
	var made struct{ Code string }
	require.NoError(w.t, json.Unmarshal([]byte(body), &made))
	return made.Code
}

// signIn trades a code for a page key and returns the credential.
func (w *world) signIn(in *instance) string {
	w.t.Helper()
	code := w.code(in)
	status, body := request(w.t, in, "POST", "/signin", fmt.Sprintf(`{"code":%q}`, code), nil)
	require.Equal(w.t, 200, status, body)
	var key struct{ KeyID, Key string }
	require.NoError(w.t, json.Unmarshal([]byte(body), &key))

	status, _ = request(w.t, in, "POST", "/signin", fmt.Sprintf(`{"code":%q}`, code), nil)
	assert.NotEqual(w.t, 200, status, "a code works once")
	return "Bearer " + key.KeyID + "." + key.Key
}

// events follows /events with a page key and hands over each event's data.
func events(t *testing.T, in *instance, credential string) <-chan map[string]any {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, "GET", "http://127.0.0.1:"+strconv.Itoa(in.Port)+"/events", nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", credential)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode)
	out := make(chan map[string]any, 64)
	go func() {
		defer close(out)
		defer res.Body.Close()
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data:"); ok {
				var event map[string]any
				if json.Unmarshal([]byte(data), &event) == nil {
					out <- event
				}
			}
		}
	}()
	return out
}

func TestPageAndAgentEditOneDesignAndSeeEachOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	client := w.agent()
	require.True(t, client.design(root, map[string]any{"operation": "show"}).Success)
	key := w.signIn(in)
	stream := events(t, in, key)

	version := client.design(root, map[string]any{"operation": "get_overview"}).Version
	byAgent := client.design(root, edits(version, addTable("by_agent")))
	require.True(t, byAgent.Success, byAgent.text)
	seen := await(t, stream, "committed")
	assert.Equal(t, "agent", seen["origin"])
	assert.Equal(t, byAgent.Version, seen["version"])
	assert.NotEmpty(t, seen["batchId"])

	body := fmt.Sprintf(`{"arguments":{"projectRoot":%q,"operation":"apply_edits","payload":{"expectedVersion":%q,"edits":[
		{"op":"drop_table","table":{"name":"by_agent"}}]}}}`, root, byAgent.Version)
	status, answer := request(t, in, "POST", "/tools/"+designer, body, map[string]string{"Authorization": key})
	require.Equal(t, 200, status, answer)
	require.Contains(t, answer, `tablesDropped`)
	seen = await(t, stream, "committed")
	assert.Equal(t, "page", seen["origin"], "the origin follows from the credential")
	assert.Equal(t, version, seen["version"], "the same schema has the same version")

	stale := client.design(root, edits(byAgent.Version, addTable("late")))
	assert.Equal(t, "stale_state", stale.Reason)
	assert.Equal(t, version, stale.CurrentVersion)

	status, _ = request(t, in, "POST", "/shutdown", "{}", map[string]string{"Authorization": key})
	assert.Equal(t, 403, status, "a page key does not end the instance")
}

func TestAPageKeyEndsWithItsRunAndTheInstanceProvesTheNext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	in := w.serve(root)
	key := w.signIn(in)
	in.kill()
	in = w.serve(root)
	status, body := request(t, in, "GET", "/tables", "", map[string]string{"Authorization": key})
	assert.Equal(t, 401, status, body)
	id, _, _ := strings.Cut(strings.TrimPrefix(key, "Bearer "), ".")
	nonce := strings.Repeat("A", 43)
	status, body = request(t, in, "GET", "/health?nonce="+nonce+"&key="+id, "", nil)
	assert.Equal(t, 200, status)
	for _, part := range []string{`"proof":"`, `"run":"`, `"resumed":"`} {
		assert.Contains(t, body, part)
	}
}
