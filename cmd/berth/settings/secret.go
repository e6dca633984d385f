package settings

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
)

// Secret is a password, or the command that prints it. No form of printing,
// logging or encoding shows it; [Secret.Reveal] alone does. The zero value is
// no password.
type Secret struct {
	text    string
	command string // run where text is ""
	dir     string // where the command runs
}

// NewSecret returns the password that is exactly text.
func NewSecret(text string) Secret { return Secret{text: text} }

// IsZero reports whether there is no password at all.
func (s Secret) IsZero() bool { return s == Secret{} }

// Reveal returns the password byte for byte, "" where there is none. It may
// run the command that prints it. An error names no secret.
func (s Secret) Reveal(ctx context.Context) (string, error) {
	if s.text == "" && s.command != "" {
		return runPasswordCommand(ctx, s.command, s.dir)
	}
	return s.text, nil
}

// Fingerprint differs where the password or its command does, and tells
// nobody without the key which it is. "" where there is none.
func (s Secret) Fingerprint(key []byte) string {
	if s.IsZero() {
		return ""
	}
	h := hmac.New(sha256.New, key)
	fmt.Fprintf(h, "%d:%s%d:%s%s", len(s.text), s.text, len(s.command), s.command, s.dir) // a hash takes every write
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// hiddenSecret stands wherever a secret would be printed.
const hiddenSecret = "****"

// String hides the secret.
func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return hiddenSecret
}

// Format hides the secret under every verb of fmt, those that look into a
// struct included.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(s.String())) }

// LogValue hides the secret from slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText hides the secret from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
