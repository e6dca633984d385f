package convert

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lazyregexp"
	"github.com/berth-dev/berth/designer/sqltext"
)

// generatedValue is what a default computes, independent of the dialect.
type generatedValue int

const (
	none generatedValue = iota
	now
	today
	timeOfDay
	newUUID
)

// calls are the spellings of defaults that compute something, without white
// space, precisions and outer parentheses, in lower case.
var calls = map[string]generatedValue{
	"now()": now, "current_timestamp": now, "current_timestamp()": now, "localtimestamp": now, "localtimestamp()": now,
	"transaction_timestamp()": now, "statement_timestamp()": now, "clock_timestamp()": now, "getdate()": now,
	"sysdatetime()": now, "sysdatetimeoffset()": now, "getutcdate()": now, "sysutcdatetime()": now, "utc_timestamp()": now,
	"datetime('now')": now, "datetime()": now, "timezone('utc',now())": now, "now()attimezone'utc'": now,
	"current_date": today, "current_date()": today, "curdate()": today, "date('now')": today, "date()": today,
	"cast(getdate()asdate)": today, "convert(date,getdate())": today, "now()::date": today, "(now())::date": today, "('now')::date": today, "'now'::date": today,
	"current_time": timeOfDay, "current_time()": timeOfDay, "curtime()": timeOfDay, "localtime": timeOfDay, "localtime()": timeOfDay,
	"time('now')": timeOfDay, "cast(getdate()astime)": timeOfDay, "convert(time,getdate())": timeOfDay,
	"gen_random_uuid()": newUUID, "uuid_generate_v4()": newUUID, "newid()": newUUID, "newsequentialid()": newUUID, "uuid()": newUUID,
}

// inUTC are those of them that return the time in UTC.
var inUTC = sqltext.WordSet("getutcdate() sysutcdatetime() utc_timestamp() timezone('utc',now()) now()attimezone'utc'")

var precision = lazyregexp.New(`\(\d\)`)

// defaultOf converts a column's default, "" for none.
func (c *converter) defaultOf(t *table, old, col designer.Column, lost func(format string, args ...any)) string {
	tokens, ok := c.from.Tokens(old.DefaultValue)
	in := unwrapped(significant(tokens))
	if !ok || len(in) == 0 {
		if old.DefaultValue != "" {
			lost("default %s is left out: it is not an expression that %s could share", excerpt(old.DefaultValue), c.to.Title)
		}
		return ""
	}
	if m, name := c.momentOf(in); m != none {
		if inUTC[name] {
			lost("default %s is the time in UTC; here it is that of the server", name)
		}
		if text := c.spellMoment(m, col); text != "" {
			return text
		}
		lost("default %s is left out: it has no equivalent in %s", excerpt(old.DefaultValue), c.to.Title)
		return ""
	}
	if text, ok := c.simpleDefault(t, in, col); ok {
		return text
	}
	if text, ok := c.expression(nil, old.DefaultValue, inDefault); ok && len(in) > 2 {
		return "(" + text + ")"
	}
	lost("default %s is left out: it has no equivalent in %s", excerpt(old.DefaultValue), c.to.Title)
	return ""
}

// momentOf recognizes a default that computes something.
func (c *converter) momentOf(in []designer.Token) (m generatedValue, name string) {
	var b strings.Builder
	for _, t := range in {
		text := t.Text
		if t.Kind == designer.TokenIdentifier {
			text = t.Name
		}
		b.WriteString(strings.ToLower(text))
	}
	text := strings.ReplaceAll(b.String(), "::text", "")
	for _, name = range []string{text, precision().ReplaceAllString(text, ""), precision().ReplaceAllString(text, "()")} {
		if m = calls[name]; m != none {
			break
		}
	}
	return m, name
}

// spellMoment returns a default that computes something for a column of the
// other dialect, "" if that has no equivalent.
func (c *converter) spellMoment(m generatedValue, col designer.Column) string {
	info, known := c.to.Type(col.DataType)
	if known && m == now && info.Kind == designer.KindDate {
		m = today
	}
	if known && m == now && info.Kind == designer.KindTime {
		m = timeOfDay
	}
	digits := ""
	if col.Scale > 0 {
		digits = strconv.Itoa(col.Scale)
	}
	offset := known && info.Kind == designer.KindTimestampTZ
	switch c.to.Name {
	case "sqlite":
		return [...]string{now: "CURRENT_TIMESTAMP", today: "CURRENT_DATE", timeOfDay: "CURRENT_TIME", newUUID: ""}[m]
	case "postgres":
		return [...]string{now: "now()", today: "CURRENT_DATE", timeOfDay: "LOCALTIME", newUUID: "gen_random_uuid()"}[m]
	case "mysql":
		return [...]string{now: "current_timestamp(" + digits + ")", today: "(curdate())", timeOfDay: "(curtime())", newUUID: "(uuid())"}[m]
	case "mssql":
		text := [...]string{now: "sysdatetime()", today: "CONVERT([date],getdate())", timeOfDay: "CONVERT([time],getdate())", newUUID: "newid()"}[m]
		if m == now && offset {
			return "sysdatetimeoffset()"
		}
		return text
	}
	return ""
}

