import { isObject, type JsonObject } from '../canonical/json.ts'
import { quotedList, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { didYouMean, renamedTo, suggest } from '../diagnostics/suggest.ts'
import { compileSchema } from '../schema/compile.ts'
import { requiredOf } from '../schema/json-schema.ts'
import { reportIssues } from '../source/report-issues.ts'
import { report, type SourceFile } from '../source/report.ts'
import type { Kind } from './kind.ts'
import type { Manifest } from './manifest.ts'
import { rightsMembers } from './rights.ts'

const fieldsOf = ({ schema }: Kind): string[] => Object.keys(schema.properties)
const namesOf = (kinds: readonly Kind[]): string[] => kinds.map(({ name }) => name)

/** Returns a hint for an unknown field: its new name, a similar field of the kind, or the other kinds that have it. */
function hintForKey(kind: Kind, kinds: readonly Kind[], key: string): string | undefined {
  const newName = renamedTo(kind.renamed, key)
  if (newName !== undefined) return `It is called \`${newName}\` now.`
  const others = kinds.filter(other => fieldsOf(other).includes(key))
  return (
    didYouMean(key, fieldsOf(kind)) ??
    (others.length === 0 ? undefined : `It belongs to kind ${quotedList(namesOf(others))}.`)
  )
}

function chooseKind(
  source: SourceFile,
  { kind: name, ...fields }: Readonly<Record<string, unknown>>,
  kinds: readonly Kind[]
): Kind | Diagnostic {
  const names = namesOf(kinds)
  const allowed = `Kinds: ${quotedList(names)}.`
  if (name === undefined) {
    const known = new Set(kinds.flatMap(fieldsOf))
    const misspelt = Object.keys(fields).find(key => !known.has(key) && suggest(key, ['kind']) !== undefined)
    return misspelt === undefined
      ? report(source, 'M201', [], 'The manifest does not say its `kind`.', { on: 'key', hint: allowed })
      : report(source, 'M201', [misspelt], `\`${misspelt}\` is not a field of a surface.`, {
          on: 'key',
          hint: 'Did you mean `kind`?'
        })
  }
  const kind = kinds.find(one => one.name === name)
  if (kind !== undefined) return kind
  const text = typeof name === 'string' ? name : JSON.stringify(name)
  return report(source, 'M201', ['kind'], `\`${text}\` is not a kind of surface.`, {
    hint: (typeof name === 'string' ? didYouMean(name, names) : undefined) ?? allowed
  })
}

export type Parsed = Readonly<{
  found?: Readonly<{ kind: Kind; manifest: Manifest }>
  diagnostics: readonly Diagnostic[]
}>

/**
 * Checks the value of a file as a manifest. It is compared with the closed schema of its own kind only, so that one
 * mistake gives one diagnostic.
 */
export function parseManifest(source: SourceFile, kinds: readonly Kind[]): Parsed {
  const value: unknown = source.value
  if (value === undefined) return { diagnostics: source.diagnostics }
  if (!isObject(value)) {
    const hint = 'Start with `kind:`.'
    return { diagnostics: [report(source, 'M210', [], 'A manifest is a mapping of fields.', { hint })] }
  }
  const kind = chooseKind(source, value, kinds)
  if ('severity' in kind) return { diagnostics: [kind] }
  const issues = compileSchema(kind.schema)(value)
  if (issues.length === 0) return { found: { kind, manifest: value as Manifest }, diagnostics: [] }
  return {
    diagnostics: reportIssues(source, issues, {
      noun: `a \`${kind.name}\` surface`,
      hintForKey: key => hintForKey(kind, kinds, key),
      renamed: kind.renamed
    })
  }
}

/** Returns the schema of a kind for manifests that either give all fields of rights or name a profile of rights. */
const orProfile = (schema: Kind['schema']): JsonObject =>
  ({
    ...schema,
    required: requiredOf(schema).filter(name => !rightsMembers.includes(name)),
    oneOf: [
      { required: ['rights'], not: { anyOf: rightsMembers.map(name => ({ required: [name] })) } },
      { required: rightsMembers, not: { required: ['rights'] } }
    ]
  }) as JsonObject

/**
 * Returns the schema with which editors check manifests: draft-07, because YAML language servers support that best. The
 * field `kind` selects the closed schema of the kind, in which `rights` may replace the single fields of rights.
 */
export const editorSchema = (kinds: readonly Kind[]): JsonObject => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Surface manifest',
  description: 'One file declares one surface: where its answer comes from, who may call it, and under which rights.',
  type: 'object',
  required: ['kind'],
  properties: {
    kind: {
      enum: namesOf(kinds),
      description: 'Where the answer comes from. Choose it first: it decides which fields exist.'
    }
  },
  allOf: kinds.map(({ name, schema }) => ({
    if: { properties: { kind: { const: name } }, required: ['kind'] },
    then: orProfile(schema)
  }))
})
