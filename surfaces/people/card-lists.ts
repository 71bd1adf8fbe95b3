import { closed, cutWhole, invalid, isObject, Text, Type, type DataOf, type JsonObject } from 'pantry/data'
import type { Catalogue } from '../cards/catalogue.ts'
import type { Game } from '../cards/games.ts'
import { findCards, findInGames, inLanguage, type CardMatches } from '../cards/search/find-cards.ts'
import type { NumberIndex } from '../cards/search/number-index.ts'
import { resolveSkus } from '../cards/sku.ts'
import { tableRows, type Dialect } from '../import/reading/table-rows.ts'
import type { Imported, ListName } from './collector-schemas.ts'
import { lockPerson, Repository } from '../common/repository.ts'

/** A pasted line with its quantity and card; without these if the line is invalid. */
type ListLine = Readonly<
  { line: number; text: string; quantity: number; card: string } | { line: number; text: string; quantity?: undefined }
>

/** Maximum length of a line in characters; a longer one is no card. */
const maxLineLength = 200

/** Maximum quantity in one line; a larger one is probably a typing error. */
const maxQuantity = 999

/** Matches `2 OP01-001`, `2x OP01-001`, `2xOP01-001`, `OP01-001 x2` or `OP01-001`. */
const forms = [
  // Simulators write no space before a number of letters and digits.
  /^(?<quantity>\d{1,4})[x×](?<card>\p{L}+\d.*)$/iu,
  /^(?<quantity>\d{1,4})\s*[x×]?\s+(?<card>\S.*)$/iu,
  /^(?<card>\S.*?)\s+[x×]\s*(?<quantity>\d{1,4})$/iu,
  /^(?<card>\S.*)$/u
]

/**
 * Reads the lines of a pasted list, without empty lines and comments (`#`, `//`). A line without a quantity is for one
 * card. A line that is too long is invalid, and so is one with a quantity of 0 or of `maxQuantity` + 1 to 9999.
 */
export function readLines(pasted: string): readonly ListLine[] {
  return pasted.split(/\r\n|\r|\n/).flatMap((raw, index): readonly ListLine[] => {
    const [line, text] = [index + 1, raw.trim()]
    if (text === '' || text.startsWith('#') || text.startsWith('//')) return []
    // The length is checked before the regular expressions, because they take quadratic time.
    if (text.length > maxLineLength) return [{ line, text: text.slice(0, maxLineLength) }]
    const groups = forms.map(form => form.exec(text)?.groups).find(found => found !== undefined)
    const [quantity, card] = [Number(groups?.['quantity'] ?? 1), groups?.['card']?.trim() ?? '']
    return card === '' || card.length > 160 || quantity < 1 || quantity > maxQuantity
      ? [{ line, text }]
      : [{ line, text, quantity, card }]
  })
}

/**
 * Replaces a line of a pasted text. `choice`: the number of the line, from 1, and its new text; the text stays if it
 * has another form.
 */
export function withChoice(text: string, choice: string): string {
  const [, number, chosen] = /^(\d+) (.+)$/.exec(choice) ?? []
  return chosen === undefined
    ? text
    : text
        .split('\n')
        .map((line, index) => (index + 1 === Number(number) ? chosen : line))
        .join('\n')
}

/** The maximum number of different cards on a list, and of lines in a paste. */
export const maxCards = 2_000
export const maxLines = 200

const Sku = closed({ sku: Text })
const CardOnList = closed({ list: Text, sku: Text, quantity: Type.Integer() })

export class CardLists extends Repository {
  async of(person: string) {
    return await this.rows(
      CardOnList,
      this.knex('list_cards').select('list', 'sku', 'quantity').where({ person }).orderBy(['list', 'sku'])
    )
  }

