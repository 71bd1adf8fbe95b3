import type { Beside, VNode } from 'pantry/page'
import { replaceToken } from '../cards/search/query-text.ts'

const linkTo = (asked: Readonly<{ q: string; game: string }>): string =>
  `?${String(new URLSearchParams(asked.game === '' ? { q: asked.q } : asked))}`

/** Returns a sentence in which what is between backticks is code. */
const withCode = (sentence: string): (string | VNode)[] =>
  sentence.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))

type Mistake = Readonly<{ token: string; at: number; instead: readonly string[] }>

/**
 * What is wrong with a search, with the values that are allowed; of a query also links to it with what is near, and to
 * a search for its text as a name.
 */
export function QueryMistake({
  of: { reason, details, status },
  asked: { q, game }
}: Readonly<{
  of: Pick<Beside, 'reason' | 'details' | 'status'>
  asked: Readonly<{ q: string; game: string }>
}>): VNode {
  const mistake = 'token' in details ? (details as Mistake) : undefined
  const { allowed } = details
  const chars = Array.from(q)
  const end = mistake === undefined ? 0 : mistake.at - 1 + Array.from(mistake.token).length
  return (
    <div class="mistake" role="alert" id="mistake">
      {mistake !== undefined && mistake.token !== '' && (
        <p>
          <code>
            {chars.slice(0, mistake.at - 1).join('')}
            <mark>{mistake.token}</mark>
            {chars.slice(end).join('')}
          </code>
        </p>
      )}
      <p>{withCode(reason)}</p>
      <ul>
        {mistake?.instead.map(instead => (
          <li>
            Write{' '}
            <a href={linkTo({ q: replaceToken(q, mistake, instead), game })}>
              <code>{instead}</code>
            </a>
          </li>
        ))}
        {mistake !== undefined && (
          <li>
            <a href={linkTo({ q: `"${q.replace(/["“”„]/g, ' ').trim()}"`, game })}>Look for the text as a name</a>
          </li>
        )}
      </ul>
      {Array.isArray(allowed) && <p>Allowed: {allowed.map(String).join(', ')}.</p>}
      <p>
        <small>
          Status {status}. <a href="/">The first page of the service</a>
        </small>
      </p>
    </div>
  )
}

const examples = [
  ['set:op01 c:red t:leader', 'the red leaders of a set'],
  ['luffy cost<=3', 'cards with this name that cost three at most'],
  ['(zoro OR nami) r:sr', 'one name or the other, of one rarity'],
  ['set:op05 -has:counter sort:-power', 'those of a set without a counter, the strongest first'],
  ['pikachu sort:-year', 'cards with this name, the newest first'],
  ['number:OP05-119', 'the printings of a number']
] as const

/** How a query is written, with examples to follow. */
export const HowToAsk = ({ isOpen }: Readonly<{ isOpen: boolean }>): VNode => (
  <details open={isOpen}>
    <summary>How to ask</summary>
    <p>
      Write a name in any language that is held, a number as it is printed with its set, or a SKU. Or write a query: a
      text with a field, a sign and a value without a space between them, such as <code>set:op01</code>. A card has to
      be what all terms of a query say.
    </p>
    <dl>
      {examples.map(([q, meaning]) => (
        <>
          <dt>
            <a href={linkTo({ q, game: '' })}>
              <code>{q}</code>
            </a>
          </dt>
          <dd>{meaning}</dd>
        </>
      ))}
    </dl>
    <p>
      A query needs a name, a set or a number with its set. Where a text is no query without a mistake and a card has it
      as its name, the card is found. In quotation marks a text is never a query. All fields are at{' '}
      <a href="/api/v1/search/fields">/api/v1/search/fields</a> (JSON).
    </p>
  </details>
)
