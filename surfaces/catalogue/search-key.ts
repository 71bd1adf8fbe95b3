/**
 * Returns the form in which card numbers are compared: ASCII letters become lower case, every run of other characters
 * that are not digits becomes one hyphen, leading zeros are dropped, and a hyphen stays only between two letters or two
 * digits. `OP01-001`, `op-01 1` and `OP1/1` become `op1-1`. Migration 0003 normalises in the same way.
 */
export const foldNumber = (text: string): string =>
  /^[0-9]+$/.test(text)
    ? text.replace(/^0+(?=[0-9])/, '')
    : lower(text)
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/(^|[^0-9])0+([0-9])/g, '$1$2')
        .replace(/([a-z])-([0-9])/g, '$1$2')
        .replace(/([0-9])-([a-z])/g, '$1$2')
        .replace(/^-+|-+$/g, '')

/**
 * Builds lookup keys. The first letter selects the index: `p` set and number, `n` number alone, `w` number as printed,
 * `b` beginning of the number as printed, `t` number in a set with a declared total.
 */
export const searchKey = {
  place: (game: string, setAndNumber: string): string => `p${game}:${foldNumber(setAndNumber)}`,
  number: (game: string, number: string): string => `n${game}:${foldNumber(number)}`,
  printed: (game: string, printed: string): string => `w${game}:${lower(printed)}`,
  beginning: (game: string, printed: string): string => `b${game}:${lower(printed)}`,
  total: (game: string, number: string, total: number): string => `t${game}:${String(total)}:${foldNumber(number)}`
} as const

/** Lowers only A to Z, as the database does in the collation `C`. */
const lower = (text: string): string =>
  /^[ -~]*$/.test(text) ? text.toLowerCase() : text.replace(/[A-Z]/g, letter => letter.toLowerCase())

/**
 * Returns the columns `place_key`, `number_key` and `printed_key` of a card, by which it is searched within its game.
 * The number in the SKU lacks the part that it shares with the set.
 */
export function searchColumns({
  sku,
  game,
  card_number: printed
}: Readonly<{ sku: string; game: string; card_number: string }>): [place: string, number: string, printed: string] {
  const [, set = '', number = ''] = (sku.includes('~') ? sku.replace(/~[0-9a-f]{2}/g, '.') : sku).split('-', 3)
  const key = foldNumber(number)
  return [`${game}:${joined(foldSet(set), key)}`, `${game}:${key}`, `${game}:${lower(printed)}`]
}

/** The last set and its key. Consecutive cards usually belong to the same set, so the key is reused. */
let latest = { set: '', key: '' }

function foldSet(set: string): string {
  if (latest.set !== set) latest = { set, key: foldNumber(set) }
  return latest.key
}

/** Joins two normalised texts; the hyphen between them stays only between two letters or two digits. */
function joined(set: string, number: string): string {
  if (set === '' || number === '') return set + number
  return /[0-9]$/.test(set) === /^[0-9]/.test(number) ? `${set}-${number}` : set + number
}
