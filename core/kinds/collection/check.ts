import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestionHint } from '../../diagnostics/suggest.ts'
import type { Context, ManifestFile } from '../../manifest/kind.ts'
import { propertiesOf, valueSchema } from '../../schema/json-schema.ts'
import { report, type Pointer, type SourceFile } from '../../source/report.ts'
import { checkMemberNames } from '../fields.ts'
import { filtersOf, listOf, type CollectionManifest, type Limit } from './manifest.ts'
import { operatorOf } from './operators/list.ts'

type File = ManifestFile<CollectionManifest>

/** What the checks of filters and fields read of a manifest, of a collection and of other kinds. */
type Selecting = Readonly<{
  source: SourceFile
  manifest: Pick<CollectionManifest, 'corpus' | 'filters' | 'order' | 'fields'>
}>

const reservedNames: Readonly<Record<string, string>> = {
  all: 'every entry instead of one',
  fields: 'the members of an entry',
  format: 'the representation',
  limit: 'the number of entries',
  cursor: 'the page',
  offset: 'the page'
}

const anotherName = 'Give the filter another name: `{ name, field, operation }`.'

/** `reserved`: what the parameters that are no filters already choose, by name. */
export function* checkFilterNames({ source, manifest }: Selecting, reserved = reservedNames): Generator<Diagnostic> {
  const names = filtersOf(manifest).map(({ name }) => name)
  for (const [index, name] of names.entries()) {
    const meaning = Object.hasOwn(reserved, name) ? reserved[name] : undefined
    if (meaning !== undefined)
      yield report(source, 'M304', ['filters', index], `The parameter \`${name}\` already chooses ${meaning}.`, {
        hint: anotherName
      })
    else if (names.indexOf(name) !== index)
      yield report(source, 'M304', ['filters', index], `The filter \`${name}\` is declared twice.`, {
        hint: 'Keep one of them.'
      })
  }
}

function* checkOptions({ source, manifest }: File): Generator<Diagnostic> {
  const { limit, pick, all, page } = manifest
  if (pick !== undefined) {
    const idle = (['limit', 'order', 'page'] as const).find(name => manifest[name] !== undefined)
    if (idle !== undefined)
      yield report(source, 'M306', [idle], 'A surface of the day answers with one entry, in the turn of its corpus.', {
        on: 'key',
        hint: `Remove \`${idle}\`, or \`pick\`.`
      })
  } else if (all !== undefined)
    yield report(source, 'M306', ['all'], 'A collection answers with all its entries anyway.', {
      on: 'key',
      hint: 'Remove `all`, or add `pick: daily`.'
    })
  else if (page !== undefined && limit === undefined)
    yield report(source, 'M323', ['page'], 'A page has a size, but there is no `limit`.', {
      on: 'key',
      hint: 'Add `limit: { default: 20, maximum: 100 }`.'
    })
  if (pick === undefined && all === undefined && limit !== undefined) yield* checkLimit(source, limit)
}

export function* checkLimit(source: SourceFile, limit: Limit): Generator<Diagnostic> {
  if (limit.default <= limit.maximum) return
  const message = `The default ${limit.default} is above the maximum ${limit.maximum}.`
  yield report(source, 'M305', ['limit', 'default'], message, { hint: 'Lower the default, or raise the maximum.' })
}

/** The members that a collection writes itself. */
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
  ...checkMemberNames(file, file.manifest.with, membersOf(file.manifest))
]

export function* checkFields({ source, manifest }: Selecting, { corpora }: Context): Generator<Diagnostic> {
  const corpus = corpora.get(manifest.corpus)
  if (corpus === undefined) return
  const properties = propertiesOf(corpus.schema)
  const unknown = (code: 'M418' | 'M420' | 'M425', at: Pointer, name: string): Diagnostic[] => {
    const hint = suggestionHint(name, Object.keys(properties))
    const message = `Entries of \`${manifest.corpus}\` have no field \`${name}\`.`
    return name in properties ? [] : [report(source, code, at, message, { hint })]
  }
  for (const [index, { name, field, operation }] of filtersOf(manifest).entries()) {
    const place = (member: string): Pointer => [
      'filters',
      index,
      ...(typeof manifest.filters?.[index] === 'string' ? [] : [member])
    ]
    const property = properties[field]
    const operator = operatorOf(operation)
    if (name === 'lang' && corpus.translations !== undefined) {
      const message = 'The parameter `lang` already chooses the language of this corpus.'
      yield report(source, 'M304', ['filters', index], message, { hint: anotherName })
    } else if (property === undefined) yield* unknown('M418', place('field'), field)
    else if (!operator.fits(valueSchema(property)))
      yield report(source, 'M419', place('operation'), `\`${operation}\` cannot compare \`${field}\`.`, {
        hint: `It needs ${operator.needs}.`
      })
  }
  const { order = [], fields } = manifest
  yield* order.flatMap((name, index) => unknown('M420', ['order', index], name.replace(/^-/, '')))
  if (fields === undefined) return
  yield* fields.flatMap((name, index) => unknown('M425', ['fields', index], name))
  if (!fields.includes(corpus.key)) {
    const message = `The key \`${corpus.key}\` is not shown, so no reader could ask for an entry.`
    yield report(source, 'M425', ['fields'], message, { hint: `Add \`${corpus.key}\`.` })
  }
}
