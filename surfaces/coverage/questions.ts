import type { DataOf, PathTo } from 'pantry/data'
import type { Source } from '../import/source.ts'
import type { Game } from '../cards/games.ts'
import { counted } from '../words.ts'
import type { Look, FindingTarget } from './candidate.ts'
import type { PartialSet } from './coverage-store.ts'

/** The sources and games, for their names in a question. */
type KnownNames = Readonly<{ sources: ReadonlyMap<string, Source>; games: readonly Game[] }>

const gameName = ({ games }: KnownNames, token: string): string =>
  games.find(game => game.token === token)?.name ?? token
const sourceName = ({ sources }: KnownNames, id: string): string => sources.get(id)?.label ?? id
const setName = (named: KnownNames, game: string, code: string, name: string | null): string =>
  `${name === null ? `the set ${code}` : `${name} (${code})`} of ${gameName(named, game)}`
const many = (count: number, one: string): string => `${counted(count)} ${one}${count === 1 ? '' : 's'}`

const mostRuns = 12

/** Writes ranges of numbers in words: `3, 8 to 11 and 20`. */
function runsText(runs: readonly (readonly number[])[]): string {
  const told = runs
    .slice(0, mostRuns)
    .map(([first = 0, last = 0]) =>
      first === last ? String(first) : `${first}${last === first + 1 ? ',' : ' to'} ${last}`
    )
  const rest = runs.slice(mostRuns).reduce((sum, [first = 0, last = 0]) => sum + last - first + 1, 0)
  const all = rest === 0 ? told : [...told, `${counted(rest)} more`]
  return all.length === 1 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`
}

type SetOf = Readonly<{ game: string; set_code: string; name: string | null }>

/**
 * Functions that phrase the question for each rule. No question states an age, so that it stays the same while only
 * time passes.
 */
export const questions = {
  gaps: (
    named: KnownNames,
    { game, set_code: code, name, lowest, highest, unseen, gaps, declared_total: total }: DataOf<typeof PartialSet>
  ): string =>
    `Of the numbers ${lowest ?? 0} to ${highest ?? 0} of ${setName(named, game, code, name)}, all were seen but ${runsText(gaps)}.${total === null ? '' : ` A total of ${counted(total)} is declared.`} ${unseen === 1 ? 'Does it' : 'Do they'} exist?`,
  total: (
    named: KnownNames,
    { game, set_code: code, name, numbers, lowest, highest, declared_total: total }: DataOf<typeof PartialSet>
  ): string =>
    `${many(numbers, 'number')} of ${setName(named, game, code, name)} were seen${lowest === null ? '' : `, ${lowest} to ${highest ?? 0} without a gap`}, and ${many(total ?? 0, 'card')} are declared. Are there more numbers, or does the total count something else, such as copies in a deck?`,
  missing: (
    named: KnownNames,
    {
      game,
      set_code: code,
      name,
      source,
      declared_total: total
    }: SetOf & Readonly<{ source: string; declared_total: number | null }>
  ): string =>
    `${sourceName(named, source)} lists ${setName(named, game, code, name)}${total === null ? '' : `, with ${many(total, 'card')}`}, and no card of it was seen. Was it published, and under which code?`,
  unseen: (
    named: KnownNames,
    { game, set_code: code, name, source, cards }: SetOf & Readonly<{ source: string; cards: number }>
  ): string =>
    `${sourceName(named, source)} showed ${setName(named, game, code, name)}, of which ${many(cards, 'card')} are held, and shows it no more. Was it withdrawn, renamed, or lost?`,
  stale: (named: KnownNames, game: string, source: string): string =>
    `Nothing new of ${gameName(named, game)} came from ${sourceName(named, source)} for longer than it should. Has its upstream published anything since?`,
  absent: (named: KnownNames, game: string, source: string): string =>
    `${sourceName(named, source)} declares ${gameName(named, game)}, and no card of it was seen. Does it hold any?`,
  gate: (named: KnownNames, game: string, source: string, cards: number): string =>
    `${many(cards, 'card')} of ${gameName(named, game)} were seen through ${sourceName(named, source)}, which is closed now. What do they rest on?`,
  undeclared: (named: KnownNames, game: string, source: string, cards: number): string =>
    `${sourceName(named, source)} showed ${many(cards, 'card')} of ${gameName(named, game)}, which it does not declare. Is its declaration incomplete, or are they cards of another game?`,
  disagreement: (
    named: KnownNames,
    { game, field, cards, sku }: Readonly<{ game: string; field: string; cards: number; sku: string }>
  ): string =>
    `Sources state different values of ${field} for ${many(cards, 'card')} of ${gameName(named, game)}, the first of them ${sku}. Which is right?`,
  unassigned: (
    named: KnownNames,
    { source, rows, sku }: Readonly<{ source: string; rows: number; sku: string | null }>
  ): string =>
    `${many(rows, 'row')} of ${sourceName(named, source)} could not be kept, though no other row says the same.${sku === null ? '' : ` One claims to be ${sku}, which another row already is: are they two cards, or which of them is right?`}${sku === null ? ' What is wrong with them?' : ''}`
} as const

/** Returns where an answer can be found: pages of this service, the upstream, and what the publisher prints. */
export function placesToLook(
  { sources, games }: KnownNames,
  { game_code: token, source_id: id, set_code: set, sku }: FindingTarget,
  isHeld: boolean,
  pathTo: PathTo
): readonly Look[] {
  const [game, source] = [games.find(one => one.token === token), id === undefined ? undefined : sources.get(id)]
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
        one =>
          one.access === 'wired' &&
          (source === undefined ? token !== undefined && one.games.includes(token) : one === source) &&
          one.upstream.url !== undefined
      )
      .slice(0, 4)
      .map(({ upstream: { name, url = null } }) => ({ what: `The upstream ${name}`, url })),
    ...(game === undefined ? [] : [{ what: `What ${game.publisher} publishes of ${game.name}`, url: null }])
  ]
}
