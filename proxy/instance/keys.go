package instance

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// A page key as it travels: an id that is no secret, and 32 bytes.
const (
	keyIDBytes = 16
	keyBytes   = 32
)

type pageKey struct {
	id  string
	key [keyBytes]byte
}

func newPageKey() pageKey {
	var id [keyIDBytes]byte
	var k pageKey
	rand.Read(id[:]) // never fails: crypto/rand ends the program first
	rand.Read(k.key[:])
	k.id = base64.RawURLEncoding.EncodeToString(id[:])
	return k
}

func (k pageKey) text() string { return base64.RawURLEncoding.EncodeToString(k.key[:]) }

// secret is what is stored of k: enough to check it and to prove knowledge of
// it, not enough to use it.
func (k pageKey) secret() []byte {
	sum := sha256.Sum256(k.key[:])
	return sum[:]
}

// keySecret is the secret of a key as text.
func keySecret(text string) (secret []byte, ok bool) {
	var k pageKey
	if len(text) != base64.RawURLEncoding.EncodedLen(keyBytes) {
		return nil, false
	}
	if _, err := base64.RawURLEncoding.Strict().Decode(k.key[:], []byte(text)); err != nil {
		return nil, false
	}
	return k.secret(), true
}

// validKeyID spares the store a look for what cannot be an id.
func validKeyID(id string) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(id)
	return err == nil && len(raw) == keyIDBytes
}

func sameText(a, b string) bool {
	return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

type keyInfo struct {
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
}

// getKeys lists the page keys, oldest first, without what opens anything.
func (s *Server) getKeys(w http.ResponseWriter, r *request) error {
	created, err := s.cfg.Keys.PageKeys(r.Context())
	if err != nil {
		return err
	}
	keys := make([]keyInfo, 0, len(created))
	for id, at := range created {
		keys = append(keys, keyInfo{ID: id, Created: at})
	}
	slices.SortFunc(keys, func(a, b keyInfo) int {
		if c := a.Created.Compare(b.Created); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	writeJSON(w, http.StatusOK, struct {
		Keys []keyInfo `json:"keys"`
	}{keys})
	return nil
}

// deleteKey revokes a page key, and with it the streams it opened. A page may
// revoke any: they are all the same person's.
func (s *Server) deleteKey(w http.ResponseWriter, r *request) error {
	if !validKeyID(r.param) {
		return fail(wire.CodeNotFound, "no such page key")
	}
	if err := s.cfg.Keys.RevokePageKey(r.Context(), r.param); err != nil {
		return err
	}
	s.streams.revoke(r.param)
	writeJSON(w, http.StatusOK, struct {
		Revoked bool `json:"revoked"`
	}{true})
	return nil
}
