package instance_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/wire"
)

func (r *testInstance) health(query string) wire.Health {
	r.t.Helper()
	resp, body := r.ask("GET", "/health"+query, nil, as(""))
	require.Equal(r.t, 200, resp.StatusCode, body)
	var h wire.Health
	require.NoError(r.t, json.Unmarshal([]byte(body), &h))
	return h
}

func TestHealthProvesTheInstanceToWhoHoldsItsToken(t *testing.T) {
	r := start(t)
	nonce := wire.NewNonce()
	h := r.health("?nonce=" + wire.EncodeNonce(nonce))
	assert.True(t, h.Proves(r.self, nonce))
	assert.False(t, h.Proves(r.self, wire.NewNonce()), "a proof is of its own nonce only")
	elsewhere := r.self
	elsewhere.Port++
	assert.False(t, h.Proves(elsewhere, nonce), "a relay on another port cannot pass it on")
	assert.Empty(t, r.health("").Proof)
	for _, bad := range []string{"", "short", strings.Repeat("A", 500), "!!!!!!!!!!!!!!!!!!!!!!!!!!"} {
		resp, body := r.ask("GET", "/health?nonce="+bad, nil, as(""))
		assert.Equal(t, 400, resp.StatusCode, body)
	}
}

func TestHealthProvesTheProjectToAPageByItsOwnKey(t *testing.T) {
	r, other := start(t), start(t)
	id, credential := r.signIn()
	_, key, _ := strings.Cut(credential, ".")
	raw, err := base64.RawURLEncoding.DecodeString(key)
	require.NoError(t, err)
	require.Len(t, raw, 32)
	secret := sha256.Sum256(raw) // of the key of this run
	nonce := wire.NewNonce()
	query := "?nonce=" + wire.EncodeNonce(nonce) + "&key=" + id
	proof, err := base64.RawURLEncoding.DecodeString(r.health(query).Proof)
	require.NoError(t, err)
	assert.True(t, wire.VerifyProof(secret[:], nonce, r.config.Root, r.self.Port, proof))
	assert.Empty(t, other.health(query).Proof, "another project does not know the key")
	assert.Empty(t, r.health("?key=no-key&nonce="+wire.EncodeNonce(nonce)).Proof)
}

func TestHealthNamesTheRunToWhoKnowsTheSignIn(t *testing.T) {
	r := start(t)
	in := r.signInWhole()
	second := start(t, func(c *instance.Config) { c.Keys, c.Root = r.keys, r.config.Root })
	nonce := wire.NewNonce()
	for name, run := range map[string]*testInstance{"this run": r, "the next": second} {
		t.Run(name, func(t *testing.T) {
			h := run.health("?nonce=" + wire.EncodeNonce(nonce) + "&key=" + in.KeyID)
			id := decode(t, h.Run)
			assert.Equal(t, wire.ResumeProof(decode(t, in.Resume), nonce, id, run.config.Root, run.self.Port), decode(t, h.Resumed))
			key := wire.PageKey(decode(t, in.Resume), id, run.config.Root, run.self.Port)
			resp, body := run.ask("GET", "/tables", nil, as("Bearer "+in.KeyID+"."+base64.RawURLEncoding.EncodeToString(key)))
			assert.Equal(t, 200, resp.StatusCode, body)
		})
	}
	assert.Empty(t, r.health("?nonce="+wire.EncodeNonce(nonce)).Run, "who names no sign-in is told of no run")
}

// signedIn is what POST /signin answers.
type signedIn struct{ KeyID, Key, Resume, ProjectRoot, ProjectRootHash string }

func (r *testInstance) signInWhole() (in signedIn) {
	r.t.Helper()
	resp, text := r.ask("POST", "/signin", map[string]string{"code": r.server.NewCode()}, as(""))
	require.Equal(r.t, 200, resp.StatusCode, text)
	require.NoError(r.t, json.Unmarshal([]byte(text), &in))
	return in
}

func decode(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(text)
	require.NoError(t, err)
	require.NotEmpty(t, raw)
	return raw
}

