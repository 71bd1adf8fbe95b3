import { invalid, SurfaceError } from 'pantry/data'
import { baseNumber, deckViolations, type DeckList, type DeckViolation } from '../deck-rules.ts'
import type { PlayCard } from '../play-card.ts'
import type { Printings } from '../printings.ts'
import type { DeckView } from './schemas.ts'
import { deckOf, type Starter } from './starters.ts'
import { players, type Player } from './state.ts'

type DecksAsked = Readonly<{
  starter_id?: string
  deck?: DeckList
  opponent_starter_id?: string
  opponent_deck?: DeckList
}>

/** A chosen deck and its origin; `field` is the request field that is named in errors. */
type Chosen = Readonly<{ list: DeckList; starter: Starter | undefined; field: string }>

type ChosenDecks = Readonly<{
  decks: Readonly<Record<Player, DeckList>>
  cards: ReadonlyMap<string, PlayCard>
  shown: Readonly<{ you: DeckView; opponent: DeckView }>
}>

function choose(
  field: string,
  list: DeckList | undefined,
  starterField: string,
  id: string | undefined,
  starters: readonly Starter[],
  otherwise: Starter | undefined
): Chosen {
  if (list !== undefined && id !== undefined) throw invalid(field, `Give either \`${field}\` or \`${starterField}\`.`)
  if (list !== undefined) return { list, starter: undefined, field }
  const starter = id === undefined ? otherwise : starters.find(held => held.id === id)
  if (starter === undefined)
    throw invalid(
      starterField,
      `There is no deck \`${id ?? ''}\`.`,
      starters.map(held => held.id)
    )
  return { list: deckOf(starter), starter, field: starterField }
}

/** Whether a Leader's Life is unknown or below 1, so that no Life cards could be placed. */
const lifeMissing = (leader: PlayCard | undefined): boolean => leader?.category === 'leader' && (leader.life ?? 0) < 1

/**
 * Throws INVALID_INPUT for a given deck that is not legal, and NOT_FOUND for a practice deck when the catalogue lacks
 * some of its cards.
 */
function check({ list, starter, field }: Chosen, cards: ReadonlyMap<string, PlayCard>): void {
  const violations: readonly DeckViolation[] = deckViolations(list, cards)
  const leader = cards.get(baseNumber(list.leader_id))
  if (starter !== undefined && (violations.length > 0 || lifeMissing(leader))) {
    throw new SurfaceError(
      'NOT_FOUND',
      `The catalogue does not hold all cards of the deck \`${starter.id}\`. A deck of cards that it holds can be given in \`deck\`.`,
      { details: { field, starter_id: starter.id } }
    )
  }
  if (violations.length > 0) {
    throw new SurfaceError('INVALID_INPUT', `\`${field}\` is not a legal deck: ${violations[0]?.message ?? ''}`, {
      details: { field, violations: violations.slice(0, 60) }
    })
  }
  if (lifeMissing(leader))
    throw invalid(
      `${field}.leader_id`,
      `The Life of ${leader?.name ?? 'this Leader'} is not known here, so the referee cannot lay it.`
    )
}

/** Returns the members of a card that the sealed state contains: only those that the rules need. */
const carried = ({
  number,
  name,
  category,
  colours,
  cost,
  power,
  counter,
  life,
  keywords,
  trigger
}: PlayCard): PlayCard => ({ number, name, category, colours, cost, power, counter, life, keywords, trigger })

/**
 * Returns the decks of a new match and their cards, read in one query. By default the opponent takes the next deck in
 * the list after the player's.
 */
export async function chooseDecks(
  asked: DecksAsked,
  starters: readonly Starter[],
  printings: Pick<Printings, 'read'>
): Promise<ChosenDecks> {
  const yours = choose('deck', asked.deck, 'starter_id', asked.starter_id, starters, starters[0])
  const next = starters[(starters.findIndex(({ id }) => id === yours.starter?.id) + 1) % starters.length]
  const theirs = choose(
    'opponent_deck',
    asked.opponent_deck,
    'opponent_starter_id',
    asked.opponent_starter_id,
    starters,
    next
  )
  const printed = await printings.read(
    [yours, theirs].flatMap(({ list }) => [list.leader_id, ...list.main_deck_card_ids])
  )
  const cards = new Map([...printed].map(([number, card]) => [number, carried(card)]))
  for (const chosen of [yours, theirs]) check(chosen, cards)
  const shown = ({ list, starter }: Chosen): DeckView => ({
    starter_id: starter?.id ?? null,
    title: starter?.title ?? null,
    leader_id: baseNumber(list.leader_id),
    list_status: starter?.list_status ?? 'given'
  })
  const [you, opponent] = players
  return {
    decks: { [you]: yours.list, [opponent]: theirs.list },
    cards,
    shown: { you: shown(yours), opponent: shown(theirs) }
  }
}
