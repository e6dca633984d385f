package e2e

import (
	"fmt"
	"strings"
)

// The schemas that the page is looked at with: three tables, the forty of a
// theatre, and a thousand: a theatre's forty in each of twenty-five houses.

const threeTables = `
CREATE TABLE author (id INTEGER PRIMARY KEY, full_name VARCHAR(120) NOT NULL, born DATE);
CREATE TABLE book (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL REFERENCES author (id), title VARCHAR(200) NOT NULL,
  isbn CHAR(13) UNIQUE, list_price DECIMAL(10,2), first_published_at TIMESTAMP);
CREATE TABLE book_review (id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL REFERENCES book (id), reader_id INTEGER NOT NULL,
  stars SMALLINT NOT NULL, body TEXT);
`

// theatre is one table a line: its name, then its columns beside the key id.
// A column is its name and type, ! where it is not null; one that ends in a
// > and a table refers to that table.
const theatre = `
country: iso_code CHAR(2)!, name VARCHAR(80)!, currency CHAR(3)!
city: country_id >country!, name VARCHAR(120)!, latitude DECIMAL(9,6), longitude DECIMAL(9,6)
address: city_id >city!, street VARCHAR(200)!, house_number VARCHAR(12), postal_code VARCHAR(16)
venue: address_id >address!, name VARCHAR(160)!, opened_on DATE, website VARCHAR(255)
stage: venue_id >venue!, name VARCHAR(80)!, width_m DECIMAL(5,2), depth_m DECIMAL(5,2), trap_doors SMALLINT
seat_category: title VARCHAR(60)!, surcharge_percent DECIMAL(5,2)!, colour CHAR(7)
seat: stage_id >stage!, seat_category_id >seat_category!, row_label VARCHAR(4)!, seat_number SMALLINT!, wheelchair BOOLEAN!
person: given_name VARCHAR(80)!, family_name VARCHAR(80)!, email VARCHAR(255), phone VARCHAR(32), date_of_birth DATE, address_id >address, preferred_language CHAR(5), created_at TIMESTAMP!
customer: person_id >person!, newsletter BOOLEAN!, loyalty_points INTEGER!, last_order_at TIMESTAMP
membership_plan: title VARCHAR(80)!, yearly_fee DECIMAL(10,2)!, discount_percent DECIMAL(5,2)!
membership: customer_id >customer!, membership_plan_id >membership_plan!, valid_from DATE!, valid_until DATE, cancelled_at TIMESTAMP
employee: person_id >person!, supervisor_id >employee, hired_on DATE!, left_on DATE, iban VARCHAR(34)
department: title VARCHAR(80)!, head_id >employee
employment_contract: employee_id >employee!, department_id >department!, hours_per_week DECIMAL(4,1)!, monthly_salary DECIMAL(12,2)!, signed_at TIMESTAMP!
playwright: person_id >person, pen_name VARCHAR(120), estate_contact VARCHAR(255)
play: playwright_id >playwright!, title VARCHAR(200)!, written_year SMALLINT, public_domain BOOLEAN!, synopsis TEXT
translation: play_id >play!, language CHAR(5)!, translator_id >person, licence_until DATE
role: play_id >play!, name VARCHAR(120)!, lines_count INTEGER, understudy_required BOOLEAN!
season: title VARCHAR(80)!, starts_on DATE!, ends_on DATE!
production: play_id >play!, translation_id >translation, season_id >season!, director_id >employee!, budget DECIMAL(14,2), premiere_at TIMESTAMP
casting: production_id >production!, role_id >role!, actor_id >employee!, is_understudy BOOLEAN!
rehearsal: production_id >production!, stage_id >stage!, starts_at TIMESTAMP!, ends_at TIMESTAMP!, notes TEXT
rehearsal_attendance: rehearsal_id >rehearsal!, employee_id >employee!, excused BOOLEAN!, minutes_late SMALLINT
performance: production_id >production!, stage_id >stage!, starts_at TIMESTAMP!, doors_open_at TIMESTAMP, cancelled_reason TEXT
price_list: title VARCHAR(80)!, currency CHAR(3)!, valid_from DATE!
price: price_list_id >price_list!, seat_category_id >seat_category!, amount DECIMAL(10,2)!, reduced_amount DECIMAL(10,2)
performance_price_list: performance_id >performance!, price_list_id >price_list!
sales_channel: title VARCHAR(60)!, commission_percent DECIMAL(5,2)!
ticket_order: customer_id >customer, sales_channel_id >sales_channel!, placed_at TIMESTAMP!, paid_at TIMESTAMP, total_amount DECIMAL(12,2)!, payment_reference VARCHAR(64)
ticket: ticket_order_id >ticket_order!, performance_id >performance!, seat_id >seat!, price_id >price!, barcode CHAR(24)!, scanned_at TIMESTAMP
refund: ticket_id >ticket!, approved_by_id >employee, amount DECIMAL(10,2)!, reason TEXT!
voucher: customer_id >customer, code CHAR(12)!, remaining_amount DECIMAL(10,2)!, expires_on DATE
supplier: name VARCHAR(160)!, address_id >address, vat_number VARCHAR(20), payment_terms_days SMALLINT
costume: production_id >production, role_id >role, description TEXT!, storage_location VARCHAR(40), insured_value DECIMAL(12,2)
prop: production_id >production, supplier_id >supplier, description TEXT!, fragile BOOLEAN!
lighting_cue: production_id >production!, sequence_number DECIMAL(6,2)!, description TEXT, fade_seconds DECIMAL(6,2)!
equipment: stage_id >stage, supplier_id >supplier, serial_number VARCHAR(64)!, purchased_on DATE, last_safety_inspection_at TIMESTAMP WITH TIME ZONE
equipment_maintenance_schedule_exception: equipment_id >equipment!, responsible_department_id >department!, preferred_replacement_supplier_id >supplier, postponed_until TIMESTAMP WITH TIME ZONE, reason VARCHAR(4000)!
press_review: production_id >production!, newspaper VARCHAR(120)!, published_on DATE!, rating SMALLINT, excerpt TEXT
audit_entry: employee_id >employee, happened_at TIMESTAMP!, action VARCHAR(40)!, subject_table VARCHAR(80)!, subject_id INTEGER!, before_json TEXT, after_json TEXT
`

