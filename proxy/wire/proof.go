package wire

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
)

// The labels keep each HMAC apart from any other use of the same key.
const (
	proofLabel  = "berth identity v1"
	resumeLabel = "berth resume v1"
	pageLabel   = "berth page key v1"
	rootLabel   = "berth project v1"
)

// The lengths of a nonce in bytes. A front-end sends [NonceBytes]; an
// instance answers anything from [MinNonceBytes] to [MaxNonceBytes].
const (
	NonceBytes    = 32
	MinNonceBytes = 16
	MaxNonceBytes = 64
)

// Proof returns the answer of an instance to a challenge: the HMAC-SHA-256 with
// key of label, nonce, projectRoot and port, each preceded by its length, so that
// no two different inputs give the same bytes:
//
//	len64be("berth identity v1") "berth identity v1"
//	len64be(nonce)               nonce (raw bytes)
//	len64be(root)                root (UTF-8)
//	len64be(port)                port (decimal ASCII)
//
// The key is the raw bytes of the instance's [Token], or of a page's key: a
// browser computes the same with crypto.subtle. The port is included so that a
// relay on another port cannot pass on the answer of the real instance.
func Proof(key, nonce []byte, root string, port int) []byte {
	return sum(key, proofLabel, nonce, []byte(root), decimal(port))
}

// PageKey returns the key that the pages of a sign-in have in one run of an
// instance, on the port at which a browser sees them. It is derived from the sign-in's secret, which cannot be computed
// from it.
func PageKey(resume, run []byte, root string, port int) []byte {
	return sum(resume, pageLabel, run, []byte(root), decimal(port))
}

// ResumeProof returns the answer of an instance to a page that has no key of
// this run. It proves that the instance knows the sign-in's secret, and names
// the run.
func ResumeProof(resume, nonce, run []byte, root string, port int) []byte {
	return sum(resume, resumeLabel, nonce, run, []byte(root), decimal(port))
}

func decimal(port int) []byte { return strconv.AppendInt(nil, int64(port), 10) }

// sum returns the HMAC-SHA-256 with key of the label and the parts, each
// preceded by its length.
func sum(key []byte, label string, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	var size [8]byte
	for _, part := range append([][]byte{[]byte(label)}, parts...) {
		binary.BigEndian.PutUint64(size[:], uint64(len(part)))
		mac.Write(size[:])
		mac.Write(part)
	}
	return mac.Sum(nil)
}

// VerifyProof reports whether proof is [Proof] of the other arguments, in
// constant time. It returns false for an empty key.
func VerifyProof(key, nonce []byte, root string, port int, proof []byte) bool {
	return len(key) > 0 && hmac.Equal(Proof(key, nonce, root, port), proof)
}

// NewNonce returns a fresh challenge.
func NewNonce() []byte {
	nonce := make([]byte, NonceBytes)
	rand.Read(nonce) // never fails: crypto/rand ends the program first
	return nonce
}

// EncodeNonce returns a nonce in the form used in the query of /health: base64url
// without padding.
func EncodeNonce(nonce []byte) string { return base64.RawURLEncoding.EncodeToString(nonce) }

// DecodeNonce is the inverse of [EncodeNonce]. It refuses lengths outside
// [MinNonceBytes] to [MaxNonceBytes].
func DecodeNonce(text string) ([]byte, error) {
	if len(text) > base64.RawURLEncoding.EncodedLen(MaxNonceBytes) {
		return nil, fmt.Errorf("read nonce: %d characters are too many", len(text))
	}
	nonce, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("read nonce: not base64url without padding")
	}
	if len(nonce) < MinNonceBytes || len(nonce) > MaxNonceBytes {
		return nil, fmt.Errorf("read nonce: %d bytes, want %d to %d", len(nonce), MinNonceBytes, MaxNonceBytes)
	}
	return nonce, nil
}

// RootHash returns the name of a project in /health, for callers that hold no
// token: the HMAC-SHA-256 of the canonical projectRoot with a salt that other
// users do not know, in lower-case hex. Without the salt, a guess of the path
// could be confirmed.
func RootHash(salt []byte, root string) string {
	return hex.EncodeToString(sum(salt, rootLabel, []byte(root)))
}
