package origin

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/wire"
)

func TestAHostIsNamedExactly(t *testing.T) {
	for _, good := range []string{"devbox", "devbox.example.com", "Devbox.example.com:8443", "localhost:8080", "10.0.0.7", "10.0.0.7:1", "[fd00::1]", "[fd00::1]:8443",
		"name-{port}.example.com", "localhost:{port}"} {
		assert.NoError(t, CheckHost(good), good)
	}
	for _, bad := range []string{"", "*", "*.example.com", "https://devbox", "devbox/", "devbox/proxy/50001", "a b", "devbox:", "devbox:0", "devbox:65536", "devbox:080", "devbox:x",
		"user@devbox", "devbox#x", "devbox?x", "-devbox", "devbox.", "[fd00::1", "fd00::1", "{port", "a\nb", "dévbox"} {
		assert.Error(t, CheckHost(bad), bad)
	}
}

func TestAPageIsAnsweredAtNamedHostsOnly(t *testing.T) {
	named := []string{"devbox.example.com", "localhost:8080", "name-{port}.example.com", "[fd00::1]:8443"}
	for _, c := range []struct {
		host, origin string
		code         wire.Code // "": let pass
	}{
		{"devbox.example.com", "", ""},
		{"DEVBOX.example.com", "https://devbox.example.com", ""},
		{"devbox.example.com:8443", "https://devbox.example.com:8443", ""},
		{"devbox.example.com", "http://devbox.example.com", wire.CodeForbiddenOrigin},
		{"devbox.example.com", "https://devbox.example.com:8443", wire.CodeForbiddenOrigin},
		{"devbox.example.com", "https://evil.example", wire.CodeForbiddenOrigin},
		{"devbox.example.com", "http://127.0.0.1:50001", wire.CodeForbiddenOrigin},
		{"devbox.example.com", "null", wire.CodeForbiddenOrigin},
		{"localhost:8080", "http://localhost:8080", ""},
		{"localhost:8080", "https://localhost:8080", wire.CodeForbiddenOrigin},
		{"localhost:8080", "http://localhost:50001", wire.CodeForbiddenOrigin},
		{"localhost:8081", "", wire.CodeForbiddenHost},
		{"name-50001.example.com", "https://name-50001.example.com", ""},
		{"name-50002.example.com", "", wire.CodeForbiddenHost},
		{"name-{port}.example.com", "", wire.CodeForbiddenHost},
		{"[fd00::1]:8443", "https://[fd00::1]:8443", ""},
		{"[fd00::1]", "", wire.CodeForbiddenHost},
		{"x.devbox.example.com", "", wire.CodeForbiddenHost},
		{"devbox.example.com.evil.example", "", wire.CodeForbiddenHost},
		{"127.0.0.1:50001", "http://localhost:50001", ""},
		{"127.0.0.1:50001", "https://devbox.example.com", wire.CodeForbiddenOrigin},
		{"evil.example:50001", "", wire.CodeForbiddenHost},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		err := Check(r, 50001, named)
		if c.code == "" {
			assert.NoError(t, err, "%+v", c)
			continue
		}
		var refused *Error
		require.ErrorAs(t, err, &refused, "%+v", c)
		assert.Equal(t, c.code, refused.Code, "%+v", c)
	}
}

func TestWhereAPageIsShown(t *testing.T) {
	for host, want := range map[string]struct {
		url  string
		port int
	}{
		"devbox.example.com":      {"https://devbox.example.com", 80},
		"devbox.example.com:8443": {"https://devbox.example.com:8443", 8443},
		"localhost:8080":          {"http://localhost:8080", 8080},
		"app.localhost:8080":      {"http://app.localhost:8080", 8080},
		"[::1]:8080":              {"http://[::1]:8080", 8080},
	} {
		assert.Equal(t, want.url, PageURL(host))
		assert.Equal(t, want.port, ShownPort(host), host)
		assert.True(t, strings.HasPrefix(SignInURLAt(host, "abc"), want.url+"/?open="))
	}
}

// The page of a refusal is for a person, who may have been led there.
func TestARefusedHostIsToldToAPerson(t *testing.T) {
	r := httptest.NewRequest("GET", "/", nil)
	r.Host = "devbox.example.com"
	err := Check(r, 50001, nil)
	assert.False(t, WantsRefusedHost(r, err), "a program gets JSON")
	r.Header.Set("Accept", "text/html,*/*")
	require.True(t, WantsRefusedHost(r, err))
	w := httptest.NewRecorder()
	require.NoError(t, WriteRefusedHost(w, r))
	assert.Equal(t, 403, w.Code)
	assert.Contains(t, w.Body.String(), `page: {hosts: ["devbox.example.com"]}`)
	for _, host := range []string{"<b>", "a b", "evil.example/<script>", strings.Repeat("a", 300)} {
		r.Host = host
		assert.False(t, WantsRefusedHost(r, err), host)
	}
}
