/** What is near to lines that mean no card that is held. */
import type { Game } from '../cards/games.ts'
import { nameKey } from '../cards/search/fold-name.ts'
import { completeName } from '../cards/search/match-names.ts'
import type { FoundName, NameIndex } from '../cards/search/name-index.ts'
import { searchKey, type FoundCard } from '../cards/search/number-index.ts'
import { maxNearest, rowsThatAre, setNamesOf, type MatchScope } from './line-rows.ts'
import type { ListLine } from './list-text.ts'

/** The most names that are near to one. */
const maxNames = 3

/** The most different names that are looked for with typing mistakes at once, because each takes several queries. */
export const mostMistaken = 100

/** Returns names that are near to a key of `nameKey`: what is suggested for it, or else for its first word. */
async function namesNear(names: NameIndex, key: string, game: string | undefined): Promise<readonly FoundName[]> {
  const completed = (await completeName(names, key, game)).map(({ found }) => found)
  const found = completed.length > 0 ? completed : await names.suggested(key.split(' ')[0] ?? '', game)
  return found.slice(0, maxNames)
}

/** Returns the SKU of a card of each name, for lines that say more than a name one that fits this, if there is one. */
async function skusOfNames(
  lines: readonly ListLine[],
  found: readonly (readonly FoundName[])[],
  scope: MatchScope
): Promise<readonly (readonly string[])[]> {
  const pairs = lines.flatMap((line, at) =>
    line.set === null && line.set_name === null && line.number === null
      ? []
      : (found[at] ?? []).map(name => ({ line, name }))
  )
  const rows = await scope.names.numbersOfEach(pairs.map(({ name }) => [name]))
  const asked = pairs.map(({ line }) => line)
  const setNames = await setNamesOf(asked, rows, scope)
  const fitting = new Map<ListLine, Map<FoundName, string>>()
  for (const [at, { line, name }] of pairs.entries()) {
    const all = rows[at] ?? []
    const fit = rowsThatAre(line, all, setNames).rows
    // Where none fits, the first card of the name stands for it.
    const [row] = fit.length < all.length ? fit : []
    if (row !== undefined) fitting.set(line, (fitting.get(line) ?? new Map<FoundName, string>()).set(name, row.sku))
  }
  return lines.map((line, at) => (found[at] ?? []).map(name => fitting.get(line)?.get(name) ?? name.sku))
}

/**
 * Finds what is near to each line that means no card: names with typing mistakes corrected as a search does it, and
 * beginnings of numbers. Undefined for a line with a name that is not among the first `mostMistaken`.
 */
export async function findNear(
  lines: readonly ListLine[],
  scope: MatchScope,
  games: readonly Game[]
): Promise<readonly (readonly FoundCard[] | undefined)[]> {
  const { index, names, game } = scope
  const keys = lines.map(({ name }) => (name === null ? '' : nameKey(name)))
  const sought = [...new Set(keys)].filter(key => key !== '').slice(0, mostMistaken)
  // Digits alone begin numbers of every game.
  const starts = lines.map(({ number }) =>
    number === null || number.length < 3 || (game === undefined && /^\d+$/.test(number))
      ? []
      : games.map(({ token }) => searchKey.beginning(token, number.slice(0, -1)))
  )
  const [byStart, byName] = await Promise.all([
    index.findEach(starts.flat(), maxNearest),
    Promise.all(sought.map(async key => [key, await namesNear(names, key, game?.token)] as const))
  ])
  const found = new Map(byName)
  const skus = await skusOfNames(
    lines,
    keys.map(key => found.get(key) ?? []),
    scope
  )
  const cards = new Map((await index.ofSkus([...new Set(skus.flat())])).map(card => [card.sku, card]))
  let at = 0
  return lines.map((_, line) => {
    const numbered = (starts[line] ?? []).flatMap(() => byStart[at++] ?? [])
    const named = (skus[line] ?? []).flatMap(sku => cards.get(sku) ?? [])
    const key = keys[line] ?? ''
    const all = new Map([...named, ...numbered].map(card => [card.sku, card]))
    return key !== '' && !found.has(key) ? undefined : [...all.values()].slice(0, maxNearest)
  })
}
