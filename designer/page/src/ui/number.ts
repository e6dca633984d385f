const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 0 })

// compact is a whole number in four characters at most: 999, 1K, 12K.
export function compact(n: number): string {
  return short.format(n)
}
