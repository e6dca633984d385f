package dial

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// libpqsOwn has the environment and the home name a secret in every way that
// libpq's programs read one.
func libpqsOwn(t *testing.T, secret string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	require.NoError(t, os.WriteFile(filepath.Join(home, ".pgpass"), []byte("*:*:*:*:"+secret), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(home, ".pg_service.conf"), []byte("[mine]\npassword="+secret+"\n"), 0o600))
	for _, name := range []string{"PGHOST", "PGDATABASE", "PGUSER", "PGPASSWORD", "PGAPPNAME", "PGOPTIONS", "PGTZ", "PGSSLPASSWORD"} {
		t.Setenv(name, secret)
	}
	for _, name := range []string{"PGSSLKEY", "PGSSLCERT", "PGSSLROOTCERT", "PGPASSFILE", "PGSERVICEFILE"} {
		t.Setenv(name, "/nonexist/"+secret)
	}
	for name, value := range map[string]string{"PGSERVICE": "mine", "PGPORT": "1", "PGSSLMODE": "verify-full", "PGCONNECT_TIMEOUT": "x",
		"PGTARGETSESSIONATTRS": "x", "PGSSLCERTMODE": "x", "PGMINPROTOCOLVERSION": "x", "PGMAXPROTOCOLVERSION": "x", "PGCHANNELBINDING": "x",
		"PGREQUIREAUTH": "x", "PGSSLNEGOTIATION": "direct"} {
		t.Setenv(name, value)
	}
}

func TestTheDriverReadsNothingThatTheAddressDoesNotHave(t *testing.T) {
	const secret = "S3CRET"
	libpqsOwn(t, secret)
	a := Address{Host: "127.0.0.1", Port: 5432, User: "bob", Database: "x"}
	config, err := postgresConfig(a)
	require.NoError(t, err, "no variable breaks a connection")
	encryption, err := postgresTLS(t.Context(), a)
	require.NoError(t, err)
	assert.Len(t, encryption, 2, "encrypted where the server can, as the address says nothing")
	assert.NotContains(t, fmt.Sprintf("%+v %+v", config.Config, config.RuntimeParams), secret)
	assert.Empty(t, config.Password)
	assert.Equal(t, "mine", os.Getenv("PGSERVICE"), "the environment is as it was")

	a.User = ""
	config, err = postgresConfig(a)
	require.NoError(t, err)
	assert.Equal(t, systemUser(), config.User)
}

func TestTheDriverReadsItsOwnWhereTheConnectionSaysSo(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PGSERVICE", "")
	t.Setenv("PGPASSFILE", filepath.Join(home, "pass"))
	require.NoError(t, os.WriteFile(filepath.Join(home, "pass"), []byte("*:*:*:*:from the file"), 0o600))
	config, err := postgresConfig(Address{User: "bob", Database: "x", DriverDefaults: true})
	require.NoError(t, err)
	assert.Equal(t, "from the file", config.Password)
	t.Setenv("PGPASSWORD", "from the variable")
	t.Setenv("PGHOST", "elsewhere.example")
	config, err = postgresConfig(Address{User: "bob", Database: "x", DriverDefaults: true})
	require.NoError(t, err)
	assert.Equal(t, "from the variable", config.Password)
	assert.Equal(t, "127.0.0.1", config.Host, "where it leads is never left out")
	t.Setenv("PGSSLMODE", "disable")
	encryption, err := postgresTLS(t.Context(), Address{DriverDefaults: true})
	require.NoError(t, err)
	assert.Equal(t, []*tls.Config{nil}, encryption)
}

// authority makes a certificate of its own for a name, and its files.
func authority(t *testing.T, dir, name string) (pair tls.Certificate, certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, IsCA: true,
		BasicConstraintsValid: true, NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	require.NoError(t, err)
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	certificate, key = filepath.Join(dir, name+".crt"), filepath.Join(dir, name+".key")
	require.NoError(t, os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}), 0o600))
	pair, err = tls.LoadX509KeyPair(certificate, key)
	require.NoError(t, err)
	return pair, certificate, key
}

func TestEachModeVerifiesWhatItSays(t *testing.T) {
	dir := t.TempDir()
	server, right, key := authority(t, dir, "db.example")
	_, wrong, _ := authority(t, dir, "other.example")
	for _, tt := range []struct {
		mode, host, root string
		ways             int
		accepted         bool
	}{
		{"disable", "db.example", "", 1, true},
		{"", "db.example", "", 2, true},
		{"prefer", "db.example", "", 2, true},
		{"allow", "db.example", "", 2, true},
		{"require", "db.example", "", 1, true},
		{"require", "db.example", wrong, 1, false},
		{"verify-ca", "elsewhere.example", right, 1, true},
		{"verify-ca", "db.example", wrong, 1, false},
		{"verify-ca", "db.example", "", 1, false},
		{"verify-full", "db.example", right, 1, true},
		{"verify-full", "elsewhere.example", right, 1, false},
		{"verify-full", "db.example", wrong, 1, false},
		{"require", "db.example", "system", 1, false},
	} {
		a := Address{Host: tt.host, SSLMode: tt.mode, Params: map[string]string{"sslcert": right, "sslkey": key}, Below: dir}
		if tt.root != "" {
			a.Params["sslrootcert"] = tt.root
		}
		ways, err := postgresTLS(t.Context(), a)
		require.NoError(t, err)
		require.Len(t, ways, tt.ways, tt.mode)
		for _, way := range ways {
			if way != nil {
				assert.Equal(t, tt.accepted, handshake(t, way, server), "%+v", tt)
				assert.Len(t, way.Certificates, 1)
			}
		}
	}
	_, err := postgresTLS(t.Context(), Address{Params: map[string]string{"sslcert": right}})
	assert.ErrorContains(t, err, "go together")
}

// handshake reports whether a client accepts a server.
func handshake(t *testing.T, client *tls.Config, server tls.Certificate) bool {
	t.Helper()
	at, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer at.Close()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		there, err := at.Accept()
		if err != nil {
			return
		}
		_ = tls.Server(there, &tls.Config{Certificates: []tls.Certificate{server}}).HandshakeContext(t.Context()) // the client's answer counts
		_ = there.Close()
	}()
	here, err := net.Dial("tcp", at.Addr().String())
	require.NoError(t, err)
	err = tls.Client(here, client).HandshakeContext(t.Context())
	_ = here.Close()
	<-ended
	return err == nil
}