  /**
   * Puts cards on a list. A card that is already on it gets the new quantity. Returns the given SKUs that are on the
   * list now: fewer if it is full.
   */
  async put(person: string, list: ListName, cards: ReadonlyMap<string, number>): Promise<ReadonlySet<string>> {
    return await this.knex.transaction(async transaction => {
      await lockPerson(transaction, person)
      const cardsOnList = transaction('list_cards').select('sku').where({ person, list })
      const onList = new Set((await this.rows(Sku, cardsOnList)).map(({ sku }) => sku))
      const skus = [...cards.keys()]
      const added = skus.filter(sku => !onList.has(sku)).slice(0, maxCards - onList.size)
      const kept = new Set([...skus.filter(sku => onList.has(sku)), ...added])
      if (kept.size > 0) {
        await transaction('list_cards')
          .insert([...kept].map(sku => ({ person, list, sku, quantity: cards.get(sku) ?? 1 })))
          .onConflict(['person', 'list', 'sku'])
          .merge(['quantity'])
      }
      return kept
    })
  }

  /** Removes one card from a list, or all without `sku`. Returns their number. */
  async remove(person: string, list: ListName, sku: string | undefined): Promise<number> {
    return await this.knex('list_cards')
      .where({ person, list, ...(sku === undefined ? {} : { sku }) })
      .delete()
  }
}

type Line = DataOf<typeof Imported>['lines'][number]

/** Where cards are searched; without `game` or `lang` in all of them. */
type SearchScope = Readonly<{
  catalogue: Pick<Catalogue, 'cardsInBrief'>
  index: NumberIndex
  games: readonly Game[]
  game: Game | undefined
  lang: string | undefined
}>

const maxCandidates = 10

async function find(text: string, { index, games, game, lang }: SearchScope): Promise<CardMatches> {
  if (!/[\p{L}\p{N}]/u.test(text)) return { matches: [], more: false }
  const found = game === undefined ? await findInGames(index, games, text) : await findCards(index, game, text)
  return lang === undefined ? found : inLanguage(found, lang)
}

/**
 * Of printings that differ only in their variant, keeps the ordinary one if it is among them, because the plain number
 * refers to it.
 */
function ordinary(skus: readonly string[]): readonly string[] {
  const held = new Set(skus)
  return skus.filter(sku => {
    const plain = sku.split('-', 4).join('-')
    return sku === plain || !held.has(plain)
  })
}

/** Puts the cards of a pasted list on a list. Returns a result for every line that is neither empty nor a comment. */
export async function importLines(
  person: string,
  list: ListName,
  text: string,
  scope: SearchScope,
  lists: Pick<CardLists, 'put'>
): Promise<DataOf<typeof Imported>> {
  const read = readLines(text)
  const resolved = await resolveSkus(
    read.map(line => (line.quantity === undefined ? '' : line.card)),
    skus => scope.catalogue.cardsInBrief(skus)
  )
  const lines: Line[] = []
  for (const [index, line] of read.entries()) {
    const common = { line: line.line, text: line.text, sku: null, quantity: line.quantity ?? null, candidates: [] }
    if (line.quantity === undefined) {
      lines.push({ ...common, status: 'invalid' })
      continue
    }
    const sku = resolved[index]
    const skus =
      sku?.status === 'found'
        ? [sku.sku]
        : sku?.status === 'ambiguous'
          ? sku.candidates
          : ordinary(
              (await find(line.card, scope)).matches
                .filter(({ confidence }) => confidence === 'exact')
                .map(({ card }) => card.sku)
            )
    lines.push(
      skus[0] === undefined
        ? { ...common, status: 'not_found' }
        : skus.length === 1
          ? { ...common, status: 'added', sku: skus[0] }
          : { ...common, status: 'ambiguous', candidates: skus.slice(0, maxCandidates) }
    )
  }
  const quantities = new Map<string, number>()
  for (const { sku, quantity } of lines)
    if (sku !== null) quantities.set(sku, Math.min(maxCards, (quantities.get(sku) ?? 0) + (quantity ?? 1)))
  const kept = await lists.put(person, list, quantities)
  const results = lines.map((line): Line =>
    line.sku === null || kept.has(line.sku) ? line : { ...line, status: 'full' }
  )
  return { list, added: results.filter(({ status }) => status === 'added').length, lines: results }
}

