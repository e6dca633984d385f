package releases

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sends is a server that answers every request with text.
func sends(t *testing.T, text string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }))
	t.Cleanup(s.Close)
	return s.URL
}

const good = `{"version": "v1.10.0", "page": "https://example.org/v1.10.0", "date": "2026-11-26", "later": {"fields": true}}`

func TestNewestReadsARelease(t *testing.T) {
	r, err := Newest(t.Context(), sends(t, good))
	require.NoError(t, err)
	assert.Equal(t, Release{"v1.10.0", "https://example.org/v1.10.0", "2026-11-26"}, r)
}

func TestNewestRefusesWhatIsNoRelease(t *testing.T) {
	for name, text := range map[string]string{
		"a page":             "<html>not here</html>",
		"nothing":            "",
		"no version":         `{"page": "https://example.org", "date": "2026-11-26"}`,
		"a version in words": strings.Replace(good, "v1.10.0", "newest", 1),
		"no date":            strings.Replace(good, "2026-11-26", "\\u001b[2J", 1),
		"a page without TLS": strings.Replace(good, "https", "http", 1),
		"a page of scripts":  strings.Replace(good, "https://example.org/", "javascript:", 1),
		"a long page":        strings.Replace(good, "example.org", "example.org/"+strings.Repeat("a", maxPage), 1),
		"no end":             `{"version": "` + strings.Repeat("v", maxBytes) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Newest(t.Context(), sends(t, text))
			assert.ErrorContains(t, err, "describes no release")
		})
	}
}

func TestNewestAsksOnlyWhereNobodyCanAnswerInBetween(t *testing.T) {
	away := func(target string) string {
		s := httptest.NewServer(http.RedirectHandler(target, http.StatusFound))
		t.Cleanup(s.Close)
		return s.URL
	}
	for _, address := range []string{"http://example.org/latest.json", "file:///etc/passwd", "https://", away("http://192.0.2.1/latest.json")} {
		_, err := Newest(t.Context(), address)
		assert.ErrorContains(t, err, "neither https nor on this machine", address)
	}
	missing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(missing.Close)
	_, err := Newest(t.Context(), missing.URL)
	assert.ErrorContains(t, err, "404")

	r, err := Newest(t.Context(), away(sends(t, good)))
	require.NoError(t, err, "a redirect on this machine")
	assert.Equal(t, "v1.10.0", r.Version)
}

func TestNewerThanComparesVersions(t *testing.T) {
	r := Release{Version: "v1.10.0"}
	for version, newer := range map[string]bool{
		"v1.9.9": true, "v1.10.0-rc.1": true, "v0.0.0-20261126101112-abcdefabcdef": true,
		"v1.10.0": false, "v1.11.0": false, "v1.10.1-0.20261126101112-abcdefabcdef": false,
	} {
		got, compared := r.NewerThan(version)
		assert.True(t, compared, version)
		assert.Equal(t, newer, got, version)
	}
	_, compared := r.NewerThan("devel")
	assert.False(t, compared)
}
