import { definePage } from 'pantry/page'
import { EverythingSchema } from '../../cards/card-answers.ts'
import { EvidenceSchema } from '../../market/evidence.ts'
import { CardSheet } from '../../pages/card-sheet.tsx'
import { ShownCard, ShownGame } from '../../pages/schemas.ts'
import { aboutCard, cardCrumbs, describeCard, titleOf } from '../../pages/sharing.ts'

export default definePage({
  shows: { card: ShownCard, everything: EverythingSchema, evidence: EvidenceSchema },
  besides: { names: ShownGame },
  view: ({ shown: { card, everything, evidence }, beside: { names }, pathTo }) => {
    const { game } = names.data ?? {}
    const { card: facts } = everything
    return {
      title: titleOf(facts),
      description: describeCard(facts, game?.name ?? facts.game),
      scripts: ['verify.js'],
      crumbs: game?.curated === true ? cardCrumbs(pathTo, game, facts) : [],
      sharing: {
        canonical: pathTo('pages/product', { sku: facts.sku }),
        about: aboutCard(facts, game?.name ?? facts.game)
      },
      main: <CardSheet card={card} everything={everything} evidence={evidence} />
    }
  }
})
