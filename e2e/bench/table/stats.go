package table

import (
	"cmp"
	"math"
	"slices"
)

// Median returns the middle value, of an even number the mean of the two in
// the middle, and NaN of none.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// Quantile returns the value below which the share q (0 to 1) of all values
// lies, by the nearest rank: Quantile(of 1 to 100, .99) is 99. It returns the
// zero value of none.
func Quantile[T cmp.Ordered](values []T, q float64) T {
	var none T
	if len(values) == 0 {
		return none
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(q * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// A series has at most one value for each round.
type series map[int]float64

func (s series) values() []float64 {
	var all []float64
	for _, v := range s {
		all = append(all, v)
	}
	return all
}

// ratio is the median of the ratios of the rounds in which both were
// measured, and NaN where none is: what disturbed a round disturbed both.
func ratio(ours, theirs series) float64 {
	var all []float64
	for round, a := range ours {
		if b, ok := theirs[round]; ok && b != 0 {
			all = append(all, a/b)
		}
	}
	return Median(all)
}
