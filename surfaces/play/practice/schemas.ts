import type { TObject } from 'typebox'
import { Type, closed, Count, nullable, Path, Text, type DataOf } from 'pantry/data'
import { actionTypes, outcomes } from './rules.ts'
import { levels, players } from './state.ts'

const Instance = Type.String({
  pattern: '^p[12]_(leader|c[0-9]+|s[0-9]+)$',
  description: 'Name of one card on the field.'
})
const CardNumber = Type.String({ description: 'Card number as printed, such as `OP01-001`.' })
const PlayerName = Type.Enum([...players])
const Orientation = Type.Enum(['active', 'rested'])

const CardId = Type.String({ minLength: 1, maxLength: 60 })
const Deck = closed({
  leader_id: CardId,
  main_deck_card_ids: Type.Array(CardId, {
    minItems: 1,
    maxItems: 120,
    description: 'Fifty card numbers or SKUs, each as often as it stands in the deck.'
  })
})

type TextOptions = Readonly<{ minLength?: number; maxLength?: number; description?: string }>
const OptionalText = (options: TextOptions) => Type.Optional(Type.String(options))

const move = {
  type: Type.Enum([...actionTypes]),
  redraw: Type.Optional(Type.Boolean({ description: 'For `mulligan`.' })),
  card_number: Type.Optional(
    nullable(Type.String({ maxLength: 60, description: 'For `play` and `counter`; null counters no further.' }))
  ),
  replace: OptionalText({
    maxLength: 20,
    description: 'For `play` and `trigger`: the Character that makes room among five.'
  }),
  instance: Type.Optional(
    nullable(Type.String({ maxLength: 20, description: 'For `attach_don` and `block`; null does not block.' }))
  ),
  attacker: OptionalText({ maxLength: 20 }),
  target: OptionalText({ maxLength: 20 }),
  use: Type.Optional(Type.Boolean({ description: 'For `trigger`.' }))
}

export const RequestSchema = closed({
  op: Type.Enum(['new', 'move', 'look'], {
    description: '`new` deals a match, `move` plays on, `look` shows a game that you kept.'
  }),
  starter_id: OptionalText({
    maxLength: 60,
    description: 'Your deck, by the id of one of ours; the first of them when nothing is said.'
  }),
  deck: Type.Optional({ ...Deck, description: 'Your deck, instead of `starter_id`.' }),
  opponent_starter_id: OptionalText({ maxLength: 60, description: "The opponent's deck, by the id of one of ours." }),
  opponent_deck: Type.Optional({ ...Deck, description: "The opponent's deck, instead of `opponent_starter_id`." }),
  level: Type.Optional(
    Type.Enum([...levels], { description: 'How well the opponent plays; `normal` when nothing is said.' })
  ),
  goes_first: Type.Optional(
    Type.Enum(['you', 'opponent', 'toss'], { description: 'Who begins; `toss` leaves it to the seed.' })
  ),
  seed: OptionalText({
    minLength: 1,
    maxLength: 64,
    description: 'The same seed, decks, level and moves make the same match.'
  }),
  game: Type.Optional(
    Type.Object(
      { sealed: Type.String({ minLength: 1, maxLength: 32_768 }) },
      { additionalProperties: true, description: 'The game as the last answer gave it, or its `sealed` alone.' }
    )
  ),
  move: Type.Optional(closed(move, 'One of `legal_actions[].move`.'))
})

const unit = {
  instance: Instance,
  card_number: CardNumber,
  power: Type.Integer(),
  orientation: Orientation,
  given_don: Count
}
const SideView = closed({
  leader: closed(unit),
  characters: Type.Array(closed({ ...unit, played_on_turn: Type.Integer({ minimum: 1 }) }), { maxItems: 5 }),
  stage: nullable(closed({ instance: Instance, card_number: CardNumber, orientation: Orientation })),
  cost_area: closed({ active: Count, rested: Count }),
  don_deck: Count,
  hand: Count,
  deck: Count,
  life: Count,
  trash: Type.Array(CardNumber)
})

