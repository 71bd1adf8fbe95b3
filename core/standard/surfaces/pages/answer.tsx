import { Table, type Beside, type VNode } from 'pantry/page'

/** Maximum number of characters that are shown of an answer; that of a GET has a link to the complete answer. */
const maxShownCharacters = 40_000

/** A block of code that can be focused, so that it can be scrolled with the keyboard. */
export const Code = ({ label, text }: Readonly<{ label: string; text: string }>): VNode => (
  <pre tabIndex={0} aria-label={label}>
    <code>{text}</code>
  </pre>
)

const readable = ({ mediaType, text }: Beside): string =>
  mediaType === 'application/json' ? JSON.stringify(JSON.parse(text), null, 2) : text

/** A request that a page made to a surface, and the answer. */
export type Answered = Readonly<{ method: 'GET' | 'POST'; url: string; answer: Beside }>

/** Shows the processing stages of an answer, which only `pantry dev` records. */
const Stages = ({ passed }: Pick<Beside, 'passed'>): VNode => (
  <details open>
    <summary>Stages</summary>
    <Table
      caption="The stages that this answer passed; what is not listed was kept from an earlier one"
      rows={passed}
      columns={[
        { head: 'Stage', cell: ({ stage, depth }) => `${'› '.repeat(depth)}${stage}` },
        { head: 'ms', cell: ({ ms }) => ms.toFixed(2) },
        { head: 'Where', cell: ({ where }) => <code>{where}</code> },
        { head: 'Decided', cell: ({ decided }) => decided }
      ]}
    />
  </details>
)

/** Shows the answer of a surface. The script `run.js` adds the duration of a GET from this browser, and all headers. */
export function Answer({ method, url, answer }: Answered): VNode {
  const text = answer.text === '' ? answer.reason : readable(answer)
  return (
    <section class="answer" id="answer" {...(method === 'GET' ? { 'data-url': url } : {})}>
      <h2>Answer</h2>
      <p>
        <strong>Status {answer.status}</strong>
        {answer.mediaType !== '' && (
          <>
            , <code>{answer.mediaType}</code>
          </>
        )}{' '}
        to{' '}
        <code>
          {method} {url}
        </code>
        . <output aria-live="polite" />
      </p>
      <details hidden>
        <summary>Headers</summary>
        <pre tabIndex={0} aria-label="Headers of the answer" />
      </details>
      <Code label="The answer" text={text.slice(0, maxShownCharacters)} />
      <p>
        {text.length > maxShownCharacters &&
          `The first ${maxShownCharacters.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters are shown. `}
        {method === 'GET' && <a href={url}>The whole answer, as a program gets it</a>}
      </p>
      {answer.passed.length > 0 && <Stages passed={answer.passed} />}
    </section>
  )
}
