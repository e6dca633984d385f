package instance_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
)

func at(host string) func(*http.Request) {
	return func(req *http.Request) { req.Host = host }
}

// A host of the settings is answered as they have it now, and one that a person
// names until the instance ends. No one else names any.
func TestThePageIsShownAtHostsThatTheUserNamed(t *testing.T) {
	named := []string{}
	r := start(t, func(c *instance.Config) { c.PageHosts = func() []string { return named } })
	status := func(host string) int {
		resp, _ := r.ask("GET", "/health", nil, at(host))
		return resp.StatusCode
	}
	assert.Equal(t, 403, status("devbox.example.com"))
	named = []string{"devbox.example.com"}
	assert.Equal(t, 200, status("devbox.example.com"))
	named = nil
	assert.Equal(t, 403, status("devbox.example.com"))

	name := func(host string, edit ...func(*http.Request)) (int, string) {
		resp, body := r.ask("POST", "/signin/code", map[string]string{"host": host}, edit...)
		return resp.StatusCode, body
	}
	code, body := name("localhost:8080")
	assert.NotEqual(t, 200, code, "the token alone speaks for no person: %s", body)
	assert.Equal(t, 403, status("localhost:8080"))
	code, body = name("*.example.com", r.vouched())
	assert.Equal(t, 400, code)
	assert.Contains(t, failure(t, body).Message, "must be a host as a browser's address has it")

	code, body = name("localhost:8080", r.vouched())
	require.Equal(t, 200, code, body)
	var reply struct{ Code, URL, Host string }
	require.NoError(t, json.Unmarshal([]byte(body), &reply))
	assert.Equal(t, "localhost:8080", reply.Host)
	assert.Regexp(t, `^http://localhost:8080/\?open=[A-Z2-7]+#code=`+reply.Code+`$`, reply.URL)
	assert.Equal(t, 200, status("localhost:8080"))
	assert.Equal(t, 403, status("localhost:8081"))

	// The key of a page there is of no use at the instance's own port, nor the
	// other way round: see shownPort.
	resp, text := r.ask("POST", "/signin", map[string]string{"code": reply.Code}, as(""), at("localhost:8080"))
	require.Equal(t, 200, resp.StatusCode, text)
	var key struct {
		KeyID, Key string
		TabOnly    bool
	}
	require.NoError(t, json.Unmarshal([]byte(text), &key))
	assert.True(t, key.TabOnly)
	credential := "Bearer " + key.KeyID + "." + key.Key
	resp, _ = r.ask("GET", "/keys", nil, as(credential), at("localhost:8080"))
	assert.Equal(t, 200, resp.StatusCode)
	resp, _ = r.ask("GET", "/keys", nil, as(credential))
	assert.Equal(t, 401, resp.StatusCode)
}
