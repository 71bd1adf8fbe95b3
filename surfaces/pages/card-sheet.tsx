import { counted, type DataOf } from 'pantry/data'
import { Facts, humanise, Table, type VNode } from 'pantry/page'
import type { EverythingSchema } from '../cards/card-answers.ts'
import { languageName, formatMinute, spoken } from '../common/words.ts'
import type { EvidenceSchema } from '../market/evidence.ts'
import { formatMoney } from '../market/money.ts'
import { CardFace, valueText } from './card-face.tsx'
import { feedbackPath } from './feedback.tsx'
import { PrintingGrid } from './printing-grid.tsx'
import type { ShownCard } from './schemas.ts'
import { SourceStates, Withheld } from './sources.tsx'

const list = new Intl.ListFormat('en', { type: 'conjunction' })

type Card = DataOf<typeof ShownCard>
type Everything = DataOf<typeof EverythingSchema>
type EvidenceProps = Readonly<{ evidence: DataOf<typeof EvidenceSchema> }>

/**
 * The content hash of a card. The script `verify.js` computes it in the browser; the text says how to do that by hand.
 */
const VerifyHash = ({ sku, '@content_hash': contentHash }: Card): VNode => (
  <section
    class="verify"
    data-document={`/api/v1/universal/card/${encodeURIComponent(sku)}`}
    data-recipes="/api/v1/universal/encoding"
    data-kind="card"
    data-hash={contentHash}
  >
    <p>
      Two readers who hash the same card get the same result, so nobody has to trust this page. The content hash names
      the card by its SKU, number, set, game and variant. Each document also carries a hash of its whole self,{' '}
      <code>@self_hash</code>; it changes with the moment of the answer.
    </p>
    <dl class="facts">
      <dt>Content hash</dt>
      <dd class="hash">{contentHash}</dd>
    </dl>
    <p>
      <button type="button" hidden>
        Verify in this browser
      </button>{' '}
      <output aria-live="polite" />
    </p>
    <p>
      By hand: take the document, write it in the canonical form of RFC 8785 and hash it with SHA-256.{' '}
      <a href="/guides/verify-a-hash">The guide goes through it step by step.</a>
    </p>
  </section>
)

const AboutPrinting = ({ card, everything }: Readonly<{ card: Card; everything: Everything['card'] }>): VNode => (
  <Facts
    of={{
      Set:
        everything.set_name === null ? everything.printed_code : `${everything.set_name} (${everything.printed_code})`,
      'Came in': everything.printed_in?.name ?? everything.printed_in?.code ?? false,
      Rarity: everything.rarity,
      Language: languageName(everything.lang),
      Variant: everything.variant ?? 'the ordinary printing',
      ...Object.fromEntries(
        Object.entries(card.attributes ?? {}).map(([name, value]) => [humanise(name), valueText(value)])
      ),
      Illustrators: card.illustrators?.join(', ') ?? false,
      SKU: <code>{everything.sku}</code>
    }}
  />
)

/**
 * What somebody with an account does with a printing: one press on the page that each link leads to. This page is the
 * same for everybody, so it has no form for it.
 */
const Acts = ({ sku }: Readonly<{ sku: string }>): VNode => {
  const asked = encodeURIComponent(sku)
  return (
    <ul class="acts" aria-label="With an account">
      <li>
        <a href={`/account/auctions?sku=${asked}`}>Sell mine</a>
      </li>
      <li>
        <a href={`/account/cards?sku=${asked}&list=have`}>I have it</a>
      </li>
      <li>
        <a href={`/account/cards?sku=${asked}&list=want`}>I look for it</a>
      </li>
    </ul>
  )
}

const Names = ({ card: { name, lang, name_translations: all } }: Readonly<{ card: Everything['card'] }>): VNode => {
  const others = Object.entries(all ?? {}).filter(([tag]) => tag !== lang)
  return others.length === 0 ? (
    <p class="none">
      {name === null ? 'No name is held.' : `The name is held in ${languageName(lang)} alone: `}
      <span lang={lang}>{name}</span>
    </p>
  ) : (
    <dl class="facts">
      {[...(name === null ? [] : [[lang, name] as const]), ...others].map(([tag, text]) => (
        <>
          <dt>{languageName(tag)}</dt>
          <dd lang={tag}>{text}</dd>
        </>
      ))}
    </dl>
  )
}

