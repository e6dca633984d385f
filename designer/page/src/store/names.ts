// Names that the page proposes.

// single is a name in the singular, as English mostly has it.
export function single(name: string): string {
  if (/ies$/i.test(name)) return `${name.slice(0, -3)}y`
  if (/(ss|us|is)$/i.test(name)) return name
  if (/(ch|sh|x|ss|z)es$/i.test(name)) return name.slice(0, -2)
  return name.replace(/s$/i, '')
}

// freeName is a name, or the first of name2, name3 and so on, that nothing has.
// another writes the nth in another way; the first try after the name is n = 2.
export function freeName(name: string, taken: (name: string) => boolean, another = (n: number): string => `${name}${n}`): string {
  let free = name
  for (let n = 2; taken(free); n++) free = another(n)
  return free
}
