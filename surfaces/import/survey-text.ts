import { count, table } from 'pantry/command'
import type { RunSummary } from './import.ts'

const longest = 60
const short = (text: string): string => text.length > longest ? `${text.slice(0, longest - 1)}…` : text
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** What a dry run has seen of one source, as text: what was read, how full each field is, the first rows, and what was refused and why. */
export function surveyText ({ source, survey, refusals }: Pick<RunSummary, 'source' | 'survey' | 'refusals'>): string {
  if (survey === undefined) return ''
  const { files, rows, passed_over: passedOver, mapped, fields, examples } = survey
  return [
    `${source}: ${count(rows, 'row')} in ${count(files, 'file')}, ${mapped} mapped, ${rows - mapped} not${passedOver === 0 ? '' : `; ${passedOver} more passed over`}`,
    '',
    table(['FIELD', 'FILLED', 'SHARE', 'FIRST VALUE'], fields.map(({ field, filled, share, example }) => [field, String(filled), percent(share), short(example)])),
    table(['NATIVE ID', 'SKU', 'NAME'], examples.map(({ native_id: id, sku, row }) => [short(id), sku, short(row.name ?? '')])),
    ...(refusals.length === 0 ? [] : [table(
      ['LEFT OUT', 'ROWS', 'NATIVE ID', 'BESIDE', 'SKU'],
      refusals.flatMap(({ reason, rows: refused, examples: some }) => some.map(({ native_id: id, other_native_id: other, sku }, index) =>
        [index === 0 ? reason : '', index === 0 ? String(refused) : '', short(id), short(other ?? ''), sku ?? '']))
    )])
  ].join('\n')
}
