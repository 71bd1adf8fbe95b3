import type { TSchema } from 'typebox'
import type { DataOf, HandlerShape } from '../manifest/kind.ts'
import type { PathTo } from '../manifest/paths.ts'
import type { Registry } from '../registry/registry.ts'
import type { CorporaOf, CorporaRead, None, Reply } from './handler.ts'
import { plain } from './plain-schema.ts'

/** The input of a derivation: only what does not change until the next reload. */
export type DerivedFrom<Corpora = unknown> = Readonly<{
  /** The corpora that the code declares. */
  corpora: Corpora
  registry: Registry
  pathTo: PathTo
}>

/**
 * Code whose answer is constant until the next reload. `derive` is a method, so that TypeScript accepts a narrower type
 * for its corpora.
 */
export type Derivation = HandlerShape & Readonly<{ form: 'derive'; derive(from: DerivedFrom): Reply }>

type Definition<R extends TSchema, C extends CorporaRead> = Readonly<{
  /** The corpora that `derive` reads: for each, by name, the schema of an entry. */
  corpora?: C
  reply: R
  derive: (from: DerivedFrom<CorporaOf<C>>) => Reply<DataOf<R>>
}>

/**
 * Defines code whose answer is constant between two reloads: it is made at the first request, and cached. Importing it
 * has no side effect.
 */
export const defineDerived = <R extends TSchema, C extends CorporaRead = None>({
  corpora,
  reply,
  derive
}: Definition<R, C>): Derivation => ({
  form: 'derive',
  ...(corpora === undefined
    ? {}
    : { corpora: Object.fromEntries(Object.entries(corpora).map(([name, schema]) => [name, plain(schema)])) }),
  reply: plain(reply),
  derive
})
