package db

import (
	"bufio"
	"encoding/base64"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// fileSink writes rows to a file, exactly as the database has them.
//
// CSV is RFC 4180 with a header line: NULL is an empty field, an empty text
// "", a blob (and a text that is not UTF-8) base64: and its encoding. JSON
// lines are one object a row, with values as run-query's replies have them
// but nothing left out.
type fileSink struct {
	w      *bufio.Writer
	format fileFormat
	limit  int64

	keys      []string
	line      []byte
	rows      int64
	bytes     int64
	truncated bool
}

func (f *fileSink) columns(names, _ []string) error {
	f.keys = names
	if f.format == linesFile {
		f.keys = distinct(names)
		return nil
	}
	f.line = f.line[:0]
	for i, name := range names {
		if i > 0 {
			f.line = append(f.line, ',')
		}
		f.line = appendField(f.line, name)
	}
	_, err := f.write()
	return err
}

func (f *fileSink) row(values []any) (bool, error) {
	f.line = f.line[:0]
	if f.format == linesFile {
		f.line = (&encoder{raw: true}).object(f.line, f.keys, values)
	} else {
		for i, v := range values {
			if i > 0 {
				f.line = append(f.line, ',')
			}
			f.line = appendCSV(f.line, v)
		}
	}
	more, err := f.write()
	if more && err == nil {
		f.rows++
	}
	return more, err
}

// write writes the line and its end, if the limit leaves room for it.
func (f *fileSink) write() (bool, error) {
	end := "\n"
	if f.format == csvFile {
		end = "\r\n"
	}
	f.line = append(f.line, end...)
	if f.bytes+int64(len(f.line)) > f.limit {
		f.truncated = true
		return false, nil
	}
	n, err := f.w.Write(f.line)
	f.bytes += int64(n)
	return true, err
}

func appendCSV(b []byte, v any) []byte {
	switch v := v.(type) {
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return append(b, strings.Trim(string(appendReal(nil, v)), `"`)...)
		}
		return appendReal(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	case []byte:
		return appendBase64(b, v)
	case string:
		if !utf8.ValidString(v) {
			return appendBase64(b, []byte(v))
		}
		return appendField(b, v)
	}
	return b
}

func appendBase64(b, v []byte) []byte {
	return base64.StdEncoding.AppendEncode(append(b, "base64:"...), v)
}

// appendField quotes a field where it must be, and where it is empty, to tell
// it from NULL.
func appendField(b []byte, s string) []byte {
	if s != "" && !strings.ContainsAny(s, "\",\r\n") && s == strings.TrimSpace(s) {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}
