import type { VNode } from 'pantry/page'
import { SessionForm } from '../people/page/forms.tsx'

/** Returns the path of the form for what is wrong or missing on a page. `about`: the path of the page. */
export const feedbackPath = (about: string, fact: string): string =>
  `/report?about=${encodeURIComponent(about)}&fact=${encodeURIComponent(fact)}`

type Props = Readonly<{ action: string; token: string; observation: string }>

/** A form for what is wrong or missing, which needs no account. */
export const FeedbackForm = ({ action, token, observation }: Props): VNode => (
  <SessionForm action={action} token={token} button="Send it">
    <label for="observation">What is wrong, or missing, and how you know</label>
    <textarea id="observation" name="observation" rows={6} maxLength={4000} required>
      {observation}
    </textarea>
    <label>
      <input type="checkbox" name="keep" value="true" required /> The operator may keep it for up to a year, to read and
      answer it.
    </label>
    <label>
      <input type="checkbox" name="reply_may_be_public" value="true" /> The answer may be public. The report itself
      never is.
    </label>
  </SessionForm>
)
