import { suggestion } from '../../diagnostics/suggest.ts'
import { filtersOf } from '../../manifest/answer.ts'
import { fits, propertiesOf } from '../../manifest/entry-fields.ts'
import { report } from '../../source/report.ts'
import type { ReferenceRule } from './rule.ts'

const needs = { equals: 'a text, number or boolean, or a list of one of them', 'equals-any-case': 'a text that is not one of a list of words', since: 'a field with `format: date` or `date-time`', maximum: 'a number' }

/** M418, M419, M420, M425: filters, order and shown fields name fields of the corpus schema, and filters can compare theirs. The key is shown. */
export const collectionFields: ReferenceRule = ({ manifests, corpora }) => manifests.flatMap(({ source, manifest }) => {
  const schema = manifest.kind === 'collection' ? corpora.get(manifest.corpus)?.corpus.schema : undefined
  if (manifest.kind !== 'collection' || schema === undefined) return []
  const fields = propertiesOf(schema)
  const filters = filtersOf(manifest).flatMap(({ field, operation }, index) => {
    const isShort = typeof manifest.filters?.[index] === 'string'
    const at = ['filters', index, ...isShort ? [] : ['field']]
    const known = fields[field]
    if (known === undefined) return [report(source, 'M418', at, `Entries of \`${manifest.corpus}\` have no field \`${field}\`.`, { hint: suggestion(field, Object.keys(fields)) })]
    return fits(operation, known) ? [] : [report(source, 'M419', isShort ? at : ['filters', index, 'operation'], `\`${operation}\` cannot compare \`${field}\`.`, { hint: `It needs ${needs[operation]}.` })]
  })
  const order = (manifest.order ?? []).flatMap((name, index) => {
    const field = name.replace(/^-/, '')
    return field in fields ? [] : [report(source, 'M420', ['order', index], `Entries of \`${manifest.corpus}\` have no field \`${field}\`.`, { hint: suggestion(field, Object.keys(fields)) })]
  })
  const key = corpora.get(manifest.corpus)?.corpus.key ?? ''
  const shown = (manifest.fields ?? []).flatMap((name, index) => name in fields ? [] : [
    report(source, 'M425', ['fields', index], `Entries of \`${manifest.corpus}\` have no field \`${name}\`.`, { hint: suggestion(name, Object.keys(fields)) })
  ])
  const keyless = manifest.fields === undefined || manifest.fields.includes(key) ? [] : [report(source, 'M425', ['fields'], `The key \`${key}\` is not shown, so no reader could ask for an entry.`, { hint: `Add \`${key}\`.` })]
  return [...filters, ...order, ...shown, ...keyless]
})
