import { design } from './designs'
import { getJson, sendJson } from './http'

export const colours = ['grey', 'blue', 'green', 'yellow', 'red', 'purple'] as const

export type Colour = (typeof colours)[number]

// Item is an area, a titled rectangle behind the tables, or a note, a card with
// text. docs/http.md has the limits below.
export interface Item {
  kind: 'area' | 'note'
  text: string // an area's title, a note's text
  colour: Colour
  x: number
  y: number
  width: number
  height: number
}

export const most = { items: 200, title: 80, text: 1_000 } as const
export const least = { area: { width: 80, height: 80 }, note: { width: 100, height: 60 } } as const

export type Items = Readonly<Record<string, Item>>

export const getItems = (connection: string): Promise<{ items: Items }> => getJson(design(connection, '/canvas'))

// ItemChange is a new item, or what is to change of one; see PUT …/canvas.
export type ItemChange = Partial<Item>

export const putItems = (connection: string, items: Readonly<Record<string, ItemChange | null>>): Promise<unknown> => sendJson('PUT', design(connection, '/canvas'), { items })
