package sqlite

import "strings"

// indexText is what a stored CREATE INDEX says.
type indexText struct {
	name  string
	keys  []key
	where string
}

func parseIndex(sql string) (*indexText, error) {
	p := newParser(sql)
	if err := p.expect("CREATE"); err != nil {
		return nil, err
	}
	p.accept("UNIQUE")
	if err := p.expect("INDEX"); err != nil {
		return nil, err
	}
	p.accept("IF", "NOT", "EXISTS")
	x := &indexText{}
	var err error
	if x.name, err = p.name(); err != nil {
		return nil, err
	}
	if p.accept(".") {
		if x.name, err = p.name(); err != nil {
			return nil, err
		}
	}
	if err := p.expect("ON"); err != nil {
		return nil, err
	}
	if _, err := p.name(); err != nil {
		return nil, err
	}
	if x.keys, _, err = p.keys(); err != nil {
		return nil, err
	}
	if p.accept("WHERE") {
		from := p.pos
		p.pos = len(p.tokens)
		if p.pos > from && p.tokens[p.pos-1].Is(";") {
			p.pos--
		}
		x.where = strings.TrimSpace(p.textFrom(from))
	}
	return x, p.end()
}
