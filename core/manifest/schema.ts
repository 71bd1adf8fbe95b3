import type { Static, TObject, TOptional, TProperties, TString } from 'typebox'
import { Type } from '../canonical/type.ts'
import type { JsonSchema } from '../canonical/json.ts'
import { closed, facets, type AnyMethods } from './facets.ts'

/** The fields of every manifest, whatever its kind. */
export type Manifest = Readonly<
  Static<TObject<typeof facets & { kind: TString; method: TOptional<typeof AnyMethods> }>>
>

/** A manifest with the fields of its kind. */
export type ManifestWith<Fields extends TProperties> = Manifest & Readonly<Static<TObject<Fields>>>

/** The closed schema of the manifests of one kind. */
export type ManifestSchema = JsonSchema & Readonly<{ properties: Readonly<Record<string, JsonSchema>> }>

/** Returns the closed schema of one kind. YAML keys are snake_case; editors show the descriptions on hover. */
export function manifestSchema(name: string, meaning: string, fields: TProperties): ManifestSchema {
  const schema = Type.Object({ kind: Type.Literal(name), ...facets, ...fields }, { ...closed, description: meaning })
  // TypeBox schemas carry markers that are not JSON; the round trip through JSON text removes them.
  return JSON.parse(JSON.stringify(schema)) as ManifestSchema
}
