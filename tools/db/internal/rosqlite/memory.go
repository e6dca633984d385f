package rosqlite

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"unsafe"

	"modernc.org/libc"
)

var errNoMemory = errors.New("out of memory")

const pointerSize = bits.UintSize / 8

// cell is memory that does not move, for SQLite to put a pointer into.
type cell struct {
	tls *libc.TLS
	at  uintptr
}

func newCell(tls *libc.TLS) (cell, error) {
	at := libc.Xcalloc(tls, 1, pointerSize)
	if at == 0 {
		return cell{}, errNoMemory
	}
	return cell{tls, at}, nil
}

func (c cell) free() { libc.Xfree(c.tls, c.at) }

func (c cell) pointer() uintptr {
	b := libc.GoBytes(c.at, pointerSize)
	if pointerSize == 4 {
		return uintptr(binary.NativeEndian.Uint32(b))
	}
	return uintptr(binary.NativeEndian.Uint64(b))
}

// functionPointer turns a declared function into what the transpiled engine
// calls back. It relies on the layout of https://golang.org/s/go11func, as
// the engine itself does; a closure would not do.
func functionPointer[F authorizer | progress](f F) uintptr {
	return *(*uintptr)(unsafe.Pointer(&struct{ f F }{f}))
}

type authorizer = func(tls *libc.TLS, arg uintptr, action int32, a, b, database, trigger uintptr) int32

type progress = func(tls *libc.TLS, arg uintptr) int32
