import { NullableText, Text, Type, type DataOf } from 'pantry/data'
import { Table, type Beside, type VNode } from 'pantry/page'
import { foundMembers } from '../cards/search/find-cards.ts'
import { replaceToken } from '../cards/search/query-text.ts'

/** The fields of `/api/v1/search/query` that pages use. */
export const Queried = Type.Object({
  read_as: Text,
  matches: Type.Array(Type.Object({ ...foundMembers, rarity: NullableText, printings: Type.Integer() })),
  summary: Type.Object({ found: Type.Integer() }),
  cut: NullableText,
  next: NullableText
})

type Asked = Readonly<{ q: string; game: string; cursor?: string | undefined }>

const linkTo = ({ q, game, cursor }: Asked): string =>
  `?${String(new URLSearchParams({ q, ...(game === '' ? {} : { game }), ...(cursor === undefined ? {} : { cursor }) }))}`

/** The matches of a query, how it was read, what was cut, and links to the other pages. */
export function QueriedPage({
  of: { read_as: readAs, matches, summary, cut, next },
  asked
}: Readonly<{ of: DataOf<typeof Queried>; asked: Asked }>): VNode {
  const cursor =
    next === null ? undefined : (new URL(next, 'https://x.example').searchParams.get('cursor') ?? undefined)
  const isFirst = asked.cursor === undefined
  const { found } = summary
  return (
    <>
      <p class="note">
        Read as the query <code>{readAs}</code>.
      </p>
      <Table
        caption="Cards that the query means"
        none="No card is what all terms of the query say. Leave one out, or write a wider range."
        rows={matches}
        columns={[
          {
            head: 'Card',
            cell: ({ sku, name, card_number: number }) => (
              <a href={`/product/${encodeURIComponent(sku)}`}>{name ?? number}</a>
            )
          },
          { head: 'Number', cell: ({ card_number: number }) => number },
          { head: 'Set', cell: ({ printed_code: code }) => code ?? 'not given' },
          { head: 'Rarity', cell: ({ rarity }) => rarity ?? 'not given' },
          { head: 'Printings', cell: ({ printings }) => printings, isNumber: true }
        ]}
      />
      {matches.length > 0 && (
        <p class="note">
          {isFirst ? `1 to ${String(matches.length)}` : `${String(matches.length)} more`} of{' '}
          {found.toLocaleString('en')} {found === 1 ? 'card' : 'cards'}.
        </p>
      )}
      {cut !== null && <p role="note">{cut}</p>}
      {(!isFirst || cursor !== undefined) && (
        <nav aria-label="Pages">
          {!isFirst && (
            <a rel="first" href={linkTo({ ...asked, cursor: undefined })}>
              First page
            </a>
          )}
          {!isFirst && cursor !== undefined && ' · '}
          {cursor !== undefined && (
            <a rel="next" href={linkTo({ ...asked, cursor })}>
              Next page
            </a>
          )}
        </nav>
      )}
    </>
  )
}

/** Returns a sentence in which what is between backticks is code. */
const withCode = (sentence: string): (string | VNode)[] =>
  sentence.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))

type Mistake = Readonly<{ token: string; at: number; instead: readonly string[] }>

/** What is wrong with a query, with links to it with what is near, and to a search for its text as a name. */
export function QueryMistake({
  of: { reason, details, status },
  asked: { q, game }
}: Readonly<{ of: Pick<Beside, 'reason' | 'details' | 'status'>; asked: Asked }>): VNode {
  const mistake = 'token' in details ? (details as Mistake) : undefined
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
        <li>
          <a href={linkTo({ q: `"${q.replace(/["“”„]/g, ' ').trim()}"`, game })}>Look for the text as a name</a>
        </li>
      </ul>
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
