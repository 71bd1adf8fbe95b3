import { definePage, Facts, Table } from 'pantry/page'
import { EverythingSchema } from '../../../cards/card-answers.ts'
import { CardGuideSchema } from '../../../cards/price-guides.ts'
import { EvidenceSchema } from '../../../market/evidence.ts'
import { CardSheet } from '../../../pages/card-sheet.tsx'
import { ShownCard } from '../../../pages/schemas.ts'
import { Withheld } from '../../../pages/sources.tsx'
import { languageName } from '../../../words.ts'

export default definePage({
  shows: { guide: CardGuideSchema },
  besides: { card: ShownCard, everything: EverythingSchema, evidence: EvidenceSchema },
  view: ({
    shown: {
      guide: { game, set, card, printings, ambiguous, main_printing_rule: rule, publication_boundary: boundary }
    },
    beside: {
      card: { data: document },
      everything: { data: everything },
      evidence: { data: evidence }
    }
  }) => ({
    title: `${card.name ?? 'Card'} ${card.card_number}`,
    scripts: ['verify.js'],
    main: (
      <>
        <nav aria-label="Where this is">
          <a href={`/prices/${game.slug}`}>{game.display_name}</a> ›{' '}
          <a href={`/prices/${game.slug}/${encodeURIComponent(set.code)}`}>{set.name ?? set.printed_code}</a>
        </nav>
        {ambiguous && (
          <p class="note">
            The number is on {printings.length} printings of this set. {rule}
          </p>
        )}
        {document === undefined || everything === undefined || evidence === undefined ? (
          <>
            <Facts
              of={{
                Number: card.card_number,
                Rarity: card.rarity,
                Language: languageName(card.lang),
                SKU: <code>{card.sku}</code>
              }}
            />
            <Withheld boundary={boundary} />
            <Table
              caption="Printings in this set"
              rows={printings}
              columns={[
                { head: 'Printing', cell: ({ sku }) => <a href={`/product/${encodeURIComponent(sku)}`}>{sku}</a> },
                { head: 'Language', cell: ({ lang }) => languageName(lang) }
              ]}
            />
          </>
        ) : (
          <CardSheet card={document} everything={everything} evidence={evidence} />
        )}
      </>
    )
  })
})