// simpleDefault converts a number, a string or a boolean.
func (c *converter) simpleDefault(t *table, in []designer.Token, col designer.Column) (string, bool) {
	if c.from.TypeNames.Enums {
		e := &translation{c: c, t: t, where: inDefault}
		var ok bool
		if in, ok = e.withoutCasts(in); !ok {
			return "", false
		}
		in = unwrapped(in)
	}
	sign := ""
	if len(in) > 1 && (in[0].Text == "-" || in[0].Text == "+") {
		sign, in = strings.TrimPrefix(in[0].Text, "+"), unwrapped(in[1:])
	}
	if len(in) != 1 {
		return "", false
	}
	info, known := c.to.Type(col.DataType)
	kind := designer.TypeKind("")
	if known {
		kind = info.Kind
	}
	value := in[0]
	switch {
	case is(value, "NULL"):
		return "", true
	case is(value, "TRUE"), is(value, "FALSE"):
		return c.truth(strings.EqualFold(value.Text, "true"), kind), true
	case plainNumber().MatchString(value.Text):
		if kind == designer.KindBool {
			return c.truth(strings.Trim(value.Text, "0.") != "", kind), true
		}
		return sign + value.Text, true
	case value.Kind == designer.TokenString && sign == "":
		return c.stringDefault(value, kind)
	}
	return "", false
}

// truth returns true or false as the other dialect represents it.
func (c *converter) truth(value bool, kind designer.TypeKind) string {
	if c.can().strictBool && c.can().booleans && kind == designer.KindBool {
		return strconv.FormatBool(value)
	}
	if value {
		return "1"
	}
	return "0"
}

func (c *converter) stringDefault(value designer.Token, kind designer.TypeKind) (string, bool) {
	if strings.EqualFold(value.Prefix, "b") && strings.Trim(value.Name, "01") == "" {
		if kind == designer.KindBool {
			return c.truth(strings.Contains(value.Name, "1"), kind), true
		}
		n, err := strconv.ParseUint(value.Name, 2, 63)
		return strconv.FormatUint(n, 10), err == nil && isNumber(kind)
	}
	literal, ok := c.literal(value)
	switch text := strings.TrimSpace(value.Name); {
	case !ok:
		return "", false
	case kind == designer.KindBool:
		switch strings.ToLower(text) {
		case "1", "t", "true", "y", "yes", "on":
			return c.truth(true, kind), true
		case "0", "f", "false", "n", "no", "off":
			return c.truth(false, kind), true
		}
		return "", false
	case isNumber(kind):
		digits := strings.TrimPrefix(text, "-")
		return text, plainNumber().MatchString(digits)
	case isTime(kind) && (strings.HasPrefix(text, "0000-") || text == "now" || strings.Contains(text, "infinity")):
		return "", false
	case c.to.Name == "mysql" && (kind == designer.KindText || kind == designer.KindBlob || kind == designer.KindJSON):
		return "(" + literal + ")", true // a literal would be refused, an expression is not
	}
	return literal, true
}

func isNumber(k designer.TypeKind) bool {
	switch k {
	case designer.KindInt8, designer.KindUint8, designer.KindInt16, designer.KindUint16, designer.KindInt24, designer.KindInt32, designer.KindUint32,
		designer.KindInt64, designer.KindUint64, designer.KindDecimal, designer.KindMoney, designer.KindFloat32, designer.KindFloat64, designer.KindYear:
		return true
	}
	return false
}

func isTime(k designer.TypeKind) bool {
	switch k {
	case designer.KindDate, designer.KindTime, designer.KindTimeTZ, designer.KindTimestamp, designer.KindTimestampTZ:
		return true
	}
	return false
}

// maxExcerpt bounds text of others in a message, in bytes.
const maxExcerpt = 80

// excerpt is text of others as messages repeat it.
func excerpt(s string) string { return clip.Text(strings.Join(strings.Fields(s), " "), maxExcerpt) }

// GeneratedDefault converts a default that computes the time, the date or a new UUID from
// any dialect to d; c is the column it is for. ok is false for every other
// expression, and if d has no equivalent.
func GeneratedDefault(expression string, to *designer.Dialect, c designer.Column) (sql string, ok bool) {
	tokens, ok := to.Tokens(expression)
	if !ok {
		return "", false
	}
	v := &converter{from: to, to: to}
	m, _ := v.momentOf(unwrapped(significant(tokens)))
	if m == none {
		return "", false
	}
	sql = v.spellMoment(m, c)
	return sql, sql != ""
}
