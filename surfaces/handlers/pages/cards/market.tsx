import { definePage, Type } from 'pantry/page'
import { EverythingSchema } from '../../../cards/card-answers.ts'
import { EvidenceSchema } from '../../../market/evidence.ts'
import { EvidenceTable, OfferList } from '../../../pages/card-sheet.tsx'
import { titleOf } from '../../../pages/sharing.ts'
import { SourceStates, Withheld } from '../../../pages/sources.tsx'

const Nothing = Type.Object({})

export default definePage({
  shows: { everything: EverythingSchema, evidence: EvidenceSchema },
  besides: { history: Nothing, sold: Nothing },
  view: ({
    shown: {
      everything: { card, publication_boundary: boundary, prices_today: today, reference_price: reference },
      evidence
    },
    beside: { history, sold },
    pathTo
  }) => ({
    title: `The market of ${card.name ?? card.card_number}`,
    description: `What may be said of the market of ${titleOf(card)}: offers of members, and why no price of a source is shown.`,
    sharing: { canonical: pathTo('pages/product', { sku: card.sku }) },
    main: (
      <>
        <p class="lead">
          <a href={`/product/${encodeURIComponent(card.sku)}`}>
            {card.name ?? 'Card'} {card.card_number}
          </a>
          : what may be said of its market, and what may not.
        </p>
        <Withheld boundary={boundary} reason={today.note} />
        <h2>What there is</h2>
        <EvidenceTable evidence={evidence} />
        <h2>Offers of collectors</h2>
        <OfferList evidence={evidence} />
        <p>{reference.provenance}</p>
        <h2>What is paused, and when it resumes</h2>
        <ul>
          {[evidence.completed_sales, evidence.community_observations].map(({ reason, resumes_when: when }) => (
            <li>
              {reason} It resumes when:
              <ul>
                {when.map(one => (
                  <li>{one}</li>
                ))}
              </ul>
            </li>
          ))}
          {[history, sold]
            .filter(({ reason }) => reason !== '')
            .map(({ reason, path }) => (
              <li>
                {reason}{' '}
                <small>
                  (<code>{path}</code>)
                </small>
              </li>
            ))}
        </ul>
        <h2>Sources</h2>
        <SourceStates caption="What each source of this game says, or may not say" states={evidence.source_states} />
      </>
    )
  })
})