// theatreSQL writes the forty tables, each name with a prefix.
func theatreSQL(prefix string) string {
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(theatre), "\n") {
		table, columns, _ := strings.Cut(line, ": ")
		fmt.Fprintf(&b, "CREATE TABLE %s%s (id INTEGER PRIMARY KEY", prefix, table)
		// No type has ", " in it, so that each column stands alone.
		for _, column := range strings.Split(columns, ", ") {
			definition, required := strings.CutSuffix(column, "!")
			name, rest, _ := strings.Cut(definition, " ")
			if target, refers := strings.CutPrefix(rest, ">"); refers {
				rest = fmt.Sprintf("INTEGER REFERENCES %s%s (id)", prefix, target)
			}
			if required {
				rest += " NOT NULL"
			}
			fmt.Fprintf(&b, ", %s %s", name, rest)
		}
		b.WriteString(");\n")
	}
	return b.String()
}

// thousandTables are those of a company of theatres.
func thousandTables() string {
	houses := []string{"athens", "bergen", "bilbao", "bremen", "brno", "cork", "dresden", "gdansk", "geneva", "ghent", "graz",
		"helsinki", "leipzig", "lisbon", "lyon", "malmo", "naples", "oslo", "porto", "riga", "tallinn", "turin", "utrecht", "vienna", "zagreb"}
	var b strings.Builder
	for _, house := range houses {
		b.WriteString(theatreSQL(house + "_"))
	}
	return b.String()
}
