package session

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/bits"

	"github.com/berth-dev/berth/designer"
)

// identity is a digest of a design with its ids, which a version leaves out:
// two replicas with the same names and other ids would part at the next
// rename. It is a sum over tables and types, so that a change costs what it
// touches.
type identity [4]uint64

func (i *identity) add(o identity) {
	var carry uint64
	for n := range i {
		i[n], carry = bits.Add64(i[n], o[n], carry)
	}
}

func (i *identity) subtract(o identity) {
	var borrow uint64
	for n := range i {
		i[n], borrow = bits.Sub64(i[n], o[n], borrow)
	}
}

func (i identity) String() string {
	var raw []byte
	for _, word := range i {
		raw = binary.BigEndian.AppendUint64(raw, word)
	}
	return hex.EncodeToString(raw)
}

// parseIdentity reads what String writes.
func parseIdentity(text string) (i identity, err error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != 8*len(i) {
		return i, fmt.Errorf("digest %.80q is not one", text)
	}
	for n := range i {
		i[n] = binary.BigEndian.Uint64(raw[8*n:])
	}
	return i, nil
}

// identityOf hashes one table or type.
func identityOf(kind byte, v any) (i identity, err error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return i, err
	}
	sum := sha256.Sum256(append([]byte{kind}, raw...))
	for n := range i {
		i[n] = binary.BigEndian.Uint64(sum[8*n:])
	}
	return i, nil
}

const (
	tableKind = 't'
	typeKind  = 'y'
)

// identityOfSchema hashes a whole design.
func identityOfSchema(s *designer.Schema) (sum identity, err error) {
	for _, t := range s.Tables() {
		if err := sum.change(tableKind, nil, t); err != nil {
			return sum, err
		}
	}
	for _, t := range s.NamedTypes() {
		if err := sum.change(typeKind, nil, t); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// after returns the digest after a change.
func (i identity) after(c designer.Change) (identity, error) {
	for _, tc := range c.Tables {
		if err := i.change(tableKind, orNil(tc.Before), orNil(tc.After)); err != nil {
			return i, err
		}
	}
	for _, tc := range c.Types {
		if err := i.change(typeKind, orNil(tc.Before), orNil(tc.After)); err != nil {
			return i, err
		}
	}
	return i, nil
}

func orNil[T any](p *T) any {
	if p == nil {
		return nil
	}
	return p
}

func (i *identity) change(kind byte, before, after any) error {
	if before != nil {
		o, err := identityOf(kind, before)
		if err != nil {
			return err
		}
		i.subtract(o)
	}
	if after != nil {
		o, err := identityOf(kind, after)
		if err != nil {
			return err
		}
		i.add(o)
	}
	return nil
}
