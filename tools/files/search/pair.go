package search

import (
	"encoding/binary"
	"math/bits"
)

// pair looks for two bytes a fixed distance apart, eight places at a time.
// That is slower than looking for one rare byte with the processor's vector
// instructions, but takes the same time however common the bytes are.
type pair struct {
	a, b byte // b is gap bytes behind a
	gap  int
	bit  byte // is set in a, b and the text before they are compared: 0x20 makes ASCII letters lower case
}

// tooCommon reports whether a byte turned up so often (stops in so many bytes)
// that looking for it costs more than looking for a pair.
func tooCommon(stops, passed int) bool { return stops > 16 && stops*96 > passed }

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// next returns the index of the next a at or after from that is followed by b
// at the distance gap; -1 if there is none. With bit set it may also stop at
// other bytes that differ only in that bit, such as @ and `.
func (p *pair) next(text []byte, from int) int {
	i, a, b, bit := from, ones*uint64(p.a|p.bit), ones*uint64(p.b|p.bit), ones*uint64(p.bit)
	first, second := text, text[min(p.gap, len(text)):]
	for ; i+8 <= len(second); i += 8 {
		// A byte of differ is zero where both bytes match. The lowest byte that
		// the subtraction marks is a zero; higher ones may be marked wrongly
		// and are checked one after the other.
		differ := ((binary.LittleEndian.Uint64(first[i:]) | bit) ^ a) | ((binary.LittleEndian.Uint64(second[i:]) | bit) ^ b)
		if zero := (differ - ones) &^ differ & highs; zero != 0 {
			return i + bits.TrailingZeros64(zero)/8
		}
	}
	for ; i < len(second); i++ {
		if first[i]|p.bit == p.a|p.bit && second[i]|p.bit == p.b|p.bit {
			return i
		}
	}
	return -1
}
