package settings_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhoseConnectionsAreAcceptedIsTheUsersToSay(t *testing.T) {
	const text = "trustedPeers: [www-data, \"65534\"]\n"
	s, err := newPlace(t, map[string]string{global: text}).load()
	require.NoError(t, err)
	assert.Equal(t, []string{"www-data", "65534"}, s.TrustedPeers)
	for _, file := range []string{own, workspace} {
		_, err = newPlace(t, map[string]string{file: text}).load()
		assert.ErrorContains(t, err, "is for the user's own config.yaml", "a cloned project must not let another user in")
	}
}
