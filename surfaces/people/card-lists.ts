import { closed, Text, Type, type DataOf } from 'pantry/data'
import { lockPerson, Repository } from '../common/repository.ts'
import { tableForms } from '../lists/forms.ts'
import type { MatchScope } from '../lists/line-rows.ts'
import { isTableFile } from '../lists/list-answers.ts'
import { matchList } from '../lists/match-list.ts'
import { readList, type ReadList } from '../lists/read-list.ts'
import type { Imported, ListName } from './collector-schemas.ts'

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

const maxCandidates = 10

/** Puts the cards of a pasted list on a list. Returns a result for every line that is neither empty nor a comment. */
export async function importLines(
  person: string,
  list: ListName,
  { lines: read }: ReadList,
  scope: MatchScope,
  lists: Pick<CardLists, 'put'>
): Promise<DataOf<typeof Imported>> {
  const lines = (await matchList(read, scope)).map(({ line, match }): Line => {
    const common = { line: line.line, text: line.text, sku: null, quantity: line.count ?? null, candidates: [] }
    if (match === undefined) return { ...common, status: 'invalid' }
    const { certainty, card, nearest } = match
    if (certainty === 'exact' && card !== undefined) return { ...common, status: 'added', sku: card.sku }
    return certainty === 'none'
      ? { ...common, status: 'not_found' }
      : { ...common, status: 'ambiguous', candidates: nearest.slice(0, maxCandidates).map(({ sku }) => sku) }
  })
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
  description: `The list as a file: lines as in \`text\`, or a table (CSV) of a program, or one whose first line names a column \`sku\` or \`number\`, and perhaps one \`quantity\`; ${maxLines} lines at most. Columns of prices, pictures and notes are not read.`
}

/** Joins a pasted list with the lines of an uploaded file; those of a table are written as text. */
export function joinLists(
  text: string,
  file: Readonly<{ field: string; type: string; text: () => string }> | undefined
): string {
  if (file === undefined) return text
  const content = file.text()
  const { form, lines } = readList(content, { isTable: isTableFile(file), field: file.field, most: maxLines })
  const isTable = tableForms.some(({ id }) => id === form)
  return [text.trimEnd(), isTable ? lines.map(line => line.text).join('\n') : content]
    .filter(one => one.trim() !== '')
    .join('\n')
}