/** An uploaded list. Some browsers report CSV files as `application/vnd.ms-excel`. */
export const listFile = {
  types: ['text/plain', 'text/csv', 'application/vnd.ms-excel'],
  limitBytes: 40_000,
  description: `The list as a file: lines as in \`text\`, or a table (CSV) whose first line names a column \`sku\` or \`number\`, and perhaps one \`quantity\`; ${maxLines} lines at most. Of a table nothing else is read.`
}

const cardColumns = ['sku', 'number', 'card number', 'card no', 'collector number', 'card code', 'code']
const quantityColumns = ['quantity', 'qty', 'count', 'copies']

/** The number of columns from which a first line counts as a table, and not as a card name with commas. */
const minColumns = 3

const delimiters: readonly Dialect['delimiter'][] = [',', ';', '\t']

const rowsOf = (text: string, delimiter: Dialect['delimiter']) => cutWhole(text, tableRows({ delimiter, quotes: true }))

/**
 * Returns the names of the columns in the first line of a table. It is parsed twice, as header and as row, because only
 * a row has the names.
 */
const columnsOf = (first: string, delimiter: Dialect['delimiter']): readonly string[] =>
  Object.keys(rowsOf(`${first}\n${first}`, delimiter)[0]?.row ?? {})

const plain = (name: string): string => name.replaceAll('"', '').trim().toLowerCase().replaceAll('_', ' ')

/** Returns the text of the first of these columns that is not empty. */
const cellOf = (row: JsonObject, columns: readonly string[]): string | undefined =>
  columns
    .map(column => Object.entries(row).find(([name]) => plain(name) === column)?.[1])
    .flatMap(cell => (typeof cell === 'string' && cell.trim() !== '' ? [cell.replaceAll(/\s+/g, ' ').trim()] : []))[0]

/**
 * Returns a row of a table as a line of a pasted list: quantity and card. All other columns, such as prices, are
 * dropped.
 */
function lineOf(row: JsonObject, number: number): string {
  // A numeric SKU is the article number of a shop.
  const named = cellOf(row, ['sku'])
  const card = named === undefined || /^\d+$/.test(named) ? (cellOf(row, cardColumns.slice(1)) ?? named) : named
  const [, quantity] = /^(\d{1,3})(?:[.,]0{1,2})?$/.exec(cellOf(row, quantityColumns) ?? '1') ?? []
  if (card === undefined) return `Row ${number} names no card.`
  return quantity === undefined ? `Row ${number} has a quantity that is no whole number.` : `${quantity} ${card}`
}

/** Returns the rows of a table as lines of a pasted list; undefined if the text is not a table. */
function linesOfTable(text: string, isTable: boolean): readonly string[] | undefined {
  const [first = ''] = text.split('\n', 1)
  const columns = delimiters.map(delimiter => columnsOf(first, delimiter))
  const at = columns.findIndex(names => names.some(name => cardColumns.includes(plain(name))))
  if (at === -1 && !isTable && columns.every(names => names.length < minColumns)) return undefined
  if (at === -1) throw invalid('file', 'The first line of the table names no column of a card.', cardColumns)
  // Spreadsheets end with empty rows.
  const rows = rowsOf(text, delimiters[at] ?? ',').filter(({ row }) => Object.keys(row).length > 0)
  if (rows.length === 0) throw invalid('file', 'The table has no rows.')
  return rows.map(({ row, problem }, index) => {
    if (problem !== undefined) throw invalid('file', `Row ${index + 1} of the table cannot be read. ${problem}`)
    return lineOf(isObject(row) ? row : {}, index + 1)
  })
}

/** Joins a pasted list with the lines of an uploaded file. */
export function joinLists(text: string, file: Readonly<{ type: string; text: () => string }> | undefined): string {
  if (file === undefined) return text
  const content = file
    .text()
    .replaceAll(/\r\n?/g, '\n')
    // Removes the line with which spreadsheets declare the delimiter.
    .replace(/^"?sep=."?\n/i, '')
    .replace(/^\n+/, '')
  const rows = linesOfTable(content, file.type !== 'text/plain')
  return [text.trimEnd(), rows === undefined ? content : rows.join('\n')].filter(one => one.trim() !== '').join('\n')
}
