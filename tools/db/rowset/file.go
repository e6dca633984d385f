package rowset

import (
	"bufio"
	"encoding/base64"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// File writes rows to a file, exactly as the database has them.
//
// CSV is RFC 4180 with a header line: NULL is an empty field, an empty text
// "", a blob (and a text that is not UTF-8) base64: and its encoding. JSON
// lines are one object a row, with values as run-query's replies have them
// but nothing left out. An array is one JSON value: a list of such objects.
type File struct {
	w      *bufio.Writer
	format Format
	limit  int64

	keys      []string
	line      []byte
	rows      int64
	bytes     int64
	truncated bool
}

// Format is how a file has the rows.
type Format string

// The formats; "" is none.
const (
	None  Format = ""
	CSV   Format = "csv"
	Lines Format = "jsonl"
	Array Format = "json"
)

// NewFile returns a sink that writes at most limit bytes to w.
func NewFile(w io.Writer, format Format, limit int64) *File {
	return &File{w: bufio.NewWriterSize(w, 64<<10), format: format, limit: limit}
}

// Flush writes what is buffered, and ends the file.
func (f *File) Flush() error {
	if f.format == Array {
		end := "\n]\n"
		if f.rows == 0 {
			end = "[]\n"
		}
		if _, err := f.w.WriteString(end); err != nil {
			return err
		}
	}
	return f.w.Flush()
}

// Written is what a file holds.
type Written struct {
	Columns   int
	Rows      int64
	Bytes     int64
	Truncated bool // at the limit
}

// Written says what the file holds so far.
func (f *File) Written() Written { return Written{len(f.keys), f.rows, f.bytes, f.truncated} }

// Columns implements [Sink].
func (f *File) Columns(names, _ []string) error {
	f.keys = names
	if f.format != CSV {
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

// Row implements [Sink].
func (f *File) Row(values []any) (bool, error) {
	f.line = f.line[:0]
	if f.format != CSV {
		f.line = append(f.line, f.before()...)
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

// before is what stands before a row's object.
func (f *File) before() string {
	switch {
	case f.format != Array:
		return ""
	case f.rows == 0:
		return "[\n"
	}
	return ",\n"
}

// write writes the line and its end, if the limit leaves room for it.
func (f *File) write() (bool, error) {
	end := "\n"
	switch f.format {
	case CSV:
		end = "\r\n"
	case Array:
		end = ""
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
