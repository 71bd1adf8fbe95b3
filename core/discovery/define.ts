import type { Static, TArrayOptions, TProperties, TSchema } from 'typebox'
import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { runSync, type SlicedWork } from '../canonical/work.ts'
import { closed, Count } from '../contract/shapes.ts'
import type { Format } from '../format/index.ts'
import type { Registry } from '../registry/registry.ts'
import { methods } from '../vocabulary/words.ts'

/**
 * The state of a subsystem. While `isReadable` is false, the process should get no traffic. `isWritable`: whether the
 * subsystem accepts writes. The probe `/readyz` uses both; the discovery documents publish neither. `corpora`: the
 * corpora that are read from the subsystem, if nothing else is.
 */
export type SubsystemState = Readonly<{
  status: 'ok' | 'degraded' | 'down'
  detail: string
  isReadable?: boolean
  isWritable?: boolean
  corpora?: readonly string[]
}>

/** What only the running process knows. Only documents with `live: true` may depend on it. */
export type Observations = Readonly<{
  now: Date
  startedAt: Date
  /** States by the name of the subsystem: `process`, `database`, … */
  subsystems: Readonly<Record<string, SubsystemState>>
}>

export type DiscoveryRequest = Readonly<{
  params: Readonly<Record<string, string | number | boolean>>
  query: Readonly<Record<string, string | number | boolean | undefined>>
}>

/**
 * One discovery document. `build` is pure: the same registry, request and observations give the same document. It is a
 * string for a text document such as llms.txt, else JSON.
 */
export type DiscoveryModule = Readonly<{
  /** Object schemas of the path and query parameters that the document reads. */
  input?: Readonly<{ params?: JsonSchema; query?: JsonSchema }>
  /** Schema of what `build` returns in the default format. */
  schema: JsonSchema
  /** True if the document depends on observations, so that it is built for each request. */
  live?: boolean
  build: (registry: Registry, request: DiscoveryRequest, observations: Observations) => JsonValue | string
  /** Builds, in slices, a document that takes long for a thousand surfaces. It may depend on the registry only. */
  slices?: (registry: Registry) => SlicedWork<JsonValue>
  /** The media type of its JSON, if it is not `application/json`. */
  mediaType?: string
  /**
   * Returns the media type and the Cache-Control value of a text document that is served as a file. The text of a
   * binary one holds one byte in each character.
   */
  file?: (
    registry: Registry,
    request: DiscoveryRequest
  ) => Readonly<{ mediaType: string; control: string; isBinary?: boolean }>
  /** Functions that build the whole body, without envelope, as JSON or text, by the format that they replace or add. */
  renderings?: Readonly<Partial<Record<Format, (registry: Registry, request: DiscoveryRequest) => JsonValue>>>
}>

type DeepReadonly<T> = T extends readonly (infer U)[]
  ? readonly DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

type Definition<S extends TSchema> = Omit<DiscoveryModule, 'input' | 'schema' | 'build' | 'slices'> &
  Readonly<{ input?: Readonly<{ params?: TSchema; query?: TSchema }> }> &
  (
    | Readonly<{
        build: (registry: Registry, request: DiscoveryRequest, observations: Observations) => DeepReadonly<Static<S>>
      }>
    | Readonly<{ slices: (registry: Registry) => SlicedWork<DeepReadonly<Static<S>>>; live?: never }>
  )

/** Defines a document, in two calls, so that TypeScript infers `schema` in the first before it checks `build`. */
export const defineDocument =
  <S extends TSchema>(schema: S) =>
  (definition: Definition<S>): DiscoveryModule => {
    const build = 'slices' in definition ? { build: (registry: Registry) => runSync(definition.slices(registry)) } : {}
    // The cast is needed because the type of an open schema also allows values that are no JSON.
    return { schema, ...build, ...definition } as unknown as DiscoveryModule
  }

export { closed as Closed, Count, nullable as Nullable, Path } from '../contract/shapes.ts'

export const Text = Type.String({ minLength: 1 })
export const Texts = Type.Array(Text)
export const Url = Type.String({ pattern: '^https?://' })
export const Instant = Type.String({ format: 'date-time' })
export const Methods = Type.Array(Type.Enum(methods))

export const ListOf = <P extends TProperties>(members: P, options?: TArrayOptions) =>
  Type.Array(closed(members), options)

/** Returns the schema of an object that may have any member names, whose values match `value`. */
export const MapOf = <S extends TSchema>(value: S, description?: string) =>
  Type.Record(Type.String(), value, description === undefined ? {} : { description })

export const Counts = MapOf(Count)

export const NameParameter = (description: string) => Type.String({ minLength: 1, maxLength: 160, description })

export type WordList = 'access' | 'formats'
/** Returns a placeholder for the schema of a word of a list; `schemaFor` replaces it with the `enum` of a service. */
const Word = (list: WordList) => Type.Unsafe<string>({ 'x-words': list })
export const AccessName = Type.Union([Word('access'), Type.Array(Word('access'), { minItems: 2 })], {
  description: 'Who may call; several kinds where it is a list.'
})
export const FormatName = Word('formats')
export const FormatNames = Type.Array(FormatName)
