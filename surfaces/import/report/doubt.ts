/** The statistics of a declared field after a dry run. */
type Seen = Readonly<{
  field: string
  filled: number
  rows: number
  distinct: number
  isConstant: boolean
  values: ReadonlySet<string>
}>

const fewRows = 5
const mostLooked = 5000

const signs: readonly (readonly [what: string, sign: RegExp])[] = [
  ['has entities: `unescape` makes characters of them', /&(?:[a-z]{2,8}|#[0-9]{2,6}|#x[0-9a-f]{2,6});/i],
  ['looks like markup', /<[a-z/!]|\[\/?[bi]\]|\*\*|\{[a-z0-9]+\}/i],
  ['looks like amounts of money', /^[0-9]+[.,][0-9]{1,2}$/],
  ['has line breaks or several blanks: `trim` makes one of them', / {2}|\n/]
]
/** Fields that hold words; if they hold only numbers, the map probably names the wrong field. */
const wordFields = new Set(['name', 'set_name', 'illustrators'])

/** Returns the match in a text with 15 characters on each side. */
function shown(text: string, sign: RegExp): string {
  const around = 15
  const match = sign.exec(text)
  const at = match?.index ?? 0
  const [from, to] = [Math.max(0, at - around), at + (match?.[0].length ?? 0) + around]
  return JSON.stringify(`${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`)
}

/**
 * Returns a reason why the map of a field may be wrong, or null. It is only a hint: an upstream may leave a field empty
 * or use one value throughout.
 */
export function doubtOf({ field, filled, rows, distinct, isConstant, values }: Seen): string | null {
  if (rows === 0) return null
  if (filled === 0) return 'no row has it'
  const some = [...values].slice(0, mostLooked)
  if (wordFields.has(field) && some.every(value => /^[0-9 .,-]+$/.test(value))) return 'numbers alone'
  // Values with an average of over 80 characters are probably rules texts.
  if (
    field !== 'native_id' &&
    some.length >= fewRows &&
    some.reduce((sum, { length }) => sum + length, 0) / some.length > 80 &&
    !field.includes('translations') &&
    !field.startsWith('attributes.types')
  )
    return 'long texts'
  if (field !== 'native_id' && field !== 'number') {
    for (const [what, form] of signs) {
      const at = some.findIndex(value => form.test(value))
      if (at >= 0) return `${what}, as in ${shown(some[at] ?? '', form)}`
    }
  }
  return distinct === 1 && filled === rows && rows >= fewRows && !isConstant ? 'all rows have the same' : null
}
