/** What the command `import` prints of the second reader. */
import { table } from 'pantry/command'
import type { Proving } from './prove.ts'

const counted = ['equal', 'different', 'missing', 'more', 'left_out', 'repeated'] as const
const maxWidth = 60

const shown = (value: unknown): string => {
  const text = value === null ? '' : JSON.stringify(value).replaceAll(/\p{C}/gu, '\ufffd')
  return text.length > maxWidth ? `${text.slice(0, maxWidth - 1)}…` : text
}

/** Formats the verdicts as a table, followed by the first differences and the reasons why nothing is proved. */
export function proofsText(proofs: readonly Proving[]): string {
  const differences = proofs.flatMap(({ source, first }) =>
    first.map(({ kind, native_id: id, sku, member, read, held }) => [
      source,
      kind,
      id ?? '',
      sku ?? '',
      member ?? '',
      shown(read),
      shown(held)
    ])
  )
  const reasons = proofs.flatMap(({ source, reason }) => (reason === null ? [] : [[source, reason]]))
  return [
    table(
      ['SOURCE', 'VERDICT', ...counted.map(name => name.replace('_', ' ').toUpperCase()), 'FILES', 'SHA-256 OF ALL'],
      proofs.map(({ source, verdict, counts, files, digest }) => [
        source,
        verdict,
        ...counted.map(name => (counts === null ? '' : String(counts[name]))),
        String(Object.keys(files).length),
        digest ?? ''
      ])
    ),
    ...(reasons.length === 0 ? [] : [table(['SOURCE', 'NOT PROVED'], reasons)]),
    ...(differences.length === 0
      ? []
      : [table(['SOURCE', 'DIFFERENCE', 'NATIVE ID', 'SKU', 'MEMBER', 'IN THE FILE', 'HELD'], differences)])
  ].join('\n')
}