export const EvidenceTable = ({ evidence }: EvidenceProps): VNode => (
  <Table
    caption="Each class of claim, and what there is of it"
    rows={[
      { claim: 'Reference price', there: 'none', why: spoken(evidence.publication_boundary.reference ?? '') },
      {
        claim: 'Offers of collectors',
        there: `${evidence.market.ask_count} to sell, ${counted(evidence.market.bid_count, 'bid')}`,
        why: 'Auctions that are live now.'
      },
      { claim: 'Completed sales', there: evidence.completed_sales.state, why: evidence.completed_sales.reason },
      {
        claim: 'What collectors report',
        there: evidence.community_observations.state,
        why: evidence.community_observations.reason
      },
      {
        claim: 'Structure',
        there: `seen by ${evidence.structure.observed_by.length}`,
        why: evidence.structure.observed_by.map(({ name }) => name).join('; ')
      }
    ]}
    columns={[
      { head: 'Claim', cell: row => row.claim },
      { head: 'There is', cell: row => row.there },
      { head: 'Why, or by whom', cell: row => row.why }
    ]}
  />
)

/** Says in one line which printings there are, and what collectors offer now. */
const InShort = ({ siblings, evidence: { market } }: EvidenceProps & Pick<Everything, 'siblings'>): VNode => (
  <p>
    <a href="#printings">
      <strong>{counted(siblings.length, 'printing')}</strong>
    </a>{' '}
    in {list.format([...new Set(siblings.map(({ lang }) => languageName(lang)))])}.{' '}
    {market.ask_count === 0 ? (
      'No collector offers it now.'
    ) : (
      <>
        <a href="#offers">
          <strong>{counted(market.ask_count, 'offer')}</strong> of collectors
        </a>
        , with {counted(market.bid_count, 'bid')}.
      </>
    )}
  </p>
)

export const OfferList = ({ evidence: { market } }: EvidenceProps): VNode => (
  <>
    <p>Amounts are statements of participants for their own offers: no reference price, and none of a source.</p>
    <Table
      caption="Live offers of collectors, those that end first before others"
      none="Nobody offers it now."
      rows={market.offers}
      columns={[
        { head: 'Auction', cell: ({ page, auction_type: type }) => <a href={page}>{spoken(type)}</a> },
        { head: 'Condition', cell: ({ condition }) => condition },
        { head: 'Stated', isNumber: true, cell: ({ amount }) => formatMoney(amount) },
        { head: 'Bids', isNumber: true, cell: ({ bid_count: count }) => String(count) },
        { head: 'Ends', cell: ({ ends_at: at }) => (at === null ? 'not set' : formatMinute(at)) }
      ]}
    />
  </>
)

/** The faces of a card that has several. */
const Faces = ({ faces }: Readonly<{ faces: NonNullable<Everything['card']['faces']> }>): VNode => (
  <>
    <h2>Faces</h2>
    <Table
      caption="What sources say of each face"
      rows={faces}
      columns={[
        { head: 'Face', cell: ({ side }) => side ?? 'not named' },
        { head: 'Name', cell: ({ name }) => name ?? 'that of the card' },
        {
          head: 'Of this face',
          cell: ({ attributes }) =>
            Object.entries(attributes ?? {})
              .map(([name, value]) => `${humanise(name)}: ${valueText(value)}`)
              .join('; ') || 'nothing more'
        }
      ]}
    />
  </>
)

/** Returns a fact in words: `Cost` for `attributes.cost`, and for a name its language. */
function factName(field: string): string {
  const [group = '', member] = field.split('.')
  if (group === 'name_translations' && member !== undefined) return `Name in ${languageName(member)}`
  return humanise(group === 'attributes' ? (member ?? group) : field.replace('.', '_'))
}

type Fact = Everything['facts'][number]

/** Who says each fact. Those on which all agree are one row for the same sources; each other fact has its own. */
function FactTable({ facts, sku }: Readonly<{ facts: readonly Fact[]; sku: string }>): VNode {
  const rows = facts.reduce<(Pick<Fact, 'sources' | 'otherwise'> & { names: string[] })[]>(
    (found, { field, ...said }) => {
      const key = said.sources.join()
      const same = found.find(row => row.otherwise.length === 0 && row.sources.join() === key)
      if (same === undefined || said.otherwise.length > 0) return [...found, { ...said, names: [factName(field)] }]
      same.names.push(factName(field))
      return found
    },
    []
  )
  return (
    <Table
      caption="Which source says what, and where one says otherwise"
      rows={rows}
      none="No source says more than the number."
      columns={[
        { head: 'Facts', cell: ({ names }) => names.join(', ') },
        { head: 'Said by', cell: ({ sources }) => <SourceLinks ids={sources} /> },
        {
          head: 'Others say',
          cell: ({ otherwise }) =>
            otherwise.map(({ source, value }) => `${valueText(value)} (${source})`).join('; ') || 'nothing else'
        },
        {
          head: 'Wrong?',
          cell: ({ names }) => (
            <a href={feedbackPath(`/product/${sku}`, names.join(', ').slice(0, 200))}>Something is wrong here</a>
          )
        }
      ]}
    />
  )
}

