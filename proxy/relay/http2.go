package relay

import (
	"net/http"
	"time"
)

// Pings notice a side that hangs within the sum of the two.
const (
	pingAfter   = 2 * time.Second
	pingTimeout = 2 * time.Second
)

// Streams of one connection. net/http counts a request that waits for its stream
// as one that has it: as many waiting requests as there are streams would wait
// for each other for good, so fewer are let in at a time.
const (
	maxStreams  = 250
	maxRequests = maxStreams - 10
)

// protocols are HTTP/2 by prior knowledge, and nothing else.
func protocols() *http.Protocols {
	var p http.Protocols
	p.SetUnencryptedHTTP2(true)
	return &p
}

// http2 returns the settings of both sides. The buffers let a reply of 16 MB
// come without a pause for each 64 kB; they are used as far as data arrives.
func http2() *http.HTTP2Config {
	return &http.HTTP2Config{
		MaxConcurrentStreams:          maxStreams,
		StrictMaxConcurrentRequests:   true, // a second connection there is none
		MaxReadFrameSize:              256 << 10,
		MaxReceiveBufferPerConnection: 4<<20 - 1,
		MaxReceiveBufferPerStream:     4<<20 - 1,
		SendPingTimeout:               pingAfter,
		PingTimeout:                   pingTimeout,
	}
}
