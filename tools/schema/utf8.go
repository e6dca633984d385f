package schema

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

// utf8Text returns a file's text. A mark at its beginning says that it is in
// UTF-16, as SQL Server Management Studio writes scripts, and is no part of it.
func utf8Text(raw []byte) string {
	switch {
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe}):
		return fromUTF16(raw[2:], binary.LittleEndian)
	case bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		return fromUTF16(raw[2:], binary.BigEndian)
	}
	return string(bytes.TrimPrefix(raw, []byte("\ufeff")))
}

func fromUTF16(raw []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = order.Uint16(raw[2*i:])
	}
	return string(utf16.Decode(units))
}