const SourceLinks = ({ ids }: Readonly<{ ids: readonly string[] }>): VNode => (
  <>
    {ids.map((id, at) => (
      <>
        {at === 0 ? '' : ', '}
        <a href={`/sources/${encodeURIComponent(id)}`}>{id}</a>
      </>
    ))}
  </>
)

type Neighbour = NonNullable<Everything['neighbours']['next']>

/** Links to the numbers before and after that of a card. `hrefOf`: returns the path of the page of a neighbour. */
const Neighbours = ({
  of: { previous, next },
  hrefOf
}: Readonly<{ of: Everything['neighbours']; hrefOf: (neighbour: Neighbour) => string }>): VNode | null =>
  previous === null && next === null ? null : (
    <nav class="neighbours" aria-label="Numbers beside this one">
      {previous !== null && (
        <a rel="prev" href={hrefOf(previous)}>
          ‹ {previous.card_number} {previous.name}
        </a>
      )}
      {next !== null && (
        <a rel="next" href={hrefOf(next)}>
          {next.card_number} {next.name} ›
        </a>
      )}
    </nav>
  )

/** How many other sources of the game say nothing of a card; their table is folded. */
const SilentSources = ({ states }: Readonly<{ states: Everything['source_states'] }>): VNode | null =>
  states.length === 0 ? null : (
    <details>
      <summary>
        {states.length === 1 ? '1 other source says' : `${states.length} other sources say`} nothing of this card: why
      </summary>
      <SourceStates caption="What each other source of this game says, or may not say" states={states} />
    </details>
  )

/**
 * Everything published about one printing. `pageOf`: where the page is of the number, so that none of its printings is
 * the one that it shows, the path of the page of another number.
 */
export const CardSheet = ({
  card,
  everything,
  evidence,
  pageOf
}: EvidenceProps & Readonly<{ card: Card; everything: Everything; pageOf?: (number: string) => string }>): VNode => {
  const { card: facts, siblings, source_states: states } = everything
  const observers = states.filter(({ observed_this_card: isObserver }) => isObserver)
  return (
    <>
      <Neighbours
        of={everything.neighbours}
        hrefOf={({ card_number: number, sku }) => pageOf?.(number) ?? `/product/${encodeURIComponent(sku)}`}
      />
      <div class="sheet">
        <div>
          <InShort siblings={siblings} evidence={evidence} />
          <Acts sku={facts.sku} />
          <AboutPrinting card={card} everything={facts} />
        </div>
        <CardFace
          sku={facts.sku}
          size="poster"
          alt={`${facts.name ?? 'A card'} ${facts.card_number}, drawn from its facts`}
        />
      </div>
      <h2 id="printings">Printings</h2>
      <PrintingGrid printings={siblings} here={pageOf === undefined ? facts.sku : undefined} />
      {facts.faces === null ? null : <Faces faces={facts.faces} />}
      <h2 id="offers">Offers of collectors</h2>
      <OfferList evidence={evidence} />
      <p>
        <a href={`/cards/${encodeURIComponent(card.sku)}/market`}>The market of this card</a>: what there is, and what
        is paused.
      </p>
      <Withheld boundary={everything.publication_boundary} reason={everything.prices_today.note} />
      <h2>Names</h2>
      <Names card={facts} />
      <h2>Who says so</h2>
      <FactTable facts={everything.facts} sku={facts.sku} />
      {observers.length > 0 && (
        <SourceStates caption="What the sources of this card say, or may not say" states={observers} />
      )}
      <SilentSources states={states.filter(({ observed_this_card: isObserver }) => !isObserver)} />
      <details>
        <summary>Evidence by class of claim</summary>
        <EvidenceTable evidence={evidence} />
      </details>
      <details>
        <summary>
          The document of this card (JSON), without the moment of an answer and the hash that changes with it
        </summary>
        <pre tabIndex={0} aria-label="The document">
          <code>{JSON.stringify({ ...card, '@retrieved_at': undefined, '@self_hash': undefined }, null, 2)}</code>
        </pre>
      </details>
      <details>
        <summary>The content hash, and how to compute it</summary>
        <VerifyHash {...card} />
      </details>
    </>
  )
}
