import { defineForm } from 'pantry/page'
import { Fields, limitBytes, toBody } from './fields.ts'
import { action, Carried, ResumeForm, SetupForm } from './forms.tsx'
import { Guide, Starters } from './guide.ts'
import { Match, titleOf } from './match.tsx'
import { ReplySchema } from '../schemas.ts'

/** Sends a move or a choice of a practice match, and shows the match that it led to. */
export const play = defineForm({
  shows: { guide: Guide, starters: Starters },
  fields: Fields,
  limitBytes,
  reply: ReplySchema,
  toBody,
  view: ({
    shown: {
      guide,
      starters: { starters }
    },
    form,
    sent: { data, reason, status }
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
          <p class="mistake" id="log" tabIndex={-1}>
            <strong>{reason}</strong>
          </p>
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
          <p>
            <small>Status {status}.</small>
          </p>
        </>
      )
    }
  }
})
