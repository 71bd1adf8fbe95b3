import { definePage } from 'pantry/page'
import { EverythingSchema } from '../../cards/card-answers.ts'
import { EvidenceSchema } from '../../market/evidence.ts'
import { CardSheet } from '../../pages/card-sheet.tsx'
import { ShownCard } from '../../pages/schemas.ts'

export default definePage({
  shows: { card: ShownCard, everything: EverythingSchema, evidence: EvidenceSchema },
  view: ({ shown: { card, everything, evidence } }) => ({
    title: `${everything.card.name ?? 'Card'} ${everything.card.card_number}`,
    scripts: ['verify.js'],
    main: <CardSheet card={card} everything={everything} evidence={evidence} />
  })
})
