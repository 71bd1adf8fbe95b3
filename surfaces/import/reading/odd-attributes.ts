/** An attribute that a card was kept without, because the declaration of the attribute does not allow its value. */
export type OddValue = Readonly<{ attribute: string; reason: string; value: string }>

/** Attributes that cards were kept without, for one reason: the number of rows, and the first of them. */
export type OddAttribute = Readonly<{
  attribute: string
  reason: string
  rows: number
  first: readonly Readonly<{ row: string; value: string }>[]
}>

const maxShown = 3
const maxLength = 60

/** Shortens a value for a message and replaces control characters, which a terminal would execute. */
export const shown = (value: string): string => {
  const plain = value.slice(0, maxLength + 1).replace(/\p{C}/gu, '\ufffd')
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 1)}…` : plain
}

/** Counts the attributes that cards are kept without, by attribute and reason. */
export class OddAttributes {
  private readonly found = new Map<string, OddAttribute & { rows: number; first: { row: string; value: string }[] }>()

  see(row: string, { attribute, reason, value }: OddValue): void {
    const key = `${attribute} ${reason}`
    const one = this.found.get(key) ?? { attribute, reason, rows: 0, first: [] }
    this.found.set(key, one)
    one.rows++
    if (one.first.length < maxShown) one.first.push({ row, value: shown(value) })
  }

  result(): readonly OddAttribute[] {
    return [...this.found.values()]
  }
}
