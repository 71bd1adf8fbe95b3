import { count, table } from 'pantry/command'
import type { ImportSummary } from '../import.ts'
import { mostValues } from './survey.ts'

const longest = 60
const short = (text: string, most = longest): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/**
 * Formats the survey of a dry run: the rows read and lost, how many rows have each declared field, the first rows, and
 * the rows left out with reasons.
 */
export function surveyText({
  source,
  survey,
  refusals
}: Pick<ImportSummary, 'source' | 'survey' | 'refusals'>): string {
  if (survey === undefined) return ''
  const { files, rows, passed_over: passedOver, lost, mapped, fields, examples } = survey
  const doubts = fields.filter(({ doubt }) => doubt !== null)
  return [
    `${source}: ${count(rows, 'row')} in ${count(files, 'file')}, ${mapped} mapped, ${rows - mapped} not${passedOver === 0 ? '' : `; ${passedOver} more passed over`}`,
    ...lost.map(one => `${count(one.rows, 'row')} lost at loop \`${one.loop}\`: nothing to run over`),
    '',
    table(
      ['', 'FIELD', 'FILLED', 'SHARE', 'DISTINCT', 'SAMPLES'],
      fields.map(({ field, filled, share, distinct, samples, doubt }) => [
        doubt === null ? '' : '!',
        field,
        String(filled),
        percent(share),
        distinct < mostValues ? String(distinct) : `${distinct}+`,
        samples.map(sample => short(sample, 30)).join(' · ')
      ])
    ),
    ...(doubts.length === 0
      ? []
      : [
          table(
            ['!', 'LOOK AT', ''],
            doubts.map(({ field, doubt }) => ['!', field, doubt ?? ''])
          )
        ]),
    table(
      ['NATIVE ID', 'SKU', 'NAME'],
      examples.map(({ native_id: id, sku, row }) => [short(id), sku, short(row.name ?? '')])
    ),
    ...(refusals.length === 0
      ? []
      : [
          table(
            ['LEFT OUT', 'ROWS', 'NATIVE ID', 'BESIDE', 'SKU'],
            refusals.flatMap(({ reason, rows: refused, examples: some }) =>
              some.map(({ native_id: id, other_native_id: other, sku }, index) => [
                index === 0 ? reason : '',
                index === 0 ? String(refused) : '',
                short(id),
                short(other ?? ''),
                sku ?? ''
              ])
            )
          )
        ])
  ].join('\n')
}
