package wire

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"log/slog"
	"strings"
)

// TokenBytes is the length of a [Token].
const TokenBytes = 32

// Token is the secret of one run of one instance. It prints as a placeholder, so
// that it does not end up in a log line or error by accident; only [Token.Header]
// and the instance file contain its text. The zero Token equals no token.
type Token [TokenBytes]byte

// NewToken returns a fresh random token.
func NewToken() Token {
	var t Token
	rand.Read(t[:]) // never fails: crypto/rand ends the program first
	return t
}

// Header returns the value of the Authorization header for t.
func (t Token) Header() string { return bearer + t.text() }

const bearer = "Bearer "

// Bearer returns the credential of an Authorization header with the Bearer
// scheme, whose name is case-insensitive (RFC 9110, section 11.1).
func Bearer(value string) (credential string, ok bool) {
	if len(value) < len(bearer) || !strings.EqualFold(value[:len(bearer)], bearer) {
		return "", false
	}
	return value[len(bearer):], true
}

// CheckHeader reports whether value is an Authorization header that carries
// t. It compares in constant time.
func (t Token) CheckHeader(value string) bool {
	text, ok := Bearer(value)
	if !ok || t.IsZero() {
		return false
	}
	return subtle.ConstantTimeCompare([]byte(text), []byte(t.text())) == 1
}

// Equal reports whether t and u are the same token, in constant time. The zero
// Token equals no token.
func (t Token) Equal(u Token) bool {
	return !t.IsZero() && subtle.ConstantTimeCompare(t[:], u[:]) == 1
}

// IsZero reports whether t is the zero Token.
func (t Token) IsZero() bool { return t == Token{} }

// String hides the token.
func (t Token) String() string { return "(token)" }

// GoString hides the token from %#v.
func (t Token) GoString() string { return t.String() }

// LogValue hides the token from slog.
func (t Token) LogValue() slog.Value { return slog.StringValue(t.String()) }

// MarshalText returns t as base64url without padding, for the instance file.
func (t Token) MarshalText() ([]byte, error) { return []byte(t.text()), nil }

// errTokenForm does not quote the input, which may be most of a token.
var errTokenForm = errors.New("token is not base64url of 32 bytes")

// UnmarshalText is the inverse of [Token.MarshalText].
func (t *Token) UnmarshalText(text []byte) error {
	if len(text) != base64.RawURLEncoding.EncodedLen(TokenBytes) {
		return errTokenForm
	}
	var u Token
	if n, err := base64.RawURLEncoding.Strict().Decode(u[:], text); err != nil || n != TokenBytes || u.IsZero() {
		return errTokenForm
	}
	*t = u
	return nil
}

func (t Token) text() string { return base64.RawURLEncoding.EncodeToString(t[:]) }
