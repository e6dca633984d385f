package dial

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAServerThatRefusesOrResetsIsNamedOnEverySystem(t *testing.T) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()

	conn, err := net.Dial("tcp4", address)
	require.NoError(t, err)
	other, err := listener.Accept()
	require.NoError(t, err)
	require.NoError(t, other.(*net.TCPConn).SetLinger(0))
	require.NoError(t, other.Close())
	_, err = conn.Read(make([]byte, 1))
	require.Error(t, err)
	require.NoError(t, conn.Close())
	assert.Equal(t, "ended the connection before the login", unreachable(err))
	assert.ErrorIs(t, err, errReset)

	require.NoError(t, listener.Close())
	_, err = net.Dial("tcp4", address)
	require.Error(t, err)
	assert.Equal(t, "cannot be reached: connection refused", unreachable(err))
}
