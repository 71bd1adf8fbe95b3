import type { VNode } from 'pantry/page'
import type { PracticeReply } from '../schemas.ts'
import { Board } from './board.tsx'
import { Decision, questionOf } from './decision.tsx'
import type { Fields } from './fields.ts'
import { action, Carried } from './forms.tsx'

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

/** Shows the text of a match for copying. */
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

export const titleOf = ({ game, finished, winner }: PracticeReply): string =>
  finished ? (winner === 'you' ? 'You won' : 'The opponent won') : questionOf(game)

/** Shows the current match: the log, the player's decision, and the table. */
export const Match = ({
  reply,
  fields,
  when
}: Readonly<{ reply: PracticeReply; fields: Fields; when: string }>): VNode => (
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
