package settings

// maxNesting bounds brackets within brackets. Both parsers recurse once a
// level, and a file of a hundred thousand open brackets would end the process
// with a stack overflow, which nothing can recover from.
const maxNesting = 100

// nesting is the deepest level of brackets in a file. With jsonText strings
// and comments are left out; without, every bracket counts, which is a bound
// from above.
func nesting(data []byte, jsonText bool) int {
	depth, deepest := 0, 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth = max(depth-1, 0)
		case '"':
			if jsonText {
				i = skipString(data, i)
			}
		case '/':
			if jsonText {
				i = skipComment(data, i)
			}
		}
	}
	return deepest
}

// skipString is the index of the quote that ends the string starting at i.
func skipString(data []byte, i int) int {
	for i++; i < len(data) && data[i] != '"'; i++ {
		if data[i] == '\\' {
			i++
		}
	}
	return i
}

// skipComment is the index of the last byte of the comment starting at i, or
// i if none does.
func skipComment(data []byte, i int) int {
	if i+1 == len(data) {
		return i
	}
	switch data[i+1] {
	case '/':
		for i < len(data) && data[i] != '\n' {
			i++
		}
	case '*':
		for i += 3; i < len(data) && !(data[i] == '/' && data[i-1] == '*'); i++ {
		}
	}
	return i
}
