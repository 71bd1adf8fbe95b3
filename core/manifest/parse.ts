import type { JsonSchema } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggest } from '../diagnostics/suggest.ts'
import { compileSchema } from '../schema/compile.ts'
import { reportIssues } from '../source/report-issues.ts'
import { report } from '../source/report.ts'
import type { SourceFile } from '../source/source-file.ts'
import { kinds, type Kind } from '../vocabulary/words.ts'
import { manifestSchemas, type Manifest } from './schema.ts'

const fieldsOf = (kind: Kind): string[] => Object.keys(manifestSchemas[kind].properties)

const allFields = new Set(kinds.flatMap(fieldsOf))

/** An unknown field is a misspelling, or a field of other kinds: say which. */
function hintForKey (kind: Kind, key: string): string | undefined {
  const nearest = suggest(key, fieldsOf(kind))
  if (nearest !== undefined) return `Did you mean \`${nearest}\`?`
  const others = kinds.filter(other => fieldsOf(other).includes(key))
  return others.length === 0 ? undefined : `It belongs to kind ${others.map(one => `\`${one}\``).join(', ')}.`
}

function chooseKind (source: SourceFile, fields: Readonly<Record<string, unknown>>): Kind | Diagnostic {
  const allowed = `Kinds: ${kinds.map(one => `\`${one}\``).join(', ')}.`
  const given = fields['kind']
  if (given === undefined) {
    const misspelt = Object.keys(fields).find(key => !allFields.has(key) && suggest(key, ['kind']) !== undefined)
    return misspelt === undefined
      ? report(source, 'M201', [], 'The manifest does not say its `kind`.', { on: 'key', hint: allowed })
      : report(source, 'M201', [misspelt], `\`${misspelt}\` is not a field of a surface.`, { on: 'key', hint: 'Did you mean `kind`?' })
  }
  const kind = kinds.find(one => one === given)
  if (kind !== undefined) return kind
  const nearest = typeof given === 'string' ? suggest(given, kinds) : undefined
  return report(source, 'M201', ['kind'], `\`${typeof given === 'string' ? given : JSON.stringify(given)}\` is not a kind of surface.`, { hint: nearest === undefined ? allowed : `Did you mean \`${nearest}\`?` })
}

/** A file as a manifest: its kind first, then the closed schema of that kind alone, so that one mistake is one diagnostic. */
export function parseManifest (source: SourceFile): { manifest: Manifest | undefined, diagnostics: readonly Diagnostic[] } {
  const { value } = source
  const failed = (diagnostics: readonly Diagnostic[]): { manifest: undefined, diagnostics: readonly Diagnostic[] } => ({ manifest: undefined, diagnostics })
  if (value === undefined) return failed(source.diagnostics)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return failed([report(source, 'M210', [], 'A manifest is a mapping of fields.', { hint: 'Start with `kind:`.' })])
  }
  const kind = chooseKind(source, value as Readonly<Record<string, unknown>>)
  if (typeof kind !== 'string') return failed([kind])
  const issues = compileSchema(manifestSchemas[kind] as unknown as JsonSchema)(value)
  if (issues.length === 0) return { manifest: value as unknown as Manifest, diagnostics: [] }
  return failed(reportIssues(source, issues, { noun: `a \`${kind}\` surface`, hintForKey: key => hintForKey(kind, key) }))
}
