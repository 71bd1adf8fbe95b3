import { hashCanonical, isObject, type JsonObject, type JsonSchema, type JsonValue } from '../canonical/json.ts'
import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { compileSchema } from '../schema/compile.ts'
import { definitionOf } from '../schema/definitions.ts'
import { propertiesOf } from '../schema/json-schema.ts'
import { reportIssues } from '../source/report-issues.ts'
import { BoundedReports, report, type Pointer, type SourceFile } from '../source/report.ts'
import type { CheckEntry } from './corpus.ts'
import type { CorpusDeclaration } from './declaration.ts'
import type { LoadedCorpus, SourceEntry, Reference, ValuePlace } from './loaded.ts'

/** Returns a diagnostic at a pointer (`at`) within the value at a place. */
export const reportAt = (
  { source, pointer }: ValuePlace,
  code: DiagnosticCode,
  at: Pointer,
  message: string,
  more: Parameters<typeof report>[4]
): Diagnostic => report(source, code, [...pointer, ...at], message, more)

/** Adds the declared hash to each entry. An entry that gives the hash itself is reported, because they could differ. */
export function computeHashes(
  entries: readonly SourceEntry[],
  declaration: CorpusDeclaration
): { entries: readonly SourceEntry[]; diagnostics: Diagnostic[] } {
  const field = declaration.hash?.field
  if (field === undefined) return { entries, diagnostics: [] }
  const reports = new BoundedReports()
  for (const { file, value, place } of entries)
    if (isObject(value) && value[field] !== undefined)
      reports.add(file, 1, () => [
        reportAt(place(), 'C209', [field], `\`${field}\` is computed, so no entry gives it.`, {
          on: 'key',
          hint: 'Remove it.'
        })
      ])
  return {
    entries: entries.map(one => (isObject(one.value) ? { ...one, value: withHash(one.value, declaration) } : one)),
    diagnostics: reports.all()
  }
}

export function checkEntries(
  entries: readonly SourceEntry[],
  key: string,
  schema: JsonSchema,
  checkEntry: CheckEntry
): Diagnostic[] {
  const check = compileSchema(schema)
  const reports = new BoundedReports()
  const byKey = new Map<string, SourceEntry>()
  for (const entry of entries) {
    const { file, value, place, fileName, missing } = entry
    const issues = check(value)
    if (issues.length > 0) {
      reports.add(file, issues.length, () => {
        const { source, pointer } = place()
        return reportIssues(source, issues, { noun: 'an entry', code: () => 'C201', base: pointer, missing })
      })
      continue
    }
    const id = (value as JsonObject)[key] as string
    const earlier = byKey.get(id)
    if (earlier !== undefined) {
      reports.add(file, 1, () => {
        const { source, pointer } = earlier.place()
        const { line } = source.locate([...pointer, key])
        return [
          reportAt(place(), 'C202', [key], `The key \`${id}\` is already used in ${earlier.file}:${line}.`, {
            hint: 'Keys are unique within a corpus.'
          })
        ]
      })
      continue
    }
    byKey.set(id, entry)
    const problems = checkEntry(value as JsonObject)
    if (problems.length > 0) {
      reports.add(file, problems.length, () => {
        const at = place()
        return problems.map(({ pointer, message, hint }) => reportAt(at, 'C208', pointer, message, { hint }))
      })
    } else if (fileName !== undefined && fileName !== id) {
      const ending = file.slice(file.lastIndexOf('/') + 1 + fileName.length)
      reports.add(file, 1, () => [
        reportAt(place(), 'C203', [key], `The file is named \`${fileName}\`, but its key is \`${id}\`.`, {
          hint: `Rename the file to \`${id}${ending}\`, or change the key.`
        })
      ])
    }
  }
  return reports.all()
}

/** Returns an entry with the declared hash and its key first. In the hash, absent fields of `over` count as null. */
export function withHash(entry: JsonObject, { key, hash }: CorpusDeclaration): JsonObject {
  if (hash === undefined) return entry
  const covered = Object.fromEntries(hash.over.map(name => [name, entry[name] ?? null]))
  const { [key]: first = null, ...rest } = { ...entry, [hash.field]: hashCanonical(covered) }
  return { [key]: first, ...rest }
}

const membersOf = (schema: JsonSchema): [string, JsonSchema][] => Object.entries(propertiesOf(schema))

/** `schema` is that of the file, so that `at` is a place in it. */
export function declaredReferences(schema: JsonSchema, source: SourceFile, at: Pointer = []): LoadedCorpus['refersTo'] {
  const corpus = schema['x-corpus']
  const items = schema['items'] as JsonSchema | undefined
  const named = (['properties', '$defs', 'definitions'] as const).flatMap(keyword =>
    Object.entries((schema[keyword] ?? {}) as Readonly<Record<string, JsonSchema>>).flatMap(([name, member]) =>
      declaredReferences(member, source, [...at, keyword, name])
    )
  )
  return [
    ...(typeof corpus === 'string' ? [{ corpus, place: { source, pointer: [...at, 'x-corpus'] } }] : []),
    ...named,
    ...(items === undefined ? [] : declaredReferences(items, source, [...at, 'items']))
  ]
}

/** Returns the keys of entries of corpora (`x-corpus`) within a value. */
export function referencesIn(
  schema: JsonSchema,
  value: JsonValue | undefined,
  pointer: Pointer = [],
  whole = schema
): Pick<Reference, 'corpus' | 'key' | 'pointer'>[] {
  const { items, 'x-corpus': corpus } = schema
  const target = definitionOf(whole, schema)
  const beyond = target === undefined ? [] : referencesIn(target, value, pointer, whole)
  if (isObject(value))
    return [
      ...beyond,
      ...membersOf(schema).flatMap(([name, member]) => referencesIn(member, value[name], [...pointer, name], whole))
    ]
  if (typeof value === 'string' && typeof corpus === 'string') return [...beyond, { corpus, key: value, pointer }]
  if (typeof value !== 'object' || value === null || items === undefined) return beyond
  return [
    ...beyond,
    ...value.flatMap((item, index) => referencesIn(items as JsonSchema, item, [...pointer, index], whole))
  ]
}
