package settings

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// loadTeam loads settings with this text as the user's own.
func loadTeam(t *testing.T, text string) (*Settings, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return Load(t.TempDir(), Sources{GlobalFile: file})
}

func TestATeamIsTheUsersOwn(t *testing.T) {
	credentials, ca := filepath.Join(t.TempDir(), "ann.creds"), filepath.Join(t.TempDir(), "ca.pem")
	s, err := loadTeam(t, "team: {url: 'nats://ann:secret@broker:4222,nats://other:4222', name: Ann, credentials: "+credentials+", ca: "+ca+"}\n")
	require.NoError(t, err)
	assert.Equal(t, &Team{URL: "nats://ann:secret@broker:4222,nats://other:4222", Name: "Ann", Credentials: credentials, CA: ca}, s.Team)
	shown := map[string]any{}
	for _, v := range s.Values() {
		shown[v.Key] = v.Value
	}
	assert.Equal(t, "nats://****@broker:4222,nats://other:4222", shown["team.url"])
	assert.Equal(t, "Ann", shown["team.name"])

	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".berth"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".berth", "config.yaml"), []byte("team: {url: nats://evil}\n"), 0o600))
	_, err = Load(root, Sources{})
	assert.ErrorContains(t, err, "team: is for the user's own config.yaml")

	s, err = loadTeam(t, "")
	require.NoError(t, err)
	assert.Nil(t, s.Team)
}

func TestATeamThatIsNoneIsSaid(t *testing.T) {
	for text, says := range map[string]string{
		"team: {}":                                    "lacks its url",
		"team: {url: 'http://broker'}":                "must be the address of a NATS server",
		"team: {url: 'broker:4222'}":                  "must be the address of a NATS server",
		"team: {url: 'nats://a', credentials: a.c}":   "must be an absolute path",
		"team: {url: 'nats://a', ca: ca.pem}":         "must be an absolute path",
		"team: {url: 'nats://a', certificate: a.pem}": "must be an absolute path",
		"team: {url: 'nats://a', key: /a/a.key}":      "needs both certificate and key",
		"team: {url: 'nats://a', nme: x}":             "team.nme: is not a setting of a team",
		"team: {url: 'nats://a', name: \"a\\nb\"}":    "must be a line",
		"team: [nats://a]":                            "a mapping",
	} {
		_, err := loadTeam(t, Rooted(text))
		assert.ErrorContains(t, err, says, text)
	}
}
