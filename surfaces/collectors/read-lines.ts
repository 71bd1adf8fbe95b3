/** A pasted line: how many, and of what. */
type Read = Readonly<
  { line: number; text: string; quantity: number; card: string } | { line: number; text: string; quantity?: undefined }
>

/** Characters of a line; what is longer is no card. */
const longestLine = 200

/** More of one card than that is a slip of the keyboard. */
const mostOfOne = 999

/** `2 OP01-001`, `2x OP01-001`, `OP01-001 x2` or `OP01-001`. */
const forms = [
  /^(?<quantity>\d{1,4})\s*[x×]?\s+(?<card>\S.*)$/iu,
  /^(?<card>\S.*?)\s+[x×]\s*(?<quantity>\d{1,4})$/iu,
  /^(?<card>\S.*)$/u
]

/**
 * The lines of a pasted text that say something. A line without a quantity means one; one that means none, or too many,
 * is told.
 */
export function readLines(text: string): readonly Read[] {
  return text.split(/\r\n|\r|\n/).flatMap((raw, index): readonly Read[] => {
    const [line, said] = [index + 1, raw.trim()]
    if (said === '' || said.startsWith('#') || said.startsWith('//')) return []
    // The forms are tried on what may be one: they take quadratic time.
    if (said.length > longestLine) return [{ line, text: said.slice(0, longestLine) }]
    const groups = forms.map(form => form.exec(said)?.groups).find(found => found !== undefined)
    const [quantity, card] = [Number(groups?.['quantity'] ?? 1), groups?.['card']?.trim() ?? '']
    return card === '' || card.length > 160 || quantity < 1 || quantity > mostOfOne
      ? [{ line, text: said }]
      : [{ line, text: said, quantity, card }]
  })
}

/**
 * A pasted text in which one line says what was chosen for it: the number of the line, from 1, and what it says now.
 */
export function withChoice(text: string, choice: string): string {
  const [, chosen, said] = /^(\d+) (.+)$/.exec(choice) ?? []
  return said === undefined
    ? text
    : text
        .split('\n')
        .map((line, index) => (index + 1 === Number(chosen) ? said : line))
        .join('\n')
}
