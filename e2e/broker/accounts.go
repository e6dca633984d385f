package broker

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"
)

// Accounts are what a broker in operator mode knows: an operator, the account
// of the system, which JetStream needs, and one of people, who each have a
// credentials file. NATS' own program nsc makes the same.
type Accounts struct {
	t                        testing.TB
	operator, system, people nkeys.KeyPair
	revoked                  map[string]int64 // by a user's public key: what was issued until then, in Unix seconds
}

// NewAccounts makes keys for all of them.
func NewAccounts(t testing.TB) *Accounts {
	t.Helper()
	a := &Accounts{t: t, revoked: map[string]int64{}}
	var err error
	a.operator, err = nkeys.CreateOperator()
	require.NoError(t, err)
	for _, account := range []*nkeys.KeyPair{&a.system, &a.people} {
		*account, err = nkeys.CreateAccount()
		require.NoError(t, err)
	}
	return a
}

// Config is the server's configuration as things are now.
func (a *Accounts) Config() string {
	a.t.Helper()
	system, people := a.public(a.system), a.public(a.people)
	operator := a.sign(a.operator, a.public(a.operator), "operator", map[string]any{"system_account": system})
	return fmt.Sprintf("operator: %s\nsystem_account: %s\nresolver: MEMORY\nresolver_preload: {\n  %s: %s\n  %s: %s\n}\n",
		operator, system, system, a.account(system), people, a.account(people))
}

// Credentials writes the credentials file of a new user, and returns the user's
// public key.
func (a *Accounts) Credentials(path string) string {
	a.t.Helper()
	user, err := nkeys.CreateUser()
	require.NoError(a.t, err)
	seed, err := user.Seed()
	require.NoError(a.t, err)
	public := a.public(user)
	text := fmt.Sprintf("-----BEGIN NATS USER JWT-----\n%s\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n%s\n------END USER NKEY SEED------\n",
		a.sign(a.people, public, "user", map[string]any{"subs": -1, "data": -1, "payload": -1}), seed)
	require.NoError(a.t, os.WriteFile(path, []byte(text), 0o600))
	return public
}

// Revoke takes a user's right to log in, once the server reads Config again.
func (a *Accounts) Revoke(user string) { a.revoked[user] = time.Now().Unix() }

func (a *Accounts) account(public string) string {
	a.t.Helper()
	limits := map[string]any{"wildcards": true}
	all := []string{"subs", "data", "payload", "imports", "exports", "conn", "leaf"}
	if public == a.public(a.people) { // the system's has no streams
		all = append(all, "mem_storage", "disk_storage", "streams", "consumer")
	}
	for _, limit := range all {
		limits[limit] = -1
	}
	return a.sign(a.operator, public, "account", map[string]any{"limits": limits, "revocations": a.revoked})
}

// sign makes the token (JWT) in which an issuer says something of a subject.
func (a *Accounts) sign(issuer nkeys.KeyPair, subject, kind string, says map[string]any) string {
	a.t.Helper()
	says["type"], says["version"] = kind, 2
	part := func(v any) string {
		raw, err := json.Marshal(v)
		require.NoError(a.t, err)
		return base64.RawURLEncoding.EncodeToString(raw)
	}
	token := part(map[string]any{"typ": "JWT", "alg": "ed25519-nkey"}) + "." +
		part(map[string]any{"iss": a.public(issuer), "sub": subject, "name": kind, "iat": time.Now().Unix(), "nats": says})
	signature, err := issuer.Sign([]byte(token))
	require.NoError(a.t, err)
	return token + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func (a *Accounts) public(key nkeys.KeyPair) string {
	a.t.Helper()
	public, err := key.PublicKey()
	require.NoError(a.t, err)
	return public
}
