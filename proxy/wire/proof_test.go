package wire_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProofIsPinnedForOtherImplementations(t *testing.T) {
	key := []byte(strings.Repeat("k", 32))
	nonce := []byte("0123456789abcdef")
	// The page computes the same in JavaScript: a change here breaks it.
	assert.Equal(t, "8f1be37ac819baa16f18958fdb8e4741873f19d6626552e86b31460d3adb49b7",
		hex.EncodeToString(wire.Proof(key, nonce, "/home/ann/app", 50001)))
}

func TestWhatAPageDerivesIsPinned(t *testing.T) {
	resume, run, nonce := []byte(strings.Repeat("r", 32)), []byte("0123456789abcdef"), []byte(strings.Repeat("n", 32))
	// The page computes the same in JavaScript, see designer/page/src/api/api.test.ts.
	assert.Equal(t, "544ee19106d9b60e5fea70190e52112ff9fc51e062bb35250d397ef6a3d0f08c", hex.EncodeToString(wire.PageKey(resume, run, "/home/ann/app", 50001)))
	assert.Equal(t, "00ea53fdfe4a90c1cebc9c13fef62af68ddb24d946162acfe022ad3ec4b2055a", hex.EncodeToString(wire.ResumeProof(resume, nonce, run, "/home/ann/app", 50001)))
}

func TestAGuessOfTheProjectIsNotConfirmed(t *testing.T) {
	salt := []byte("a salt of the user's own")
	assert.Len(t, wire.RootHash(salt, "/home/ann/app"), 64)
	assert.NotEqual(t, wire.RootHash(salt, "/home/ann/app"), wire.RootHash([]byte("another"), "/home/ann/app"))
}

func TestProofHoldsForExactlyItsInputs(t *testing.T) {
	token, nonce := wire.NewToken(), wire.NewNonce()
	other := wire.NewToken()
	proof := wire.Proof(token[:], nonce, "/a", 50001)
	tests := []struct {
		name  string
		key   []byte
		nonce []byte
		root  string
		port  int
		proof []byte
		want  bool
	}{
		{"the same inputs", token[:], nonce, "/a", 50001, proof, true},
		{"another token", other[:], nonce, "/a", 50001, proof, false},
		{"another nonce", token[:], wire.NewNonce(), "/a", 50001, proof, false},
		{"another project", token[:], nonce, "/b", 50001, proof, false},
		{"another port", token[:], nonce, "/a", 50002, proof, false},
		{"a digit moved from the port to the root", token[:], nonce, "/a5", 1, wire.Proof(token[:], nonce, "/a", 51), false},
		{"a cut proof", token[:], nonce, "/a", 50001, proof[:31], false},
		{"no proof", token[:], nonce, "/a", 50001, nil, false},
		{"an empty key", nil, nonce, "/a", 50001, wire.Proof(nil, nonce, "/a", 50001), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, wire.VerifyProof(tt.key, tt.nonce, tt.root, tt.port, tt.proof))
		})
	}
}

func TestHealthProvesOnlyItsInstance(t *testing.T) {
	mine := wire.Instance{ProjectRoot: "/a", Port: 50001, Version: "1", Token: wire.NewToken()}
	nonce := wire.NewNonce()
	tests := []struct {
		name   string
		change func(h *wire.Health, i *wire.Instance)
		want   bool
	}{
		{"an honest answer", func(*wire.Health, *wire.Instance) {}, true},
		{"an answer without proof", func(h *wire.Health, _ *wire.Instance) { h.Proof = "" }, false},
		{"an answer of another program", func(h *wire.Health, _ *wire.Instance) { h.Name = "other" }, false},
		{"an answer for another project", func(_ *wire.Health, i *wire.Instance) { i.ProjectRoot = "/b" }, false},
		{"a proof that is not base64url", func(h *wire.Health, _ *wire.Instance) { h.Proof = "?" }, false},
		{"an instance of which no token is known", func(_ *wire.Health, i *wire.Instance) { i.Token = wire.Token{} }, false},
		{"an older run of the instance", func(_ *wire.Health, i *wire.Instance) { i.Token = wire.NewToken() }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			i, h := mine, wire.Answer(mine, nonce)
			tt.change(&h, &i)
			assert.Equal(t, tt.want, h.Proves(i, nonce))
		})
	}
	assert.Empty(t, wire.Answer(mine, nil).Proof, "no nonce, no proof")
	assert.False(t, wire.Answer(mine, wire.NewNonce()).Proves(mine, nonce), "a replayed answer")
}

func TestNonceRoundTrip(t *testing.T) {
	nonce := wire.NewNonce()
	back, err := wire.DecodeNonce(wire.EncodeNonce(nonce))
	require.NoError(t, err)
	assert.Equal(t, nonce, back)
	for _, bad := range []string{"", "short", "????????????????????????", strings.Repeat("A", 4096)} {
		_, err := wire.DecodeNonce(bad)
		assert.Error(t, err, "%.20q", bad)
	}
}
