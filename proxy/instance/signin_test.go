package instance_test

import (
	"crypto/sha256"
	"encoding/base64"
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

func (r *running) health(query string) wire.Health {
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
	secret := sha256.Sum256(raw)
	nonce := wire.NewNonce()
	query := "?nonce=" + wire.EncodeNonce(nonce) + "&key=" + id
	proof, err := base64.RawURLEncoding.DecodeString(r.health(query).Proof)
	require.NoError(t, err)
	assert.True(t, wire.VerifyProof(secret[:], nonce, r.config.Root, r.self.Port, proof))
	assert.Empty(t, other.health(query).Proof, "another project does not know the key")
	assert.Empty(t, r.health("?key=no-key&nonce="+wire.EncodeNonce(nonce)).Proof)
	stored, _, err := r.keys.PageKey(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, secret[:], stored, "what is stored does not open the page")
}

func TestASignInCodeOpensOnce(t *testing.T) {
	r := start(t)
	resp, body := r.ask("POST", "/signin/code", nil, r.vouched())
	require.Equal(t, 200, resp.StatusCode, body)
	var made struct{ Code, URL string }
	require.NoError(t, json.Unmarshal([]byte(body), &made))
	assert.Equal(t, r.server.URL()+"/#code="+made.Code, made.URL)
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

func TestAPageKeyOutlivesTheInstanceAndEndsWhenRevoked(t *testing.T) {
	first := start(t)
	id, credential := first.signIn()
	second := start(t, func(c *instance.Config) { c.Keys = first.keys })
	resp, body := second.ask("GET", "/tables", nil, as(credential))
	require.Equal(t, 200, resp.StatusCode, body)

	resp, body = second.ask("GET", "/keys", nil)
	require.Equal(t, 200, resp.StatusCode)
	assert.JSONEq(t, `{"keys":[{"id":"`+id+`","created":"1970-01-01T00:00:00Z"}]}`, body)
	resp, body = second.ask("DELETE", "/keys/"+id, nil, as(credential))
	require.Equal(t, 200, resp.StatusCode, body)
	resp, _ = second.ask("GET", "/tables", nil, as(credential))
	assert.Equal(t, 401, resp.StatusCode)
	resp, _ = second.ask("DELETE", "/keys/nonsense", nil)
	assert.Equal(t, 404, resp.StatusCode)
	_, key, _ := strings.Cut(credential, ".")
	assert.NotContains(t, first.log.String()+second.log.String()+body, key)
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
