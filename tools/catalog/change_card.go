package catalog

import "encoding/json"

// ChangeCard settles the card that shows a person what an agent has edited. It
// is for that view alone: no model is shown it.
const ChangeCard = "schema_change_card"

// ForViews returns the definitions of the tools that views call. They are listed
// to clients that show views, as tools of theirs, and to nobody else.
func ForViews() []Definition { return []Definition{changeCard()} }

func changeCard() Definition {
	return Definition{
		Name:  ChangeCard,
		Title: "Settle a change card",
		Description: "For the card that shows an applied edit, which alone has the nonce: keep marks the edit as looked at, " +
			"take_back reverts it.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + projectRoot + `,` +
			`"action":{"type":"string","enum":["keep","take_back"]},"nonce":{"type":"string"}` +
			`},"required":["projectRoot","action","nonce"],"additionalProperties":false}`),
		Failure:       Structured,
		MaxReplyBytes: MaxDesignerReplyBytes,
	}
}