func TestHealthConfirmsNoGuessOfTheProject(t *testing.T) {
	r, elsewhere := start(t), start(t)
	in := r.signInWhole()
	got := r.health("").ProjectRootHash
	assert.Equal(t, in.ProjectRootHash, got, "a page recognizes its project by it")
	assert.Len(t, got, 64)
	plain := sha256.Sum256([]byte(r.config.Root))
	assert.NotEqual(t, hex.EncodeToString(plain[:]), got)
	assert.Equal(t, wire.RootHash(r.person[:], r.config.Root), got)
	assert.NotEqual(t, wire.RootHash(elsewhere.person[:], r.config.Root), got, "another user's salt is another")
}

func TestASignInCodeOpensOnce(t *testing.T) {
	r := start(t)
	resp, body := r.ask("POST", "/signin/code", nil, r.vouched())
	require.Equal(t, 200, resp.StatusCode, body)
	var made struct{ Code, URL string }
	require.NoError(t, json.Unmarshal([]byte(body), &made))
	assert.Regexp(t, "^"+r.server.URL()+`/\?open=[A-Z2-7]{26}#code=`+made.Code+"$", made.URL)
	assert.GreaterOrEqual(t, len(made.Code), 26)
	resp, body = r.ask("POST", "/signin", map[string]string{"code": made.Code}, as(""))
	require.Equal(t, 200, resp.StatusCode, body)
	resp, body = r.ask("POST", "/signin", map[string]string{"code": made.Code}, as(""))
	assert.Equal(t, 401, resp.StatusCode)
	assert.Contains(t, failure(t, body).Message, "berth open")
	assert.NotContains(t, r.log.String(), made.Code)
}

func TestASignInCodeExpires(t *testing.T) {
	clock := newClock()
	r := start(t, func(c *instance.Config) { c.Now = clock.Now })
	sign := func(code string) int {
		resp, _ := r.ask("POST", "/signin", map[string]string{"code": code}, as(""))
		return resp.StatusCode
	}
	young, old := r.server.NewCode(), r.server.NewCode()
	clock.advance(60 * time.Second)
	assert.Equal(t, 200, sign(young))
	clock.advance(time.Second)
	assert.Equal(t, 401, sign(old))
}

func TestOnlySoManyCodesWait(t *testing.T) {
	r := start(t)
	first := r.server.NewCode()
	var last string
	for range 16 {
		last = r.server.NewCode()
	}
	resp, _ := r.ask("POST", "/signin", map[string]string{"code": first}, as(""))
	assert.Equal(t, 401, resp.StatusCode, "the oldest makes room")
	resp, _ = r.ask("POST", "/signin", map[string]string{"code": last}, as(""))
	assert.Equal(t, 200, resp.StatusCode)
}

func TestGuessingCodesIsSlow(t *testing.T) {
	clock := newClock()
	r := start(t, func(c *instance.Config) { c.Now = clock.Now })
	guess := func(code string) (int, string) {
		resp, body := r.ask("POST", "/signin", map[string]string{"code": code}, as(""))
		return resp.StatusCode, failureOrEmpty(body)
	}
	for range 10 {
		status, _ := guess("AAAA")
		require.Equal(t, 401, status)
	}
	status, code := guess("AAAA")
	assert.Equal(t, 503, status)
	assert.Equal(t, "overloaded", code)
	status, _ = guess(r.server.NewCode())
	assert.Equal(t, 200, status, "a person gets in all the same")
	clock.advance(time.Second)
	status, _ = guess("AAAA")
	assert.Equal(t, 401, status)
}

func failureOrEmpty(body string) string {
	var f wire.Failure
	if json.Unmarshal([]byte(body), &f) != nil {
		return ""
	}
	return f.Error
}

