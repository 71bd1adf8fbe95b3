import { fill, Table, type Beside, type VNode } from 'pantry/page'

/** What this part of a page says. */
export const answerTexts = {
  answer: 'Answer',
  status: 'Status {status}',
  to: 'to',
  headers: 'Headers',
  headersOf: 'Headers of the answer',
  theAnswer: 'The answer',
  cut: 'The first {shown} of {all} characters are shown.',
  whole: 'The whole answer, as a program gets it',
  copy: 'Copy',
  copied: 'Copied',
  took: 'It took {ms} ms from this browser.',
  failed: 'This browser could not ask again.'
} as const

export type Saying<Of> = Readonly<{ texts: Readonly<Record<keyof Of, string>> }>

/** Maximum number of characters that are shown of an answer; that of a GET has a link to the complete answer. */
const maxShownCharacters = 40_000

type CodeProps = Saying<Pick<typeof answerTexts, 'copy' | 'copied'>> & Readonly<{ label: string; text: string }>

/** A block of code that can be focused, so that it can be scrolled with the keyboard. */
export const Code = ({ label, text, texts: { copy, copied } }: CodeProps): VNode => (
  <pre tabIndex={0} aria-label={label} data-copy={copy} data-copied={copied}>
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
export function Answer({ method, url, answer, texts }: Answered & Saying<typeof answerTexts>): VNode {
  const text = answer.text === '' ? answer.reason : readable(answer)
  return (
    <section
      class="answer"
      id="answer"
      {...(method === 'GET' ? { 'data-url': url, 'data-took': texts.took, 'data-failed': texts.failed } : {})}
    >
      <h2>{texts.answer}</h2>
      <p>
        <strong>{fill(texts.status, { status: answer.status })}</strong>
        {answer.mediaType !== '' && (
          <>
            , <code>{answer.mediaType}</code>
          </>
        )}{' '}
        {texts.to}{' '}
        <code>
          {method} {url}
        </code>
        . <output aria-live="polite" />
      </p>
      <details hidden>
        <summary>{texts.headers}</summary>
        <pre tabIndex={0} aria-label={texts.headersOf} />
      </details>
      <Code label={texts.theAnswer} text={text.slice(0, maxShownCharacters)} texts={texts} />
      <p>
        {text.length > maxShownCharacters &&
          `${fill(texts.cut, { shown: maxShownCharacters.toLocaleString('en'), all: text.length.toLocaleString('en') })} `}
        {method === 'GET' && <a href={url}>{texts.whole}</a>}
      </p>
      {answer.passed.length > 0 && <Stages passed={answer.passed} />}
    </section>
  )
}
