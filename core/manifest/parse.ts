import type { JsonObject } from '../canonical/json.ts'
import { quotedList, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/suggest.ts'
import { compileSchema } from '../schema/compile.ts'
import { reportIssues } from '../source/report-issues.ts'
import { report, type SourceFile } from '../source/report.ts'
import type { Kind } from './kind.ts'
import type { Manifest } from './manifest.ts'
import { rightsMembers } from './rights.ts'

const fieldsOf = ({ schema }: Kind): string[] => Object.keys(schema.properties)
const listed = (kinds: readonly Kind[]): string => quotedList(kinds.map(({ name }) => name))

/** Returns a hint for an unknown field: its new name, a similar field of the kind, or the other kinds that have it. */
function hintForKey(kind: Kind, kinds: readonly Kind[], key: string): string | undefined {
  const now = kind.renamed?.[key]
  if (now !== undefined) return `It is called \`${now}\` now.`
  const nearest = suggest(key, fieldsOf(kind))
  if (nearest !== undefined) return `Did you mean \`${nearest}\`?`
  const others = kinds.filter(other => fieldsOf(other).includes(key))
  return others.length === 0 ? undefined : `It belongs to kind ${listed(others)}.`
}

function chooseKind(
  source: SourceFile,
  fields: Readonly<Record<string, unknown>>,
  kinds: readonly Kind[]
): Kind | Diagnostic {
  const allowed = `Kinds: ${listed(kinds)}.`
  const given = fields['kind']
  if (given === undefined) {
    const all = new Set(kinds.flatMap(fieldsOf))
    const misspelt = Object.keys(fields).find(key => !all.has(key) && suggest(key, ['kind']) !== undefined)
    return misspelt === undefined
      ? report(source, 'M201', [], 'The manifest does not say its `kind`.', { on: 'key', hint: allowed })
      : report(source, 'M201', [misspelt], `\`${misspelt}\` is not a field of a surface.`, {
          on: 'key',
          hint: 'Did you mean `kind`?'
        })
  }
  const kind = kinds.find(({ name }) => name === given)
  if (kind !== undefined) return kind
  const nearest =
    typeof given === 'string'
      ? suggest(
          given,
          kinds.map(({ name }) => name)
        )
      : undefined
  return report(
    source,
    'M201',
    ['kind'],
    `\`${typeof given === 'string' ? given : JSON.stringify(given)}\` is not a kind of surface.`,
    { hint: nearest === undefined ? allowed : `Did you mean \`${nearest}\`?` }
  )
}

export type Parsed = Readonly<{
  found?: Readonly<{ kind: Kind; manifest: Manifest }>
  diagnostics: readonly Diagnostic[]
}>

/**
 * Parses a file as a manifest. It chooses the kind first and then checks against that kind's closed schema only, so
 * that one mistake gives one diagnostic.
 */
export function parseManifest(source: SourceFile, kinds: readonly Kind[]): Parsed {
  const { value } = source
  if (value === undefined) return { diagnostics: source.diagnostics }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return {
      diagnostics: [report(source, 'M210', [], 'A manifest is a mapping of fields.', { hint: 'Start with `kind:`.' })]
    }
  }
  const kind = chooseKind(source, value as Readonly<Record<string, unknown>>, kinds)
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

/** A schema of manifests that say their rights, or name a profile. */
const orProfile = (schema: Kind['schema']): JsonObject => {
  const required = (schema['required'] ?? []) as readonly string[]
  return {
    ...schema,
    required: required.filter(name => !rightsMembers.includes(name)),
    oneOf: [
      { required: ['rights'], not: { anyOf: rightsMembers.map(name => ({ required: [name] })) } },
      { required: rightsMembers, not: { required: ['rights'] } }
    ]
  } as JsonObject
}

/**
 * Returns the schema with which editors check manifests. It is draft-07, because YAML language servers support that
 * best. The field `kind` selects the closed schema. `pantry validate` uses that schema alone, so its messages are more
 * exact.
 */
export function editorSchema(kinds: readonly Kind[]): JsonObject {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Surface manifest',
    description: 'One file declares one surface: where its answer comes from, who may call it, and under which rights.',
    type: 'object',
    required: ['kind'],
    properties: {
      kind: {
        enum: kinds.map(({ name }) => name),
        description: 'Where the answer comes from. Choose it first: it decides which fields exist.'
      }
    },
    allOf: kinds.map(({ name, schema }) => ({
      if: { properties: { kind: { const: name } }, required: ['kind'] },
      then: orProfile(schema)
    }))
  }
  return schema
}
