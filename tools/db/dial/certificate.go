package dial

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// maxCertificateBytes bounds a file of certificates or a key.
const maxCertificateBytes = 1 << 20

// certificateFile reads the file that a parameter names, in the context's
// time. Its error is a [*ConnectError] that names the parameter, not what is
// in the file.
func (a Address) certificateFile(ctx context.Context, param string) ([]byte, error) {
	file := a.Params[param]
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() { // a file system may hang; what it says then is dropped
		data, err := readCertificate(a.Below, file)
		done <- read{data, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, &ConnectError{Cause: "its " + param + " cannot be used: " + r.err.Error(), Fix: "check the parameter " + param + " of the connection"}
		}
		return r.data, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// readCertificate reads a regular file of a size that certificates have. One
// that lies in the folder is not followed out of it.
func readCertificate(folder, file string) ([]byte, error) {
	f, err := openCertificate(folder, file)
	if err != nil {
		return nil, reason(err)
	}
	defer func() { _ = f.Close() }() // only read from
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, reason(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxCertificateBytes+1))
	if err != nil {
		return nil, reason(err)
	}
	if len(data) > maxCertificateBytes {
		return nil, fmt.Errorf("it is larger than %d bytes", maxCertificateBytes)
	}
	return data, nil
}

// openCertificate opens without waiting for the other end of a pipe.
func openCertificate(folder, file string) (*os.File, error) {
	rel, err := filepath.Rel(folder, file)
	if folder == "" || err != nil || !filepath.IsLocal(rel) {
		return os.OpenFile(file, os.O_RDONLY|nonBlocking, 0)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // only read from
	return root.OpenFile(rel, os.O_RDONLY|nonBlocking, 0)
}

// reason is why a file cannot be read, without its path.
func reason(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// roots reads the certificates that a server's is verified with. nil: the
// system's.
func (a Address) roots(ctx context.Context, param string) (*x509.CertPool, error) {
	data, err := a.certificateFile(ctx, param)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if pool.AppendCertsFromPEM(data) {
		return pool, nil
	}
	certificate, err := x509.ParseCertificate(data) // DER
	if err != nil {
		return nil, &ConnectError{Cause: "its " + param + " holds no certificate", Fix: "check the parameter " + param + " of the connection"}
	}
	pool.AddCert(certificate)
	return pool, nil
}

// verifyChain verifies a certificate, but not for which name it is.
func verifyChain(roots *x509.CertPool) func(state tls.ConnectionState) error {
	return func(state tls.ConnectionState) error {
		if len(state.PeerCertificates) == 0 {
			return errors.New("the server has no certificate")
		}
		options := x509.VerifyOptions{Roots: roots, Intermediates: x509.NewCertPool()}
		for _, c := range state.PeerCertificates[1:] {
			options.Intermediates.AddCert(c)
		}
		_, err := state.PeerCertificates[0].Verify(options)
		return err
	}
}
