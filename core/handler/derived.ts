import type { TSchema } from 'typebox'
import type { DataOf } from '../manifest/data-of.ts'
import type { HandlerShape } from '../manifest/handler-shape.ts'
import type { PathTo } from '../manifest/path-to.ts'
import type { Registry } from '../registry/registry.ts'
import type { CorporaOf, CorporaRead, None, Reply } from './handler.ts'
import { plain } from './plain-schema.ts'

/** What an answer may be derived from: only what stays the same between two reloads. */
export type DerivedFrom<Corpora = unknown> = Readonly<{
  /** The corpora that the code declares. */
  corpora: Corpora
  registry: Registry
  pathTo: PathTo
}>

/** Code that answers once. `derive` is a method, so that the corpora it takes may be those it declares. */
export type Derivation = HandlerShape & Readonly<{ form: 'derive'; derive(from: DerivedFrom): Reply }>

type Definition<R extends TSchema, C extends CorporaRead> = Readonly<{
  /** What `derive` reads of corpora: for each, by its name, the schema of an entry. */
  corpora?: C
  reply: R
  derive: (from: DerivedFrom<CorporaOf<C>>) => Reply<DataOf<R>>
}>

/**
 * Writes code whose answer is constant between two reloads: it is made at the first request, and kept. Importing it has
 * no side effect.
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
