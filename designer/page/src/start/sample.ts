// sample is what a person may begin with, in DBML, which every dialect reads: a
// small harbour.
export const sample = `Table boats {
  id int [pk, increment]
  owner_id int [not null]
  name varchar(80) [not null]
  length_m decimal(5,2)
  built date
  Note: 'what lies here'
  indexes {
    (owner_id, name) [unique]
  }
}

Table owners {
  id int [pk, increment]
  name varchar(120) [not null]
  email varchar(200) [not null, unique]
  since timestamp [not null, default: \`now()\`]
}

Table berths {
  id int [pk, increment]
  pier varchar(10) [not null]
  number int [not null]
  length_m decimal(5,2) [not null]
  indexes {
    (pier, number) [unique]
  }
}

Table moorings {
  id int [pk, increment]
  boat_id int [not null]
  berth_id int [not null]
  starts date [not null]
  ends date
  state mooring_state [not null, default: 'booked']
  indexes {
    boat_id
    berth_id
  }
}

Enum mooring_state {
  booked
  moored
  left
}

Ref: boats.owner_id > owners.id [delete: cascade]
Ref: moorings.boat_id > boats.id [delete: cascade]
Ref: moorings.berth_id > berths.id
`
