package wire

// HandoverPath is the route by which a new process asks the running instance of
// its project to make room.
const HandoverPath = "/handover"

// HandoverProtocol is the value of the Upgrade header in that request. The
// connection then stays open: [HandoverDone] on it means that the new process
// serves the project, the end of the connection without it that it never will.
// A request without the header, as older versions of berth send it, gets an
// ordinary answer and nothing follows.
const HandoverProtocol = "berth-handover"

// HandoverDone is all that the new process ever sends.
const HandoverDone = "serving\n"
