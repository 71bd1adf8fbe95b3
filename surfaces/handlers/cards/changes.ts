import { Type, closed, Count, nullable, reply, Text } from 'pantry/handler'
import { CardChange, missingCard } from '../../cards/card-history.ts'
import { requestedSku } from '../../cards/parameters.ts'
import { Path } from '../../cards/documents/schemas.ts'
import { defineHandler } from '../../define.ts'

const most = 100

/** Returns the recorded changes of one card, newest first, even if the card was withdrawn. */
export default defineHandler({
  params: Type.Object({
    sku: Type.String({ minLength: 1, maxLength: 160, description: 'Canonical card SKU, in any letter case.' })
  }),
  reply: closed({
    '@kind': Type.Literal('card-changes'),
    sku: Text,
    held: Type.Boolean({ description: 'Whether the card is held now.' }),
    moved_to: nullable(
      closed({ sku: Text, universal: Path }),
      'What the card became, where it is held under another SKU.'
    ),
    limit: Count,
    returned: Count,
    changes: Type.Array(CardChange)
  }),
  async handle({ params, pathTo }, { cardHistory }) {
    const sku = requestedSku(params.sku, pathTo)
    const [changes, present] = await Promise.all([cardHistory.changes(sku, most), cardHistory.bySku(sku)])
    if (changes.length === 0) throw await missingCard(params.sku, cardHistory)
    return reply({
      '@kind': 'card-changes',
      sku,
      held: present?.sku === sku,
      moved_to:
        present === undefined || present.sku === sku
          ? null
          : { sku: present.sku, universal: pathTo('universal/card', { sku: present.sku }) },
      limit: most,
      returned: changes.length,
      changes
    })
  }
})
