package wire_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTokenNeverPrints(t *testing.T) {
	token := wire.NewToken()
	text, err := token.MarshalText()
	require.NoError(t, err)
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("started", "token", token,
		"instance", fmt.Sprintf("%v %+v %#v %s", token, wire.Instance{Token: token}, token, token))
	assert.NotContains(t, log.String(), string(text))
	assert.NotContains(t, log.String(), fmt.Sprint([wire.TokenBytes]byte(token)))
}

func TestTokenHeader(t *testing.T) {
	token := wire.NewToken()
	assert.True(t, token.CheckHeader(token.Header()))
	assert.True(t, token.CheckHeader("bearer "+token.Header()[7:]), "a scheme has no case (RFC 9110)")
	for _, bad := range []string{"", "Bearer ", "Bearer", wire.NewToken().Header(),
		"Basic " + token.Header()[7:], token.Header() + " ", token.Header()[7:]} {
		assert.False(t, token.CheckHeader(bad), "%q", bad)
	}
	var zero wire.Token
	assert.False(t, zero.CheckHeader(zero.Header()), "the zero token opens nothing")
	assert.False(t, zero.Equal(zero), "the zero token equals nothing")
}

func TestTokenText(t *testing.T) {
	token := wire.NewToken()
	text, err := token.MarshalText()
	require.NoError(t, err)
	var back wire.Token
	require.NoError(t, back.UnmarshalText(text))
	assert.True(t, token.Equal(back))
	for _, bad := range []string{"", "x", string(text[1:]), string(text) + "A", strings.Repeat("A", 43), strings.Repeat("?", 43), string(text[:42]) + "\n"} {
		err := back.UnmarshalText([]byte(bad))
		require.Error(t, err, "%q", bad)
		if bad != "" && bad != "x" {
			assert.NotContains(t, err.Error(), bad)
		}
	}
}
