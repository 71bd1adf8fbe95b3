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

/** How a document is made: in one piece, or where that takes long at a thousand surfaces, in slices. */
type Made<S extends TSchema> =
  | Readonly<{
      build: (registry: Registry, request: DiscoveryRequest, observations: Observations) => Frozen<Static<S>>
    }>
  | Readonly<{ slices: (registry: Registry) => Sliced<Frozen<Static<S>>>; live?: never }>

type Definition<S extends TSchema> = Omit<DiscoveryModule, 'input' | 'schema' | 'build' | 'slices'> &
  Readonly<{ input?: Readonly<{ params?: TSchema; query?: TSchema }> }> &
  Made<S>

/**
 * A discovery document whose builder is type-checked against its own schema. Two calls, so that the schema is known
 * before the builder is read.
 */
export const defineDocument =
  <S extends TSchema>(schema: S) =>
  (definition: Definition<S>): DiscoveryModule => {
    const inOnePiece =
      'slices' in definition ? { build: (registry: Registry) => atOnce(definition.slices(registry)) } : {}
    // That a document which fits its schema is JSON does not follow from the type of an open schema.
    return { schema, ...inOnePiece, ...definition } as unknown as DiscoveryModule
  }

export { closed as Closed, Count, nullable as Nullable, Path } from '../contract/shapes.ts'

export const Text = Type.String({ minLength: 1 })
export const Url = Type.String({ pattern: '^https?://' })
export const Instant = Type.String({ format: 'date-time' })
/** Counts by a word: what `countBy` returns. */
export const Counts = Type.Record(Type.String(), Count)

export type WordList = 'access' | 'formats'
/** A word of a list that a service may extend; `schemaFor` puts the list in its place. */
const Word = (list: WordList) => Type.Unsafe<string>({ 'x-words': list })
export const AccessName = Type.Union([Word('access'), Type.Array(Word('access'), { minItems: 2 })], {
  description: 'Who may call; several kinds where it is a list.'
})
export const FormatName = Word('formats')
