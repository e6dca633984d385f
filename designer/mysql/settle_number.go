package mysql

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// fixed writes a number with so many digits behind the point, rounded away
// from zero at the half as the server does.
func fixed(value string, scale int) string {
	r, ok := new(big.Rat).SetString(strings.TrimPrefix(value, "+"))
	if !ok {
		return value
	}
	text := r.FloatString(scale)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// floating writes a number as short as it is exact. The server writes large
// ones otherwise: they stay as they are.
func floating(text, value, family string) string {
	bits := 64
	if family == "float" {
		bits = 32
	}
	f, err := strconv.ParseFloat(value, bits)
	if err != nil || math.Abs(f) >= 1e6 || f != 0 && math.Abs(f) < 1e-4 {
		return text
	}
	return strconv.FormatFloat(f, 'f', -1, bits)
}
