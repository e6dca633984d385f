// Package model is a model on loopback that does as a test says: real clients
// are pointed at it, and call berth's tools as if a model had decided to. It
// speaks Anthropic's Messages, OpenAI's Responses and Chat Completions, and
// Gemini's generateContent, streamed or whole.
//
// A test starts a [Server], starts the client with its URL, and then plays the
// model, one call after the other:
//
//	m := model.Start(t)
//	// start the client
//	got, err := m.Call(ctx, "get-tables", args) // what the client sends back
//	err = m.Say(ctx, "done")                    // the client's turn ends
//
// A tool is named as berth names it and called by the name under which the
// client lists it. What the client asks beside the conversation (a title, a
// summary) has no tools and is answered with a few words.
package model
