import { count, table } from 'pantry/command'
import type { Withdrawals } from '../writing/withdraw.ts'

/** Formats the cards that an import withdraws as a table: SKU, reason and successor. Empty when there are none. */
export function withdrawalsText(source: string, { cards, examples }: Withdrawals): string {
  if (cards === 0) return ''
  const rest = cards - examples.length
  return [
    `${source}: ${count(cards, 'card')} that no source lists any more`,
    '',
    table(
      ['WITHDRAWN', 'REASON', 'NOW'],
      examples.map(({ sku, reason, successor }) => [sku, reason, successor ?? ''])
    ),
    ...(rest === 0 ? [] : [`and ${rest} more`])
  ].join('\n')
}
