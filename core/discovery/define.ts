import type { Static, TSchema } from 'typebox'
import { atOnce, type Sliced } from '../canonical/slices.ts'
import { Type } from '../canonical/type.ts'
import { Count } from '../contract/shapes.ts'
import type { Registry } from '../registry/registry.ts'
import type { DiscoveryModule, DiscoveryRequest, Observations } from './discovery.ts'

type Frozen<T> = T extends readonly (infer U)[]
  ? readonly Frozen<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T

/** How a document is built: at once, or in slices if it takes long for a thousand surfaces. */
type Made<S extends TSchema> =
  | Readonly<{
      build: (registry: Registry, request: DiscoveryRequest, observations: Observations) => Frozen<Static<S>>
    }>
  | Readonly<{ slices: (registry: Registry) => Sliced<Frozen<Static<S>>>; live?: never }>

type Definition<S extends TSchema> = Omit<DiscoveryModule, 'input' | 'schema' | 'build' | 'slices'> &
  Readonly<{ input?: Readonly<{ params?: TSchema; query?: TSchema }> }> &
  Made<S>

/**
 * Defines a discovery document whose builder is type-checked against its schema. There are two calls so that TypeScript
 * infers the schema before it checks the builder.
 */
export const defineDocument =
  <S extends TSchema>(schema: S) =>
  (definition: Definition<S>): DiscoveryModule => {
    const inOnePiece =
      'slices' in definition ? { build: (registry: Registry) => atOnce(definition.slices(registry)) } : {}
    // The cast is needed because the type of an open schema does not imply that a matching document is JSON.
    return { schema, ...inOnePiece, ...definition } as unknown as DiscoveryModule
  }

export { closed as Closed, Count, nullable as Nullable, Path } from '../contract/shapes.ts'

export const Text = Type.String({ minLength: 1 })
export const Url = Type.String({ pattern: '^https?://' })
export const Instant = Type.String({ format: 'date-time' })
/** The result of `countBy`: counts by word. */
export const Counts = Type.Record(Type.String(), Count)

export type WordList = 'access' | 'formats'
/** Placeholder for a list of words that a service may extend; `schemaFor` replaces it with the list. */
const Word = (list: WordList) => Type.Unsafe<string>({ 'x-words': list })
export const AccessName = Type.Union([Word('access'), Type.Array(Word('access'), { minItems: 2 })], {
  description: 'Who may call; several kinds where it is a list.'
})
export const FormatName = Word('formats')
