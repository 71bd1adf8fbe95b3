import { counted, type DataOf } from 'pantry/data'
import { Facts, humanise, Table, type VNode } from 'pantry/page'
import type { EverythingSchema } from '../cards/card-answers.ts'
import { languageName, formatMinute, spoken } from '../common/words.ts'
import type { EvidenceSchema } from '../market/evidence.ts'
import { formatMoney } from '../market/money.ts'
import { CardFace, valueText } from './card-face.tsx'
import type { ShownCard } from './schemas.ts'
import { SourceStates, Withheld } from './sources.tsx'

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

function CardFacts({ card, everything }: Readonly<{ card: Card; everything: Everything['card'] }>): VNode {
  const attributes = card.attributes ?? {}
  return (
    <div class="sheet">
      <CardFace
        name={everything.name}
        number={everything.card_number}
        rarity={everything.rarity}
        attributes={attributes}
      />
      <Facts
        of={{
          Number: everything.card_number,
          Set:
            everything.set_name === null
              ? everything.printed_code
              : `${everything.set_name} (${everything.printed_code})`,
          'Came in': everything.printed_in?.name ?? everything.printed_in?.code,
          Rarity: everything.rarity,
          Language: languageName(everything.lang),
          Variant: everything.variant ?? 'the ordinary printing',
          ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [humanise(name), valueText(value)])),
          Illustrators: card.illustrators?.join(', '),
          SKU: <code>{everything.sku}</code>
        }}
      />
    </div>
  )
}

const Names = ({ names }: Readonly<{ names: Everything['card']['name_translations'] }>): VNode => (
  <Table
    caption="The name in each language that is held"
    rows={Object.entries(names ?? {})}
    none="No name is held in another language."
    columns={[
      { head: 'Language', cell: ([tag]) => languageName(tag) },
      { head: 'Name', cell: ([tag, name]) => <span lang={tag}>{name}</span> }
    ]}
  />
)

const Siblings = ({ siblings }: Readonly<{ siblings: Everything['siblings'] }>): VNode => (
  <Table
    caption="All printings of this number"
    rows={siblings}
    columns={[
      {
        head: 'Printing',
        cell: ({ sku, is_self: isSelf }) =>
          isSelf ? <strong>{sku}</strong> : <a href={`/product/${encodeURIComponent(sku)}`}>{sku}</a>
      },
      { head: 'Name', cell: ({ name, lang }) => <span lang={lang}>{name ?? 'not given'}</span> },
      { head: 'Language', cell: ({ lang }) => languageName(lang) },
      { head: 'Rarity', cell: ({ rarity }) => rarity ?? 'not given' },
      {
        head: 'How it differs',
        cell: ({ variant_kind: kind, variant_kind_reason: reason }) => (
          <>
            <strong>{kind === 'self' ? 'this printing' : spoken(kind)}</strong>: {reason}
          </>
        )
      }
    ]}
  />
)

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

const Disagreements = ({ evidence: { structure } }: EvidenceProps): VNode => (
  <Table
    caption="Where sources disagree"
    none="The sources that show this card do not contradict each other."
    rows={structure.disagreements.flatMap(({ field, statements }) => statements.map(one => ({ field, ...one })))}
    columns={[
      { head: 'Field', cell: row => humanise(row.field) },
      { head: 'Source', cell: row => row.source },
      { head: 'It says', cell: row => (typeof row.value === 'string' ? row.value : JSON.stringify(row.value)) }
    ]}
  />
)

/** Everything published about one printing. */
export const CardSheet = ({
  card,
  everything,
  evidence
}: EvidenceProps & Readonly<{ card: Card; everything: Everything }>): VNode => (
  <>
    <CardFacts card={card} everything={everything.card} />
    <Withheld boundary={everything.publication_boundary} reason={everything.prices_today.note} />
    <h2>Names</h2>
    <Names names={everything.card.name_translations} />
    <h2>Printings</h2>
    <Siblings siblings={everything.siblings} />
    <h2>Evidence</h2>
    <EvidenceTable evidence={evidence} />
    <h2>Offers of collectors</h2>
    <OfferList evidence={evidence} />
    <Disagreements evidence={evidence} />
    <p>
      <a href={`/cards/${encodeURIComponent(card.sku)}/market`}>The market of this card</a>: what there is, and what is
      paused.
    </p>
    <h2>Sources</h2>
    <SourceStates caption="What each source of this game says, or may not say" states={everything.source_states} />
    <h2>As data</h2>
    <details>
      <summary>
        The document of this card (JSON), without the moment of an answer and the hash that changes with it
      </summary>
      <pre tabIndex={0} aria-label="The document">
        <code>{JSON.stringify({ ...card, '@retrieved_at': undefined, '@self_hash': undefined }, null, 2)}</code>
      </pre>
    </details>
    <h2>Hash</h2>
    <VerifyHash {...card} />
  </>
)
