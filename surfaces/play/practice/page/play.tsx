import type { DataOf } from 'pantry/data'
import { defineForm, humanise, Type, type JsonObject, type JsonValue, type VNode } from 'pantry/page'
import { ReplySchema, type PracticeReply } from '../schemas.ts'
import { Board, Decision, questionOf } from './board.tsx'

const Text = Type.String()

/** The members of `/api/v1/play/practice` that the pages use. */
export const Guide = Type.Object({
  levels: Type.Array(Type.Object({ level: Text, plays: Text })),
  opponent_sees: Text,
  decisions: Type.Array(Type.Object({ decision: Text, when: Text })),
  what_is_hidden: Text,
  not_played: Type.Array(Text),
  why_not_played: Text,
  kept: Text
})

/** The members of `/api/v1/play/starters` that the pages use. */
export const Starters = Type.Object({ starters: Type.Array(Type.Object({ id: Text, title: Text, description: Text })) })

const field = (most: number) => Type.Optional(Type.String({ maxLength: most }))

/** Fields that the forms of a match carry along, so that another match can be started with the same setup. */
const setupNames = ['starter_id', 'opponent_starter_id', 'level', 'goes_first'] as const

/** The fields of the forms; the referee validates their values. */
const Fields = Type.Object({
  op: field(10),
  starter_id: field(60),
  opponent_starter_id: field(60),
  level: field(20),
  goes_first: field(20),
  seed: field(100),
  /** The text `game.sealed` of the last answer. */
  game: field(40_000),
  /** One of `legal_actions[].move`, as JSON. */
  move: field(300)
})
type Fields = DataOf<typeof Fields>

function moveOf(move: string): JsonValue {
  try {
    return JSON.parse(move) as JsonValue
  } catch {
    return move
  }
}

/** Returns the body of a request to the referee. For a new match, empty fields are left out. */
export function toBody({ op = '', game, move, seed, ...setup }: Fields): JsonObject {
  if (op === 'new')
    return { op, ...Object.fromEntries(Object.entries({ ...setup, seed }).filter(([, value]) => Boolean(value))) }
  return {
    op,
    // White space is removed, because a copied text may have been broken into lines.
    ...(game === undefined ? {} : { game: { sealed: game.replaceAll(/\s+/g, '') } }),
    ...(move === undefined ? {} : { move: moveOf(move) })
  }
}

const action = '/play/practice#log'

const Carried = ({ fields, game }: Readonly<{ fields: Fields; game?: string }>): VNode => (
  <>
    {setupNames.map(name =>
      fields[name] === undefined || fields[name] === '' ? null : (
        <input type="hidden" name={name} value={fields[name]} />
      )
    )}
    {game === undefined ? null : <input type="hidden" name="game" value={game} />}
  </>
)

type Choice = Readonly<{ value: string; label: string; more?: string }>

/** Radio buttons; the first is checked when `chosen` is not among the choices. */
const Choices = ({
  legend,
  name,
  choices,
  chosen
}: Readonly<{ legend: string; name: string; choices: readonly Choice[]; chosen: string | undefined }>): VNode => (
  <fieldset>
    <legend>{legend}</legend>
    {choices.map(({ value, label, more }) => (
      <label>
        <input
          type="radio"
          name={name}
          value={value}
          checked={value === (choices.find(choice => choice.value === chosen) ?? choices[0])?.value}
        />{' '}
        {label}
        {more === undefined ? null : <small>{more}</small>}
      </label>
    ))}
  </fieldset>
)

type SetupProps = Pick<DataOf<typeof Guide>, 'levels'> &
  DataOf<typeof Starters> &
  /** `fields`: the values chosen before. */
  Readonly<{ fields?: Fields }>

export const SetupForm = ({ starters, levels, fields = {} }: SetupProps): VNode => (
  <form method="post" action={action} class="setup">
    <input type="hidden" name="op" value="new" />
    <Choices
      legend="Your deck"
      name="starter_id"
      chosen={fields.starter_id}
      choices={starters.map(({ id, title, description }) => ({ value: id, label: title, more: description }))}
    />
    <Choices
      legend="How the opponent plays"
      name="level"
      chosen={fields.level ?? 'normal'}
      choices={levels.map(({ level, plays }) => ({ value: level, label: humanise(level), more: plays }))}
    />
    <Choices
      legend="Who begins"
      name="goes_first"
      chosen={fields.goes_first}
      choices={[
        { value: 'toss', label: 'A toss decides' },
        { value: 'you', label: 'You' },
        { value: 'opponent', label: 'The opponent' }
      ]}
    />
    <label>
      The opponent's deck
      <select name="opponent_starter_id">
        <option value="">The one after yours</option>
        {starters.map(({ id, title }) => (
          <option value={id} selected={id === fields.opponent_starter_id}>
            {title}
          </option>
        ))}
      </select>
    </label>
    <label>
      Seed, if you like{' '}
      <input
        type="text"
        name="seed"
        maxLength={64}
        value={fields.seed ?? ''}
        autocomplete="off"
        aria-describedby="seed-note"
      />
    </label>
    <p id="seed-note" class="note">
      Any text. The same seed with the same choices and moves makes the same match.
    </p>
    <button type="submit">Deal the cards</button>
  </form>
)

