package wire

// The headers with which the relay of another machine's berth says that a
// request comes from a page that is shown there. The page's key and the proofs
// for it are then bound to that port: what a page has there opens nothing here,
// and the other way round.
const (
	RelayHeader    = "Berth-Relay"     // the instance's token, as [Token.Header] writes it
	PagePortHeader = "Berth-Page-Port" // the port of the other machine, decimal
)
