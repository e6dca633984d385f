package mysql

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// near is what a server says of the place of a syntax error.
var near = lazyregexp.New(`(?s)near '(.*)' at line (\d+)$`)

// maxNear bounds how much of the text that a server repeats is looked for: its
// copy is cut.
const maxNear = 40

// refusalOf returns err, which the server gave to a statement, with its place
// in the script. What the connection says, rather than the server, is no
// refusal and comes as it is.
func refusalOf(script string, d definition, err error) error {
	var answer *mysql.MySQLError
	if !errors.As(err, &answer) {
		return fmt.Errorf("run the statement %s: %w", d.words, err)
	}
	pos := d.pos
	if m := near().FindStringSubmatch(answer.Message); m != nil {
		line, _ := strconv.Atoi(m[2]) // digits
		from := lineOffset(script, d.pos, line)
		pos = from
		if i := strings.Index(script[from:], m[1][:min(len(m[1]), maxNear)]); i >= 0 && m[1] != "" {
			pos += i
		}
	}
	return designer.ErrorAt(script, pos, err).Refused()
}

// lineOffset returns where a line of the statement at pos begins, from 1.
func lineOffset(script string, pos, line int) int {
	for range line - 1 {
		i := strings.IndexByte(script[pos:], '\n')
		if i < 0 {
			break
		}
		pos += i + 1
	}
	return pos
}
