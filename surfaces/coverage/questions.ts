import type { DataOf, PathTo } from 'pantry/data'
import type { Source } from '../import/source.ts'
import type { Game } from '../cards/games.ts'
import { formatCount } from '../common/words.ts'
import type { Look, FindingTarget } from './candidate.ts'
import type { PartialSet } from './coverage-store.ts'

type KnownNames = Readonly<{ sources: ReadonlyMap<string, Source>; games: readonly Game[] }>

const many = (count: number, one: string): string => `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`

const maxRanges = 12

/**
 * Writes ranges of numbers: `3, 8 to 11 and 20`. After the first `maxRanges` ranges only the count of numbers follows.
 */
function rangesText(runs: readonly (readonly number[])[]): string {
  const texts = runs
    .slice(0, maxRanges)
    .map(([first = 0, last = 0]) =>
      first === last ? String(first) : `${first}${last === first + 1 ? ',' : ' to'} ${last}`
    )
  const rest = runs.slice(maxRanges).reduce((sum, [first = 0, last = 0]) => sum + last - first + 1, 0)
  const all = rest === 0 ? texts : [...texts, `${formatCount(rest)} more`]
  return all.length === 1 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`
}

type NamedSet = Readonly<{ game: string; set_code: string; name: string | null }>

/**
 * Returns a function for each kind of question. No question states an age, so that it stays the same while only time
 * passes.
 */
export function questionsOf({ sources, games }: KnownNames) {
  const gameName = (token: string): string => games.find(game => game.token === token)?.name ?? token
  const sourceName = (id: string): string => sources.get(id)?.label ?? id
  const setName = ({ game, set_code: code, name }: NamedSet): string =>
    `${name === null ? `the set ${code}` : `${name} (${code})`} of ${gameName(game)}`
  return {
    gaps: (set: DataOf<typeof PartialSet>) =>
      `Of the numbers ${set.lowest ?? 0} to ${set.highest ?? 0} of ${setName(set)}, all were seen but ${rangesText(set.gaps)}.${set.declared_total === null ? '' : ` A total of ${formatCount(set.declared_total)} is declared.`} ${set.unseen === 1 ? 'Does it' : 'Do they'} exist?`,
    total: (set: DataOf<typeof PartialSet>) =>
      `${many(set.numbers, 'number')} of ${setName(set)} were seen${set.lowest === null ? '' : `, ${set.lowest} to ${set.highest ?? 0} without a gap`}, and ${many(set.declared_total ?? 0, 'card')} are declared. Are there more numbers, or does the total count something else, such as copies in a deck?`,
    missing: (set: NamedSet & Readonly<{ source: string; declared_total: number | null }>) =>
      `${sourceName(set.source)} lists ${setName(set)}${set.declared_total === null ? '' : `, with ${many(set.declared_total, 'card')}`}, and no card of it was seen. Was it published, and under which code?`,
    unseen: (set: NamedSet & Readonly<{ source: string; cards: number }>) =>
      `${sourceName(set.source)} showed ${setName(set)}, of which ${many(set.cards, 'card')} are held, and shows it no more. Was it withdrawn, renamed, or lost?`,
    stale: (game: string, source: string) =>
      `Nothing new of ${gameName(game)} came from ${sourceName(source)} for longer than it should. Has its upstream published anything since?`,
    absent: (game: string, source: string) =>
      `${sourceName(source)} declares ${gameName(game)}, and no card of it was seen. Does it hold any?`,
    gate: (game: string, source: string, cards: number) =>
      `${many(cards, 'card')} of ${gameName(game)} were seen through ${sourceName(source)}, which is closed now. What do they rest on?`,
    undeclared: (game: string, source: string, cards: number) =>
      `${sourceName(source)} showed ${many(cards, 'card')} of ${gameName(game)}, which it does not declare. Is its declaration incomplete, or are they cards of another game?`,
    disagreement: ({
      game,
      field,
      cards,
      sku
    }: Readonly<{ game: string; field: string; cards: number; sku: string }>) =>
      `Sources state different values of ${field} for ${many(cards, 'card')} of ${gameName(game)}, the first of them ${sku}. Which is right?`,
    unassigned: ({ source, rows, sku }: Readonly<{ source: string; rows: number; sku: string | null }>) =>
      `${many(rows, 'row')} of ${sourceName(source)} could not be kept, though no other row says the same.${sku === null ? ' What is wrong with them?' : ` One claims to be ${sku}, which another row already is: are they two cards, or which of them is right?`}`
  }
}

/** Returns where to look: pages of this service, upstreams, and what the publisher of the game publishes. */
export function placesToLook(
  { sources, games }: KnownNames,
  { game_code: token, source_id: id, set_code: set, sku }: FindingTarget,
  isHeld: boolean,
  pathTo: PathTo
): readonly Look[] {
  const game = games.find(known => known.token === token)
  const source = id === undefined ? undefined : sources.get(id)
  return [
    ...(sku === undefined ? [] : [{ what: 'The printing as it is held here', url: pathTo('pages/product', { sku }) }]),
    ...(game === undefined || set === undefined || !isHeld
      ? []
      : [{ what: 'The set as it is held here', url: pathTo('pages/prices/set', { game: game.slug, set }) }]),
    ...(source === undefined
      ? []
      : [
          {
            what: `${source.label}: what it declares, and its last run`,
            url: pathTo('pages/sources/source', { id: source.id })
          }
        ]),
    ...[...sources.values()]
      .filter(
        known =>
          known.access === 'wired' &&
          (source === undefined ? token !== undefined && known.games.includes(token) : known === source) &&
          known.upstream.url !== undefined
      )
      .slice(0, 4)
      .map(({ upstream: { name, url = null } }) => ({ what: `The upstream ${name}`, url })),
    ...(game === undefined ? [] : [{ what: `What ${game.publisher} publishes of ${game.name}`, url: null }])
  ]
}
