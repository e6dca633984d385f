package sqltext

import "slices"

// looseness says how loosely an expression holds together, by the outermost of
// its operators. Parentheses around an operand say nothing where that binds
// closer than the operators beside it.
type looseness int

const (
	opaque    looseness = iota // a list, a query, or in doubt: its parentheses stay
	other                      // an operator that may bind as loosely as OR
	alternate                  // OR
	conjunct                   // AND
	negated                    // NOT, and BETWEEN, which is not tried behind a NOT
	plain                      // whatever binds closer than NOT
)

// parens finds the parentheses of an expression that say nothing: those around
// a whole operand of AND, OR and NOT whose content binds closer, those around
// the whole, and all but one of several around the same. It knows nothing of
// other operators, of calls and lists: what is beside these stays.
type parens struct {
	rules  *Rules
	tokens []Token
	end    []int       // of each opening one: where it closes
	within []looseness // of each opening one that level went through
	spare  []bool      // the token is a parenthesis that says nothing
}

// withoutSpare returns the indexes of the tokens that are left without the
// parentheses that say nothing.
func (r Rules) withoutSpare(tokens []Token) (kept []int) {
	n := len(tokens)
	p := parens{rules: &r, tokens: tokens, end: make([]int, n), within: make([]looseness, n), spare: make([]bool, n)}
	if p.match() {
		p.level(0, n)
		p.peel(0, n)
	}
	for i := range tokens {
		if !p.spare[i] {
			kept = append(kept, i)
		}
	}
	return kept
}

// match finds what closes what, and reports whether everything is closed and
// the tokens are all that the server reads.
func (p *parens) match() bool {
	var open []int
	for i, t := range p.tokens {
		switch {
		case t.Kind == Illegal || t.Kind == Program:
			return false
		case t.Is("(") || t.Is("["):
			open = append(open, i)
		case t.Is(")") || t.Is("]"):
			if len(open) == 0 || p.tokens[open[len(open)-1]].Is("(") != t.Is(")") {
				return false
			}
			p.end[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0
}

// operand is what stands between two of AND, OR and NOT, or at an end.
type operand struct {
	from, to int
	beside   looseness // the closest of the operators beside it; opaque: none
}

// A query is left as it is: it begins with one of queryStarts, or consists of
// others with one of queryParts between or behind them.
var (
	queryStarts = []string{"SELECT", "WITH", "VALUES", "TABLE"}
	queryParts  = []string{"UNION", "INTERSECT", "EXCEPT", "ORDER", "LIMIT"}
)

// level finds the spare ones among the tokens from one to another, which are a
// whole text or all that one pair encloses, and says how loosely they hold
// together.
func (p *parens) level(from, to int) looseness {
	if from == to || p.word(from, queryStarts...) {
		return opaque
	}
	l := levelReader{parens: p, from: from, operands: []operand{{from: from}}, loosest: plain}
	for i := from; i < to; i++ {
		switch {
		case p.tokens[i].Is("["):
			i = p.end[i]
		case p.tokens[i].Is("("):
			p.within[i] = p.level(i+1, p.end[i])
			if !p.isCall(from, i) {
				p.peel(i+1, p.end[i])
			}
			i = p.end[i]
		default:
			l.read(i)
		}
	}
	switch {
	case l.cases > 0:
		return opaque
	case p.isGroup(from, to):
		return p.within[from]
	}
	l.close(to, opaque)
	for _, o := range l.operands {
		if o.beside != opaque && p.isGroup(o.from, o.to) && p.within[o.from] > o.beside {
			p.drop(o.from)
		}
	}
	return l.loosest
}

// levelReader goes through the words of one level.
type levelReader struct {
	*parens
	from     int
	operands []operand
	loosest  looseness
	cases    int // CASE without its END
	betweens int // BETWEEN without its AND
}

func (l *levelReader) read(i int) {
	switch {
	case l.tokens[i].Is(",") || l.tokens[i].Is(";") || l.word(i, queryParts...):
		l.loosest = opaque
	case l.word(i, l.rules.OtherLogic...):
		l.loosest = min(l.loosest, other)
	case l.word(i, "CASE"):
		l.cases++
	case l.word(i, "END"):
		l.cases = max(0, l.cases-1)
	case l.cases > 0:
	case l.word(i, "BETWEEN"):
		l.betweens++
		l.loosest = min(l.loosest, negated)
	case l.word(i, "AND") && l.betweens > 0:
		l.betweens--
	case l.word(i, "AND"):
		l.divide(i, conjunct)
	case l.word(i, "OR"):
		l.divide(i, alternate)
	case l.word(i, "NOT") && l.operands[len(l.operands)-1].from == i:
		l.divide(i, negated)
	}
}

// divide ends an operand at an operator and begins the next.
func (l *levelReader) divide(i int, by looseness) {
	l.loosest = min(l.loosest, by)
	l.close(i, by)
	if by == negated && l.rules.NotMayBindCloser {
		by = plain // than which nothing binds closer
	}
	l.operands = append(l.operands, operand{from: i + 1, beside: by})
}

func (l *levelReader) close(to int, by looseness) {
	last := &l.operands[len(l.operands)-1]
	last.to, last.beside = to, max(last.beside, by)
}

// word reports whether token i is one of the words or operators, and no part
// of a name.
func (p *parens) word(i int, words ...string) bool {
	return slices.ContainsFunc(words, p.tokens[i].Is) && !(i > 0 && p.tokens[i-1].Is(".")) && !(i+1 < len(p.tokens) && p.tokens[i+1].Is("."))
}

// isCall reports whether the parentheses at i may be those of a call, a list or
// a type, rather than around an expression.
func (p *parens) isCall(from, i int) bool {
	if i == from || p.word(i-1, "AND", "OR", "NOT") {
		return false
	}
	before := p.tokens[i-1]
	return before.Kind != Operator || before.Is(")") || before.Is("]") || before.Is(".")
}

// isGroup reports whether one pair of parentheses encloses the tokens.
func (p *parens) isGroup(from, to int) bool {
	return to-from > 1 && p.tokens[from].Is("(") && p.end[from] == to-1
}

// peel drops those around all of the tokens.
func (p *parens) peel(from, to int) {
	for p.isGroup(from, to) && p.within[from] != opaque {
		p.drop(from)
		from, to = from+1, to-1
	}
}

func (p *parens) drop(open int) { p.spare[open], p.spare[p.end[open]] = true, true }
