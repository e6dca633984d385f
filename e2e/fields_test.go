package e2e

import "testing"

// blames waits until what is said at a control, and only there, holds a text.
func (b *tab) blames(control, text string) {
	b.t.Helper()
	b.eventually(`(s, text) => {
		const field = document.querySelector(s);
		const note = field && document.getElementById(field.getAttribute("aria-describedby"));
		return field?.getAttribute("aria-invalid") === "true" && note?.textContent.includes(text) &&
			document.querySelectorAll(".editor [role=alert], dialog [role=alert]").length === 1;
	}`, control, text)
}

// choose picks an option of a select by its value or its words.
func (b *tab) choose(selector, value string) {
	b.t.Helper()
	b.eventually(`(s, value) => [...document.querySelector(s)?.options ?? []].some(o => o.value === value || o.label === value)`, selector, value)
	eval[bool](b, `(s, value) => {
		const select = document.querySelector(s);
		select.selectedIndex = [...select.options].findIndex(o => o.value === value || o.label === value);
		return select.dispatchEvent(new Event("change", {bubbles: true}));
	}`, selector, value)
}

func TestWhatIsRefusedIsSaidAtTheFieldItIsAbout(t *testing.T) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")
	s.click(tableTitle("customer"))
	s.click(button("add-column"))
	s.write(button("name-new"), "name")
	s.blames(button("name-new"), "already exists")
	s.write(button("name-new"), "type_of_name")
	s.write(button("defaultValue-new"), "(0")
	s.blames(button("defaultValue-new"), "unbalanced parentheses")
	s.screenshot("default")
	s.write(button("defaultValue-new"), "0")
	s.write(button("dataType-new"), "TEXT(0)")
	s.blames(button("dataType-new"), "TEXT")
	s.key("Escape")

	s.press(button("section-indexes"))
	s.press(button("new-index"))
	s.choose(button("index-column-0"), "name")
	s.write(button("index-where"), "'")
	s.blames(button("index-where"), "where of the index")
	s.screenshot("where")
}
