import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import { propertiesOf } from '../manifest/entry-fields.ts'
import type { Pointer, SourceFile } from '../source/source-file.ts'
import type { LoadedCorpus, Reference } from './loaded.ts'

const membersOf = (schema: JsonSchema): [string, JsonSchema][] => Object.entries(propertiesOf(schema))

/** Returns every `x-corpus` of a schema. */
export function declaredReferences(schema: JsonSchema, source: SourceFile, at: Pointer = []): LoadedCorpus['refersTo'] {
  const own = schema['x-corpus']
  const items = schema['items'] as JsonSchema | undefined
  return [
    ...(typeof own === 'string' ? [{ corpus: own, place: { source, pointer: [...at, 'x-corpus'] } }] : []),
    ...membersOf(schema).flatMap(([name, member]) => declaredReferences(member, source, [...at, 'properties', name])),
    ...(items === undefined ? [] : declaredReferences(items, source, [...at, 'items']))
  ]
}

/** Returns the keys of other corpora within an entry: the values of fields with `x-corpus`. */
export function referencesIn(
  schema: JsonSchema,
  value: JsonValue | undefined,
  pointer: Pointer = []
): Pick<Reference, 'corpus' | 'key' | 'pointer'>[] {
  if (value === undefined || value === null) return []
  const corpus = schema['x-corpus']
  if (typeof value === 'string') return typeof corpus === 'string' ? [{ corpus, key: value, pointer }] : []
  if (typeof value !== 'object') return []
  if (Array.isArray(value)) {
    const items = schema['items'] as JsonSchema | undefined
    return items === undefined
      ? []
      : (value as readonly JsonValue[]).flatMap((item, index) => referencesIn(items, item, [...pointer, index]))
  }
  const fields = value as Readonly<Record<string, JsonValue>>
  return membersOf(schema).flatMap(([name, member]) => referencesIn(member, fields[name], [...pointer, name]))
}