const StateView = closed(
  {
    match_id: Text,
    turn_number: Count,
    turn_player: PlayerName,
    phase: Type.Enum(['setup', 'draw', 'main']),
    combat: nullable(
      closed({
        step: Type.Enum(['block', 'counter', 'damage']),
        attacker: Instance,
        target: Instance,
        power_added_to_attacker: Type.Integer(),
        power_added_to_target: Type.Integer()
      })
    ),
    players: closed({ player_1: SideView, player_2: SideView }),
    result: nullable(
      closed({ winner: PlayerName, reason: Type.Enum(['leader_damage_at_zero_life', 'deck_out', 'concession']) })
    )
  },
  'The state of a match as `/api/v1/play/game-state-schema` describes it.'
)

const gameView = {
  you: PlayerName,
  level: Type.Enum([...levels]),
  first_player: PlayerName,
  state: StateView,
  hand: Type.Array(CardNumber, { description: 'Your hand.' }),
  decision: nullable(
    Type.Enum(['mulligan', 'main', 'block', 'counter', 'trigger'], {
      description: 'What you decide now; null when the match is over.'
    })
  ),
  life_card_shown: nullable(CardNumber)
}

const Game = closed({
  ...gameView,
  sealed: Type.String({
    description: 'The whole match, readable by this installation only. Everything else of the game is computed from it.'
  })
})

/** What the caller may know about a match. */
export type GameView = DataOf<TObject<typeof gameView>>

const LegalAction = closed({
  move: closed(move),
  label: Text,
  preview: nullable(
    closed({ attack: Type.Integer(), defense: Type.Integer(), outcome: Type.Enum([...outcomes]), damage: Count })
  )
})

const CardView = closed({
  name: Text,
  category: nullable(Text),
  colours: nullable(Type.Array(Text)),
  cost: nullable(Count),
  power: nullable(Count),
  counter: nullable(Count),
  life: nullable(Count),
  keywords: Type.Array(Text),
  trigger: nullable(Type.Enum(['play', 'other']))
})

const DeckView = closed({
  starter_id: nullable(Text),
  title: nullable(Text),
  leader_id: CardNumber,
  list_status: Type.Enum(['starter-like', 'given'])
})
export type DeckView = DataOf<typeof DeckView>

export const ReplySchema = closed({
  '@kind': Type.Literal('practice_match_step'),
  game: Game,
  new_log: Type.Array(closed({ text: Text, actor: Type.Enum(['you', 'opponent', 'board']) }), {
    description: 'What happened since your last move.'
  }),
  events: Type.Array(Type.Object({ offset: Count, kind: Text }, { additionalProperties: true }), {
    description: 'The same as typed events of the contract; what lies hidden is counted, not named.'
  }),
  legal_actions: Type.Array(LegalAction),
  finished: Type.Boolean(),
  winner: nullable(Type.Enum(['you', 'opponent'])),
  seed: nullable(Type.String({ description: 'Told when the match is over: with it the match can be dealt again.' })),
  cards: Type.Record(Text, CardView, { description: 'The cards you can see now, by number.' }),
  level: closed({ id: Type.Enum([...levels]), title: Text, plays: Text }),
  decks: Type.Optional(closed({ you: DeckView, opponent: DeckView })),
  starters: Type.Optional(
    Type.Array(closed({ id: Text, title: Text, description: Text, leader_id: CardNumber, list_status: Text }))
  ),
  stateless_referee: closed({ note: Text, rules: Type.Array(Path) }),
  effects_not_played: closed({ note: Text, not_played: Type.Array(Text), played: Type.Array(Text) }),
  _links: Type.Record(Text, Path)
})

export type PracticeReply = DataOf<typeof ReplySchema>
export type SideView = DataOf<typeof SideView>
