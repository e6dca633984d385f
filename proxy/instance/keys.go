package instance

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/berth-dev/berth/proxy/origin"
	"github.com/berth-dev/berth/proxy/wire"
)

// A sign-in of a browser is an id that is not secret and 32 secret bytes. The
// page key of each run is derived from these bytes, which cannot be computed
// from it. A page keeps the key of the run in the browser's storage and the
// secret bytes in the memory of its tab; see docs/decisions/0032-one-run.md.
const (
	keyIDBytes  = 16
	resumeBytes = 32
	runBytes    = 16
)

type signIn struct {
	id     string
	resume []byte
}

func newSignIn() signIn {
	id, resume := make([]byte, keyIDBytes), make([]byte, resumeBytes)
	rand.Read(id) // never fails: crypto/rand ends the program first
	rand.Read(resume)
	return signIn{id: base64.RawURLEncoding.EncodeToString(id), resume: resume}
}

func newRun() []byte {
	run := make([]byte, runBytes)
	rand.Read(run) // never fails: crypto/rand ends the program first
	return run
}

func (in signIn) text() string { return base64.RawURLEncoding.EncodeToString(in.resume) }

// storedForm is the first byte of what is stored. Earlier versions stored,
// without this byte, the hash of a key that never expired; those keys are no
// longer valid.
const storedForm = 2

func (in signIn) stored() []byte { return append([]byte{storedForm}, in.resume...) }

// resumeSecret returns the secret of a sign-in.
func (s *Server) resumeSecret(ctx context.Context, id string) (resume []byte, ok bool, err error) {
	if s.cfg.Keys == nil || !validKeyID(id) {
		return nil, false, nil
	}
	stored, ok, err := s.cfg.Keys.PageKey(ctx, id)
	if err != nil || !ok || len(stored) != 1+resumeBytes || stored[0] != storedForm {
		return nil, false, err
	}
	return stored[1:], true, nil
}

// pageKey returns the key that a sign-in's pages have in this run, on a port.
func (s *Server) pageKey(resume []byte, port int) []byte {
	return wire.PageKey(resume, s.runID, s.self.ProjectRoot, port)
}

// shownPort returns the port at which the page that sends r is seen: this
// instance's own, or one of another machine or of a host that the user named. The keys and proofs of a port are
// of no use on another: a program that takes the port of a page that was shown
// there can neither pass a proof of it on nor use its key elsewhere.
func (s *Server) shownPort(r *http.Request) int {
	port, err := strconv.Atoi(r.Header.Get(wire.ShownPortHeader))
	switch {
	case err == nil && port > 0 && port <= 65535:
		return port
	case !origin.AtLoopback(r.Host, s.self.Port): // the user has named it
		return origin.ShownPort(r.Host)
	}
	return s.self.Port
}

// keyProofs returns the proofs that this instance is the one a page signed in
// to: proof for a page that has this run's key, and resumed for a page that
// does not have it yet.
func (s *Server) keyProofs(r *http.Request, id string, nonce []byte) (proof, resumed []byte, err error) {
	resume, ok, err := s.resumeSecret(r.Context(), id)
	if err != nil || !ok {
		return nil, nil, err
	}
	port := s.shownPort(r)
	secret := sha256.Sum256(s.pageKey(resume, port))
	return wire.Proof(secret[:], nonce, s.self.ProjectRoot, port),
		wire.ResumeProof(resume, nonce, s.runID, s.self.ProjectRoot, port), nil
}

// opens reports whether key, as text, is the page key of a sign-in on a port.
func (s *Server) opens(resume []byte, port int, key string) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(key)
	return err == nil && subtle.ConstantTimeCompare(raw, s.pageKey(resume, port)) == 1
}

// validKeyID reports whether id has the form of an id, so that the store is not
// asked for others.
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

// getKeys lists the sign-ins, oldest first, without secrets.
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

// deleteKey revokes a sign-in and ends the streams it opened. A page may revoke
// any sign-in, since all belong to the same person.
func (s *Server) deleteKey(w http.ResponseWriter, r *request) error {
	if !validKeyID(r.param) {
		return fail(wire.CodeNotFound, "no such page key")
	}
	if err := s.cfg.Keys.RevokePageKey(r.Context(), r.param); err != nil {
		return err
	}
	s.streams.revoke(r.param)
	if s.cfg.Presence != nil {
		s.cfg.Presence.Revoked(r.param)
	}
	writeJSON(w, http.StatusOK, struct {
		Revoked bool `json:"revoked"`
	}{true})
	return nil
}
