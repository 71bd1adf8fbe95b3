import type { DataOf } from 'pantry/data'
import { resolveSkus } from '../cards/resolve-sku.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { findCards, findInGames, inLanguage, type Findings } from '../search/find-cards.ts'
import type { Game } from '../search/game-directory.ts'
import type { SearchIndex } from '../catalogue/search-index.ts'
import { mostCards, type CardLists } from './lists.ts'
import { readLines } from './read-lines.ts'
import type { Imported, ListName } from './schemas.ts'

type Line = DataOf<typeof Imported>['lines'][number]

/** The scope of the search for cards: `game` and `lang` restrict it, undefined means all. */
type Where = Readonly<{
  catalogue: Pick<Catalogue, 'cardsInBrief'>
  index: SearchIndex
  games: readonly Game[]
  game: Game | undefined
  lang: string | undefined
}>

const mostCandidates = 10

/** Finds the cards for a text that is not a SKU. */
async function find(text: string, { index, games, game, lang }: Where): Promise<Findings> {
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

/**
 * Reads a pasted list and puts the cards that are found on a list of the person. Returns a result for every line that
 * is not empty.
 */
export async function importLines(
  person: string,
  list: ListName,
  text: string,
  where: Where,
  lists: Pick<CardLists, 'put'>
): Promise<DataOf<typeof Imported>> {
  const read = readLines(text)
  const resolved = await resolveSkus(
    read.map(line => (line.quantity === undefined ? '' : line.card)),
    skus => where.catalogue.cardsInBrief(skus)
  )
  const lines: Line[] = []
  for (const [at, one] of read.entries()) {
    const told = { line: one.line, text: one.text, sku: null, quantity: one.quantity ?? null, candidates: [] }
    const by = resolved[at]
    if (one.quantity === undefined) lines.push({ ...told, status: 'invalid' })
    else if (by?.status === 'found') lines.push({ ...told, status: 'added', sku: by.sku })
    else if (by?.status === 'ambiguous')
      lines.push({ ...told, status: 'ambiguous', candidates: [...by.candidates].slice(0, mostCandidates) })
    else {
      const sure = ordinary(
        (await find(one.card, where)).matches
          .filter(({ confidence }) => confidence === 'exact')
          .map(({ card }) => card.sku)
      )
      const [only, ...more] = sure
      lines.push(
        only === undefined
          ? { ...told, status: 'not_found' }
          : more.length === 0
            ? { ...told, status: 'added', sku: only }
            : { ...told, status: 'ambiguous', candidates: sure.slice(0, mostCandidates) }
      )
    }
  }
  const wanted = new Map<string, number>()
  for (const { sku, quantity } of lines)
    if (sku !== null) wanted.set(sku, Math.min(mostCards, (wanted.get(sku) ?? 0) + (quantity ?? 1)))
  const kept = await lists.put(person, list, wanted)
  const answered = lines.map((line): Line =>
    line.sku === null || kept.has(line.sku) ? line : { ...line, status: 'full' }
  )
  return { list, added: answered.filter(({ status }) => status === 'added').length, lines: answered }
}
