package instance

import "github.com/berth-dev/berth/proxy/wire"

// Self returns what the instance file says, or would say, of s.
func (s *Server) Self() wire.Instance { return s.self }
