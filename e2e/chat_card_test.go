package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func addColumn(table, name, dataType string) map[string]any {
	return map[string]any{"op": "add_column", "table": map[string]any{"name": table}, "column": map[string]any{"name": name, "dataType": dataType}}
}

// columns are those of a table of the design, as the model is told.
func (c *chat) columns(table string) (names []string) {
	c.t.Helper()
	for _, one := range c.agent.design(c.root, map[string]any{"operation": "get_overview"}).Overview.Tables {
		if one.Name == table {
			for _, column := range one.Columns {
				names = append(names, column.Name)
			}
		}
	}
	return names
}

func TestAPersonTakesAnEditBackInTheChat(t *testing.T) {
	t.Parallel()
	c := newChat(t, twoTables)
	c.draws(c.apply(addColumn("customer", "fax", "text")), 320, "light")
	c.says("customer")
	assert.Contains(t, c.card(), "fax")
	require.Contains(t, c.columns("customer"), "fax")
	c.presses("Take back")
	c.says("Taken back")
	assert.NotContains(t, c.columns("customer"), "fax")
	version := c.agent.design(c.root, map[string]any{"operation": "get_overview"}).Version
	require.Len(t, c.heard().Contexts, 1, "the model is told")
	assert.Contains(t, c.heard().Contexts[0], version)
	assert.Zero(t, look[int](c, `() => [...document.querySelectorAll("button")].filter(b => b.textContent !== "Open").length`))
}

func TestAPersonKeepsAnEditInTheChat(t *testing.T) {
	t.Parallel()
	c := newChat(t, twoTables)
	first := c.apply(addColumn("customer", "fax", "text"))
	c.apply(addColumn("purchase", "note", "text"))
	d := c.desk(c.in)
	review := "/designs/" + escaped(d.designer("show", map[string]any{})["connectionId"].(string)) + "/review"
	require.EqualValues(t, 2, d.get(review)["count"])
	c.draws(first, 320, "dark")
	c.says("fax")
	c.presses("Keep")
	c.says("Kept")
	assert.Contains(t, c.columns("customer"), "fax")
	assert.EqualValues(t, 1, d.get(review)["count"], "what was kept was looked at; the other edit was not")
}

func TestTheCardOpensThePageByTheChat(t *testing.T) {
	t.Parallel()
	c := newChat(t, twoTables)
	c.draws(c.apply(addColumn("customer", "fax", "text")), 320, "light")
	c.says("fax")
	c.presses("Open")
	c.eventually(`window.heard.opened.length === 1`)
	assert.Equal(t, []string{c.in.URL}, c.heard().Opened)
}

func TestTheChatShowsAPlan(t *testing.T) {
	t.Parallel()
	c := newChat(t, twoTables)
	c.apply(addColumn("customer", "fax", "text"))
	for _, operation := range []string{"get_changes", "verify"} {
		reply := c.call(operation, nil)
		c.draws(reply, 320, "light")
		c.says("main.customer")
		assert.Contains(t, c.card(), "fax")
		assert.Contains(t, c.card(), "1 statement")
		assert.Zero(t, look[int](c, `() => [...document.querySelectorAll("button")].filter(b => b.textContent !== "Open").length`), "a plan is decided elsewhere")
	}
}

// cardFlaws are what a person would call broken in a card.
const cardFlaws = `() => {
	const root = document.documentElement, found = []
	if (root.scrollWidth > root.clientWidth) found.push("wider than its frame: " + root.scrollWidth)
	for (const e of document.querySelectorAll("body *")) {
		const r = e.getBoundingClientRect()
		if (r.width && (r.right > root.clientWidth + 0.5 || r.left < -0.5)) found.push("cut: " + e.tagName + "." + e.className + " " + e.textContent.slice(0, 60))
	}
	return found
}`

func TestCardsFitTheFrameThatAChatGivesThem(t *testing.T) {
	t.Parallel()
	c := newChat(t, twoTables)
	edit := c.apply(addColumn("customer", "fax", "varchar(40)"),
		map[string]any{"op": "drop_table", "table": map[string]any{"name": "purchase"}},
		map[string]any{"op": "set_column", "table": map[string]any{"name": "customer"}, "column": map[string]any{"name": "name"},
			"set": map[string]any{"name": "the_full_name_of_the_customer_as_it_is_printed", "dataType": "varchar(200)"}},
		map[string]any{"op": "add_index", "table": map[string]any{"name": "customer"}, "index": map[string]any{"columns": []string{"fax"}, "unique": true}},
		addTable("invoice"))
	replies := map[string]chatReply{"edit": edit, "changes": c.call("get_changes", nil), "verify": c.call("verify", nil)}
	for name, r := range replies {
		for _, width := range []int{240, 320, 800} {
			for _, theme := range []string{"light", "dark"} {
				at := fmt.Sprintf("%s-%d-%s", name, width, theme)
				c.draws(r, width, theme)
				c.says("customer")
				assert.Empty(t, look[[]string](c, cardFlaws), at)
				c.eventually(`async () => window.heard.height > 0 && window.heard.height === await window.look("() => Math.ceil(document.documentElement.getBoundingClientRect().height)")`)
				c.screenshot(at)
			}
		}
	}
}

