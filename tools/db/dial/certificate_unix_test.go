//go:build unix

package dial

import (
	"database/sql/driver"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// certificateFiles are what a parameter of an address may name that is no
// certificate, with what is said of it.
func certificateFiles(t *testing.T, project string) map[string]string {
	t.Helper()
	in := func(name string) string { return filepath.Join(project, name) }
	require.NoError(t, syscall.Mkfifo(in("pipe"), 0o600))
	require.NoError(t, os.Mkdir(in("folder"), 0o700))
	require.NoError(t, os.WriteFile(in("large"), make([]byte, maxCertificateBytes+1), 0o600))
	require.NoError(t, os.Symlink("/dev/zero", in("link")))
	require.NoError(t, os.WriteFile(in("text"), []byte("S3CRET"), 0o600))
	return map[string]string{
		"/dev/zero":     "it is not a regular file",
		in("pipe"):      "it is not a regular file",
		in("folder"):    "it is not a regular file",
		in("large"):     "it is larger than 1048576 bytes",
		in("link"):      "path escapes from parent",
		in("text"):      "certificate",
		in("not there"): "no such file or directory",
	}
}

// TestAFileOfCertificatesIsBounded names files that no certificate is in.
// Reading them ends at once and takes no memory; the server is not called.
func TestAFileOfCertificatesIsBounded(t *testing.T) {
	project, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	server, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Close() })
	port := server.Addr().(*net.TCPAddr).Port
	for file, want := range certificateFiles(t, project) {
		for _, at := range []struct {
			connector func(Address) (driver.Connector, error)
			params    map[string]string
		}{
			{PostgresConnector, map[string]string{"sslrootcert": file}},
			{PostgresConnector, map[string]string{"sslcert": file, "sslkey": file}},
			{MSSQLConnector, map[string]string{"certificate": file}},
		} {
			c, err := at.connector(Address{Port: port, User: "u", Database: "d", SSLMode: "verify-full", Params: at.params, Below: project})
			require.NoError(t, err)
			_, err = c.Connect(t.Context())
			require.Error(t, err, "%v", at.params)
			var failed *ConnectError
			require.ErrorAs(t, err, &failed)
			assert.Contains(t, failed.Plain(), want, "%v", at.params)
			assert.NotContains(t, failed.Plain(), "S3CRET")
		}
	}
}