func TestAPageKeyIsGoodForOneRunAndEndsWhenRevoked(t *testing.T) {
	first := start(t)
	id, old := first.signIn()
	second := start(t, func(c *instance.Config) { c.Keys, c.Root = first.keys, first.config.Root })
	resp, body := second.ask("GET", "/tables", nil, as(old))
	require.Equal(t, 401, resp.StatusCode, body)

	resp, body = first.ask("GET", "/keys", nil)
	require.Equal(t, 200, resp.StatusCode)
	assert.JSONEq(t, `{"keys":[{"id":"`+id+`","created":"1970-01-01T00:00:00Z"}]}`, body)
	resp, body = first.ask("DELETE", "/keys/"+id, nil)
	assert.Equal(t, 403, resp.StatusCode, "an agent's token signs nobody out: %s", body)
	resp, _ = first.ask("GET", "/tables", nil, as(old))
	assert.Equal(t, 200, resp.StatusCode)
	resp, body = first.ask("DELETE", "/keys/nonsense", nil, as(old))
	assert.Equal(t, 404, resp.StatusCode, body)
	resp, body = first.ask("DELETE", "/keys/"+id, nil, as(old))
	require.Equal(t, 200, resp.StatusCode, body)
	resp, _ = first.ask("GET", "/tables", nil, as(old))
	assert.Equal(t, 401, resp.StatusCode)
	assert.Empty(t, second.health("?nonce="+wire.EncodeNonce(wire.NewNonce())+"&key="+id).Resumed, "nor does a tab follow a restart")
	_, key, _ := strings.Cut(old, ".")
	assert.NotContains(t, first.log.String()+second.log.String()+body, key)
}

func TestATabThatFoundItsKeyInStorageMayFollowARestart(t *testing.T) {
	r := start(t)
	in := r.signInWhole()
	resp, body := r.ask("POST", "/signin/resume", nil, as("Bearer "+in.KeyID+"."+in.Key))
	require.Equal(t, 200, resp.StatusCode, body)
	assert.JSONEq(t, `{"resume":"`+in.Resume+`"}`, body)
	resp, _ = r.ask("POST", "/signin/resume", nil)
	assert.Equal(t, 403, resp.StatusCode, "the token is no sign-in")
}

func TestAKeyOfAnEarlierVersionIsNoKey(t *testing.T) {
	r := start(t)
	in := r.signInWhole()
	// Such a version stored SHA-256 of a key that lay in the browser's storage.
	raw := []byte(strings.Repeat("k", 32))
	hash := sha256.Sum256(raw)
	id := base64.RawURLEncoding.EncodeToString([]byte("sixteen bytes id"))
	require.NoError(t, r.keys.AddPageKey(t.Context(), id, hash[:]))
	resp, _ := r.ask("GET", "/tables", nil, as("Bearer "+id+"."+base64.RawURLEncoding.EncodeToString(raw)))
	assert.Equal(t, 401, resp.StatusCode)
	assert.Empty(t, r.health("?nonce="+wire.EncodeNonce(wire.NewNonce())+"&key="+id).Resumed)
	assert.NotEqual(t, in.KeyID, id)
}

func TestTheSchemeOfACredentialHasNoCase(t *testing.T) {
	r := start(t)
	_, key := r.signIn()
	for _, credential := range []string{r.self.Token.Header(), key} {
		for _, scheme := range []string{"bearer ", "BEARER ", "Bearer "} {
			resp, body := r.ask("GET", "/tables", nil, as(scheme+strings.TrimPrefix(credential, "Bearer ")))
			assert.Equal(t, 200, resp.StatusCode, "%s: %s", scheme, body)
		}
		resp, _ := r.ask("GET", "/tables", nil, as("Basic "+strings.TrimPrefix(credential, "Bearer ")))
		assert.Equal(t, 401, resp.StatusCode)
	}
}

func TestAPageWhoseKeyCannotBeLookedUpIsNotSignedOut(t *testing.T) {
	in := start(t)
	_, credential := in.signIn()
	in.keys.mu.Lock()
	in.keys.broken = errors.New("the store is closed")
	in.keys.mu.Unlock()
	resp, body := in.ask("GET", "/tables", nil, as(credential))
	assert.Equal(t, 500, resp.StatusCode, body)
	assert.NotContains(t, body, "store", "the cause is for the log")
}