export const ResumeForm = ({ game = '' }: Readonly<{ game?: string | undefined }>): VNode => (
  <form method="post" action={action}>
    <input type="hidden" name="op" value="look" />
    <label>
      The text of the match{' '}
      <textarea name="game" rows={4} required maxLength={33_000} autocomplete="off">
        {game}
      </textarea>
    </label>
    <button type="submit" class="secondary">
      Go on with this match
    </button>
  </form>
)

const actors = { you: 'You', opponent: 'Opponent', board: 'Table' } as const

const Log = ({ lines }: Readonly<{ lines: PracticeReply['new_log'] }>): VNode => (
  <section id="log" class="log" tabIndex={-1}>
    <h2>What happened</h2>
    {lines.length === 0 ? (
      <p class="none">Nothing yet.</p>
    ) : (
      <ol>
        {lines.map(({ text, actor }) => (
          <li class={actor}>
            {text} <small>{actors[actor]}</small>
          </li>
        ))}
      </ol>
    )}
  </section>
)

const Ending = ({
  winner,
  seed,
  fields
}: Readonly<Pick<PracticeReply, 'winner' | 'seed'> & { fields: Fields }>): VNode => (
  <section id="decision" class="decision">
    <h2>{winner === 'you' ? 'You won this match' : 'The opponent won this match'}</h2>
    <form method="post" action={action}>
      <input type="hidden" name="op" value="new" />
      <Carried fields={fields} />
      <button type="submit">Play again</button>
      <button type="submit" name="seed" value={seed ?? ''} class="secondary">
        Deal this match once more
      </button>
    </form>
    <p>
      The seed of this match was <code>{seed}</code>. You can also <a href="/play/practice">choose other decks</a>.
    </p>
  </section>
)

const Keep = ({ sealed }: Readonly<{ sealed: string }>): VNode => (
  <details class="keep">
    <summary>Keep this match for later</summary>
    <p>
      Nothing is kept here: this page carries the match. Copy this text, and{' '}
      <a href="/play/practice#resume">paste it later</a> to go on from this moment.
    </p>
    <label>
      The text of this match{' '}
      <textarea rows={4} readOnly>
        {sealed}
      </textarea>
    </label>
  </details>
)

const titleOf = ({ game, finished, winner }: PracticeReply): string =>
  finished ? (winner === 'you' ? 'You won' : 'The opponent won') : questionOf(game)

const Match = ({ reply, fields, when }: Readonly<{ reply: PracticeReply; fields: Fields; when: string }>): VNode => (
  <>
    <form id="move" method="post" action={action} autocomplete="off">
      <input type="hidden" name="op" value="move" />
      <Carried fields={fields} game={reply.game.sealed} />
    </form>
    <div class="match">
      <Log lines={reply.new_log} />
      {reply.finished ? (
        <Ending winner={reply.winner} seed={reply.seed} fields={{ ...fields, level: reply.level.id }} />
      ) : (
        <Decision game={reply.game} cards={reply.cards} actions={reply.legal_actions} when={when} />
      )}
      <Board game={reply.game} cards={reply.cards} />
    </div>
    <Keep sealed={reply.game.sealed} />
    <details>
      <summary>What is not played here</summary>
      <p>{reply.effects_not_played.note}</p>
      <ul>
        {reply.effects_not_played.not_played.map(text => (
          <li>{text}</li>
        ))}
      </ul>
    </details>
  </>
)

/** Sends a move or a choice of a practice match, and shows the match that it led to. */
export const play = defineForm({
  shows: { guide: Guide, starters: Starters },
  fields: Fields,
  reply: ReplySchema,
  toBody,
  view: ({
    shown: {
      guide,
      starters: { starters }
    },
    form,
    sent: { data }
  }) => {
    if (data !== undefined) {
      const when = guide.decisions.find(({ decision }) => decision === data.game.decision)?.when ?? ''
      return { title: titleOf(data), main: <Match reply={data} fields={form} when={when} /> }
    }
    const isNew = form.op === 'new'
    return {
      title: isNew ? 'No match was dealt' : 'That could not be done',
      main: (
        <>
          {isNew ? (
            <SetupForm starters={starters} levels={guide.levels} fields={form} />
          ) : (
            <>
              {form.op === 'move' ? (
                <form method="post" action={action}>
                  <input type="hidden" name="op" value="look" />
                  <Carried fields={form} game={form.game ?? ''} />
                  <button type="submit">Back to the match</button>
                </form>
              ) : null}
              <h2>Go on with a match</h2>
              <ResumeForm game={form.game} />
              <p>
                <a href="/play/practice">Begin a new match</a>
              </p>
            </>
          )}
        </>
      )
    }
  }
})
