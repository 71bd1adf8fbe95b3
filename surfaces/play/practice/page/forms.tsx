import { humanise, type VNode } from 'pantry/page'
import type { Starter } from '../starters.ts'
import { setupNames, type Fields } from './fields.ts'

/** The target of every form, with the fragment of the match log. */
export const action = '/play/practice#log'

/** Hidden fields that carry the setup and the sealed match from one form to the next. */
export const Carried = ({ fields, game }: Readonly<{ fields: Fields; game?: string }>): VNode => (
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
          checked={value === (choices.find(one => one.value === chosen) ?? choices[0])?.value}
        />{' '}
        {label}
        {more === undefined ? null : <small>{more}</small>}
      </label>
    ))}
  </fieldset>
)

type SetupProps = Readonly<{
  starters: readonly Pick<Starter, 'id' | 'title' | 'description'>[]
  levels: readonly Readonly<{ level: string; plays: string }>[]
  /** The values chosen before. */
  fields?: Fields
}>

/** The form that starts a match. */
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

/** The form that resumes a match from its text. */
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
