package presence

import "time"

// Agent is a program that calls tools, as it says itself.
type Agent struct {
	ID      string // of its front-end's process, random; "": it has none
	Name    string
	Version string
	Project string // that it was started in; "": not known
	Machine string // that it runs on; "": not known
	Brief   bool   // a command: here only while its call runs
}

// Subject is what a call was about. Both are "" where it names no design.
type Subject struct {
	Connection string
	Table      string // id of a table of that connection's design
}

// agentEntry is an agent that is here.
type agentEntry struct {
	Agent
	listed       string // its id in the list: that of its front-end stays here
	since, heard time.Time
	tool         string
	running      int
	subject      Subject
}

// slowCall is how long a call has run whose end is worth telling.
const slowCall = time.Second

// Began records that an agent's call of a tool runs, until done is called with
// what the call was about. The agent is here until its program ends, or for
// five minutes after its last call. Of more than 64 agents those heard of last
// are kept.
func (b *Board) Began(a Agent, tool string) (done func(Subject)) {
	a = b.cleanedAgent(a)
	key := a.key()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return func(Subject) {}
	}
	now := b.opts.Now()
	e, known := b.agents[key]
	if !known {
		dropOldest(b.agents, func(e *agentEntry) (time.Time, bool) { return e.heard, e.running == 0 })
		if len(b.agents) >= maxEntries {
			return func(Subject) {} // all of them run
		}
		b.lastListed++
		e = &agentEntry{listed: listedID(KindAgent, b.lastListed), since: now}
		b.agents[key] = e
	}
	if !known || e.tool != tool || now.Sub(e.heard) > quiet || now.Sub(b.said) > quiet {
		b.changedLocked()
	}
	e.Agent, e.tool, e.heard = a, tool, now
	e.running++
	b.expireByLocked(now.Add(agentLife))
	return func(s Subject) { b.ended(key, e, now, s) }
}

// ended records the end of a call that began at a moment.
func (b *Board) ended(key string, e *agentEntry, began time.Time, s Subject) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e.running--
	e.heard = b.opts.Now()
	if s.Connection == "" { // a call that names no design leaves it where it was
		s.Connection = e.subject.Connection
	}
	if s != e.subject || e.heard.Sub(began) > slowCall {
		b.changedLocked()
	}
	e.subject = s
	if e.Brief && e.running == 0 && b.agents[key] == e {
		delete(b.agents, key)
		b.changedLocked()
	}
}

// Connected records that an agent's front-end has opened a connection, until
// closed is called. Front-ends close connections that they have not used for 90
// seconds; one whose last connection ends earlier has ended.
func (b *Board) Connected(id string) (closed func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.conns[id]++
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.conns[id]--; b.conns[id] > 0 {
			return
		}
		delete(b.conns, id)
		key := Agent{ID: Clean(id, maxID)}.key()
		if e, ok := b.agents[key]; ok && e.running == 0 && b.opts.Now().Sub(e.heard) < keptOpen {
			delete(b.agents, key)
			b.changedLocked()
		}
	}
}

// keptOpen is how long a front-end that lives keeps a connection, at least.
const keptOpen = 80 * time.Second

// key tells agents apart. What has no id is told apart by its name.
func (a Agent) key() string {
	if a.ID != "" {
		return "id " + a.ID
	}
	return "name " + a.Name + " " + a.Version
}

// cleanedAgent returns a with its texts bounded, and without what is the
// instance's own.
func (b *Board) cleanedAgent(a Agent) Agent {
	a.ID, a.Name, a.Version = Clean(a.ID, maxID), Clean(a.Name, maxName), Clean(a.Version, maxVersion)
	a.Project, a.Machine = Clean(a.Project, maxName), Clean(a.Machine, maxName)
	if a.Project == b.self.Project {
		a.Project = ""
	}
	return a
}

// entry is e for the list.
func (e *agentEntry) entry(b *Board) Entry {
	out := Entry{Kind: KindAgent, ID: e.listed, Machine: e.Machine, Program: e.Name, Version: e.Version, From: e.Project, Tool: e.tool,
		Running: e.running > 0, since: e.since, heard: e.heard}
	b.opts.Designs.place(&out, e.subject.Connection, e.subject.Table)
	return out
}
