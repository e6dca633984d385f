package wire

// HandoverPath is the route by which a newcomer asks the instance of its
// project to make room.
const HandoverPath = "/handover"

// HandoverProtocol is what a newcomer names in the header Upgrade of its
// request. The connection is then its own, and its word: [HandoverDone] says
// that it serves, and a connection that ends without it that it never will.
// A request without the header gets an ordinary answer, and
// nothing follows: it is how an older berth asks.
const HandoverProtocol = "berth-handover"

// HandoverDone is all that a newcomer ever sends.
const HandoverDone = "serving\n"