func TestTheBuiltInPageSaysHowToGoOnAndHoldsItsOwnPolicy(t *testing.T) {
	r := start(t)
	resp, body := r.ask("GET", "/", nil, as(""))
	require.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, "text/html; charset=utf-8", resp.Header.Get("Content-Type"))
	assert.Contains(t, body, "berth call get-tables")
	assert.Contains(t, body, r.server.URL())
	assert.NotContains(t, body, r.config.Root, "the path is nobody's business without a credential")
	for _, inline := range []string{"<script", "<style", "style=", "onclick"} {
		assert.NotContains(t, body, inline)
	}
	resp, _ = r.ask("GET", "/berth.css", nil, as(""))
	assert.Equal(t, 200, resp.StatusCode)
	assert.Contains(t, resp.Header.Get("Content-Type"), "text/css")
}

func TestAPageOfItsOwnGetsEveryOtherPath(t *testing.T) {
	r := start(t, func(c *instance.Config) {
		c.Page = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			w.Header().Set("Content-Security-Policy", "default-src 'self'; style-src 'nonce-x'")
			_, _ = w.Write([]byte("page at " + req.URL.Path))
		})
	})
	resp, body := r.ask("GET", "/assets/app.js", nil, as(""))
	assert.Equal(t, "page at /assets/app.js", body)
	assert.Equal(t, "default-src 'self'; style-src 'nonce-x'", resp.Header.Get("Content-Security-Policy"))
	resp, _ = r.ask("GET", "/tables", nil, as(""))
	assert.Equal(t, 401, resp.StatusCode)
}

// A page of another machine is seen at a port of that machine: its key and the
// proofs for it are of that port, and of no other.
func TestAKeyIsOfThePortAtWhichThePageIsShown(t *testing.T) {
	const shown = "40123"
	r := start(t)
	at := func(port string, credential string) func(*http.Request) {
		return func(req *http.Request) {
			as(credential)(req)
			if port != "" {
				req.Header.Set(wire.ShownPortHeader, port)
			}
		}
	}
	resp, text := r.ask("POST", "/signin", map[string]string{"code": r.server.NewCode()}, at(shown, ""))
	require.Equal(t, 200, resp.StatusCode, text)
	var in struct {
		signedIn
		TabOnly bool
	}
	require.NoError(t, json.Unmarshal([]byte(text), &in))
	assert.True(t, in.TabOnly, "the page stores nothing")
	key := "Bearer " + in.KeyID + "." + in.Key
	for port, want := range map[string]int{shown: 200, "": 401, "40124": 401, "0": 401, "70000": 401, "x": 401} {
		resp, body := r.ask("GET", "/tables", nil, at(port, key))
		assert.Equal(t, want, resp.StatusCode, "at %q: %s", port, body)
	}
	_, own := r.signIn()
	for port, want := range map[string]int{shown: 401, "": 200} {
		resp, body := r.ask("GET", "/tables", nil, at(port, own))
		assert.Equal(t, want, resp.StatusCode, "the instance's own page at %q: %s", port, body)
	}
	nonce := wire.NewNonce()
	raw := decode(t, in.Key)
	secret := sha256.Sum256(raw)
	for port, proves := range map[string]bool{shown: true, "": false, "40124": false} {
		resp, body := r.ask("GET", "/health?nonce="+wire.EncodeNonce(nonce)+"&key="+in.KeyID, nil, at(port, ""))
		require.Equal(t, 200, resp.StatusCode, body)
		var h wire.Health
		require.NoError(t, json.Unmarshal([]byte(body), &h))
		assert.Equal(t, proves, wire.VerifyProof(secret[:], nonce, r.config.Root, 40123, decode(t, h.Proof)), "at %q", port)
		assert.Equal(t, proves, string(wire.ResumeProof(decode(t, in.Resume), nonce, decode(t, h.Run), r.config.Root, 40123)) == string(decode(t, h.Resumed)), "at %q", port)
	}
	resp, text = r.ask("POST", "/signin", map[string]string{"code": r.server.NewCode()}, as(""))
	require.Equal(t, 200, resp.StatusCode, text)
	assert.NotContains(t, text, "tabOnly")
}
