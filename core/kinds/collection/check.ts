import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestion } from '../../diagnostics/suggest.ts'
import type { Context, ManifestFile } from '../../manifest/kind.ts'
import { propertiesOf, valueSchema } from '../../schema/json-schema.ts'
import { report } from '../../source/report.ts'
import { freeMembers } from '../fields.ts'
import { filtersOf, listOf, type CollectionManifest } from './manifest.ts'
import { operatorOf } from './operators/list.ts'

type File = ManifestFile<CollectionManifest>

const reserved: Readonly<Record<string, string>> = {
  all: 'every entry instead of one',
  fields: 'the members of an entry',
  format: 'the representation',
  limit: 'the number of entries',
  cursor: 'the page',
  offset: 'the page'
}

/** M304: the names of filters must be unique and not reserved. */
function checkFilterNames({ source, manifest }: File): Diagnostic[] {
  const names = filtersOf(manifest).map(({ name }) => name)
  return names.flatMap((name, index) => {
    const meaning = reserved[name]
    if (meaning !== undefined)
      return [
        report(source, 'M304', ['filters', index], `The parameter \`${name}\` already chooses ${meaning}.`, {
          hint: 'Give the filter another name: `{ name, field, operation }`.'
        })
      ]
    return names.indexOf(name) === index
      ? []
      : [
          report(source, 'M304', ['filters', index], `The filter \`${name}\` is declared twice.`, {
            hint: 'Keep one of them.'
          })
        ]
  })
}

/** M305, M306, M323: the default limit must not exceed the maximum, and the options must not contradict each other. */
function checkOptions({ source, manifest: { limit, pick, order, all, page } }: File): Diagnostic[] {
  if (pick !== undefined) {
    const idle = limit !== undefined ? 'limit' : order !== undefined ? 'order' : page !== undefined ? 'page' : undefined
    return idle === undefined
      ? []
      : [
          report(source, 'M306', [idle], 'A surface of the day answers with one entry, in the turn of its corpus.', {
            on: 'key',
            hint: `Remove \`${idle}\`, or \`pick\`.`
          })
        ]
  }
  if (all !== undefined)
    return [
      report(source, 'M306', ['all'], 'A collection answers with all its entries anyway.', {
        on: 'key',
        hint: 'Remove `all`, or add `pick: daily`.'
      })
    ]
  if (page !== undefined && limit === undefined)
    return [
      report(source, 'M323', ['page'], 'A page has a size, but there is no `limit`.', {
        on: 'key',
        hint: 'Add `limit: { default: 20, maximum: 100 }`.'
      })
    ]
  return limit === undefined || limit.default <= limit.maximum
    ? []
    : [
        report(
          source,
          'M305',
          ['limit', 'default'],
          `The default ${limit.default} is above the maximum ${limit.maximum}.`,
          { hint: 'Lower the default, or raise the maximum.' }
        )
      ]
}

/** Returns the names of the members that a collection writes itself. */
const membersOf = (manifest: CollectionManifest): string[] => [
  'scope',
  'filters_applied',
  'filter_vocabulary',
  ...(manifest.pick === undefined ? ['formats', 'returned'] : ['date', 'all']),
  listOf(manifest)
]

export const checkCollection = (file: File): Diagnostic[] => [
  ...checkFilterNames(file),
  ...checkOptions(file),
  ...freeMembers(file, file.manifest.with, membersOf(file.manifest))
]

/**
 * M304, M418, M419, M420, M425: filters, order and shown fields must name fields of the corpus schema, the operation of
 * a filter must fit its field, and the key must be among the shown fields.
 */
export function checkFields({ source, manifest }: File, { corpora }: Context): Diagnostic[] {
  const corpus = corpora.get(manifest.corpus)
  if (corpus === undefined) return []
  const fields = propertiesOf(corpus.schema)
  const unknown = (code: 'M418' | 'M420' | 'M425', at: (string | number)[], name: string): Diagnostic[] =>
    name in fields
      ? []
      : [
          report(source, code, at, `Entries of \`${manifest.corpus}\` have no field \`${name}\`.`, {
            hint: suggestion(name, Object.keys(fields))
          })
        ]
  const filters = filtersOf(manifest).flatMap(({ name, field, operation }, index) => {
    const isShort = typeof manifest.filters?.[index] === 'string'
    const known = fields[field]
    if (name === 'lang' && corpus.translations !== undefined)
      return [
        report(
          source,
          'M304',
          ['filters', index],
          'The parameter `lang` already chooses the language of this corpus.',
          { hint: 'Give the filter another name: `{ name, field, operation }`.' }
        )
      ]
    if (known === undefined) return unknown('M418', ['filters', index, ...(isShort ? [] : ['field'])], field)
    const operator = operatorOf(operation)
    return operator.fits(valueSchema(known))
      ? []
      : [
          report(
            source,
            'M419',
            ['filters', index, ...(isShort ? [] : ['operation'])],
            `\`${operation}\` cannot compare \`${field}\`.`,
            { hint: `It needs ${operator.needs}.` }
          )
        ]
  })
  const keyless =
    manifest.fields === undefined || manifest.fields.includes(corpus.key)
      ? []
      : [
          report(
            source,
            'M425',
            ['fields'],
            `The key \`${corpus.key}\` is not shown, so no reader could ask for an entry.`,
            { hint: `Add \`${corpus.key}\`.` }
          )
        ]
  return [
    ...filters,
    ...(manifest.order ?? []).flatMap((name, index) => unknown('M420', ['order', index], name.replace(/^-/, ''))),
    ...(manifest.fields ?? []).flatMap((name, index) => unknown('M425', ['fields', index], name)),
    ...keyless
  ]
}
