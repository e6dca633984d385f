package settings

import "errors"

// SystemCertificates is the word for the system's own certificates in the
// place of a file, as PostgreSQL has it.
const SystemCertificates = "system"

// CertificateParams are the parameters of a dialect that name files of
// certificates and keys.
func CertificateParams(dialect string) []string {
	switch dialect {
	case DialectPostgres:
		return []string{"sslrootcert", "sslcert", "sslkey"}
	case DialectMSSQL:
		return []string{"certificate"}
	}
	return nil
}

// placeCertificates makes the names of certificate files absolute: below dir
// where they are relative.
func (s *Server) placeCertificates(dialect, dir string) error {
	for _, name := range CertificateParams(dialect) {
		file := s.Params[name]
		if file == "" || file == SystemCertificates {
			continue
		}
		placed := below(dir, file)
		if dir == "" && placed != file {
			return errors.New("the parameter " + name + " must be an absolute path in a file that is not a project's")
		}
		s.Params[name] = placed
	}
	return nil
}