// From 600 pixels on the card draws what differs, with what it is related with.
func TestAWideCardDrawsTheTablesThatDiffer(t *testing.T) {
	t.Parallel()
	c := newChat(t, `CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT);
		CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, fax TEXT, country TEXT REFERENCES country (code));
		CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id), note TEXT);
		CREATE TABLE elsewhere (id INTEGER PRIMARY KEY);`)
	edit := c.apply(addColumn("customer", "email", "varchar(40)"),
		map[string]any{"op": "drop_column", "table": map[string]any{"name": "customer"}, "column": map[string]any{"name": "fax"}},
		map[string]any{"op": "set_column", "table": map[string]any{"name": "customer"}, "column": map[string]any{"name": "name"},
			"set": map[string]any{"name": "the_full_name_of_the_customer_as_it_is_printed", "dataType": "varchar(200)"}},
		addTable("invoice"))
	for name, r := range map[string]chatReply{"edit": edit, "plan": c.call("get_changes", nil)} {
		for _, width := range []int{240, 320, 600, 800} {
			at := fmt.Sprintf("%s-%d", name, width)
			theme := []string{"light", "dark"}[width/100%2]
			c.draws(r, width, theme)
			c.says("customer")
			assert.Empty(t, look[[]string](c, cardFlaws), at)
			drawn := look[[]string](c, `() => [...document.querySelectorAll("figure h3")].map(h => h.textContent)`)
			if width < 600 {
				assert.Empty(t, drawn, at)
			} else {
				assert.Equal(t, []string{"main.country", "+ main.invoice", "~ main.customer", "main.purchase"}, drawn, at)
				assert.Equal(t, 2, look[int](c, `() => [...document.querySelectorAll("figure svg path")].filter(p => p.getBBox().width > 20).length`), at)
				marks := look[string](c, `() => [...document.querySelectorAll("figure .changed li[class]:not([class=aside])")].map(l => l.className + " " + l.querySelector(":nth-child(2)").innerText).join(", ")`)
				assert.Equal(t, "added email, changed the_full_name_of_the_customer_as_it_is_printed, dropped fax", inOrder(marks), at)
			}
			c.eventually(`async () => window.heard.height > 0 && window.heard.height === await window.look("() => Math.ceil(document.documentElement.getBoundingClientRect().height)")`)
			c.screenshot("diagram-" + at)
		}
	}
	// a chat that is made narrower takes the diagram away, and gives it back
	for _, width := range []int{320, 800} {
		require.True(t, eval[bool](c.tab, `width => { document.querySelector("iframe").style.width = width + "px"; return true }`, width))
		c.eventually(`wide => window.look("() => document.querySelectorAll('figure').length").then(n => n === (wide ? 1 : 0))`, width >= 600)
	}
}

// inOrder puts the parts of a list in order.
func inOrder(list string) string {
	parts := strings.Split(list, ", ")
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

func TestACardShowsHostileNamesAsTheyAre(t *testing.T) {
	t.Parallel()
	c := newChat(t, twoTables)
	image := `<img src=x onerror=window.pwned=1>`
	hidden := "a\u202egnp.exe\u200b"
	column := addColumn("customer", image, "text")
	column["column"].(map[string]any)["defaultValue"] = "'" + strings.Repeat("long ", 2000) + "'"
	edit := c.apply(addTable(image), addTable(hidden), addTable(`</script><script>window.pwned=1</script>`), addTable("שלום"), column)
	for name, r := range map[string]chatReply{"edit": edit, "plan": c.call("get_changes", nil)} {
		for _, width := range []int{240, 800} {
			c.draws(r, width, "light")
			c.says(image)
			c.says(`main.a\u{202e}gnp.exe\u{200b}`)
			c.says("main.שלום")
			assert.Empty(t, look[[]string](c, cardFlaws), name)
			assert.Less(t, len(c.card()), 3000, "%s: a text without end is cut", name)
			assert.Zero(t, look[int](c, `() => document.querySelectorAll("img, main script").length`), name)
			assert.False(t, look[bool](c, `() => document.defaultView.pwned !== undefined`), name)
			c.screenshot(fmt.Sprintf("%s-%d", name, width))
		}
	}
}

// The model has the tool's name from this test, and no nonce from its replies.
func TestAModelCannotPressTheButtonsOfACard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.project("app", twoTables)
	w.serve(root)
	viewer, plain := w.viewer(), w.agent()
	version := viewer.design(root, map[string]any{"operation": "show"}).Version
	got := viewer.ask(root, designer, edits(version, addColumn("customer", "fax", "text")))
	require.False(t, got.isError, got.text())
	for _, arguments := range []map[string]any{{"action": "take_back"}, {"action": "take_back", "nonce": ""}, {"action": "keep", "nonce": "guessed"}} {
		refused := viewer.ask(root, "schema_change_card", arguments)
		assert.True(t, refused.isError, arguments)
		assert.Contains(t, refused.text(), "nonce", arguments)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := plain.try(ctx, root, "schema_change_card", map[string]any{"action": "take_back", "nonce": "guessed"})
	_, unknown := plain.try(ctx, root, "no_such_tool", nil)
	require.ErrorContains(t, err, `schema_change_card`)
	assert.Equal(t, strings.ReplaceAll(unknown.Error(), "no_such_tool", "schema_change_card"), err.Error(), "a client without views hears what it hears of no tool")
}
