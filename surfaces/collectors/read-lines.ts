/** A pasted line with its quantity and card; without these if the line is invalid. */
type Read = Readonly<
  { line: number; text: string; quantity: number; card: string } | { line: number; text: string; quantity?: undefined }
>

/** Maximum length of a line; longer lines are not cards. */
const longestLine = 200

/** Maximum quantity of one card; a larger one is probably a typing error. */
const mostOfOne = 999

/** Matches `2 OP01-001`, `2x OP01-001`, `OP01-001 x2` or `OP01-001`. */
const forms = [
  /^(?<quantity>\d{1,4})\s*[x×]?\s+(?<card>\S.*)$/iu,
  /^(?<card>\S.*?)\s+[x×]\s*(?<quantity>\d{1,4})$/iu,
  /^(?<card>\S.*)$/u
]

/**
 * Reads the lines of a pasted text, except empty ones and comments. Without a quantity it is one; an invalid or too
 * large quantity makes the line invalid.
 */
export function readLines(text: string): readonly Read[] {
  return text.split(/\r\n|\r|\n/).flatMap((raw, index): readonly Read[] => {
    const [line, said] = [index + 1, raw.trim()]
    if (said === '' || said.startsWith('#') || said.startsWith('//')) return []
    // The length is checked before the regular expressions, because they take quadratic time.
    if (said.length > longestLine) return [{ line, text: said.slice(0, longestLine) }]
    const groups = forms.map(form => form.exec(said)?.groups).find(found => found !== undefined)
    const [quantity, card] = [Number(groups?.['quantity'] ?? 1), groups?.['card']?.trim() ?? '']
    return card === '' || card.length > 160 || quantity < 1 || quantity > mostOfOne
      ? [{ line, text: said }]
      : [{ line, text: said, quantity, card }]
  })
}

/**
 * Replaces one line of a pasted text by the card that was chosen for it. `choice` is the number of the line, from 1,
 * and its new text.
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
