import type { TProperties } from 'typebox'
import type { Kind } from '../manifest/kind.ts'
import { manifestSchema, type Manifest } from '../manifest/manifest.ts'
import type { CompiledKind } from '../plan/kind.ts'
import type { Capability } from '../vocabulary/words.ts'
import type { Scaffold } from './scaffold.ts'

/**
 * A kind: all code for one way to answer requests. Each kind is a folder or a file beside this file and one line in
 * `list.ts`. Manifest, registry, plan, discovery and scaffold receive the list and mention no kind by name.
 *
 * A small kind has its parts in one file, in this order; a larger one has files such as these:
 *
 * - `manifest.ts`: its `fields` (TypeBox, snake_case, with descriptions that editors show), the type of its manifest,
 *   and the answer that a manifest compiles to, with every default filled in
 * - `check.ts`: the diagnostics beyond the schema: `check` (one file), `checkPath`, `checkFit` (against named content)
 * - `source.ts`: computes the answer. It receives only the capabilities that the kind lists in `reaches`
 * - `index.ts`: calls `defineKind`: also the input of its surfaces and the schema of their answers, where they differ
 *   from the default, what other code may know of an answer (`facts`), and the files of `pantry new`
 *
 * If the rest of the framework must know about an option, add a fact (`AnswerFacts`); never compare with the name of a
 * kind.
 */
export type KindModule = Kind & CompiledKind & Readonly<{ scaffold: Scaffold }>

type Definition<M extends Manifest, A, C extends Capability> = Omit<Kind<M, A>, 'schema' | 'reaches'> &
  CompiledKind<A, C> &
  Readonly<{ fields: TProperties; scaffold: Scaffold }>

/**
 * Defines a kind. Other code finds the module by its name, so it receives only manifests and answers of its own: that
 * is why the list of kinds can omit their types.
 */
export const defineKind = <M extends Manifest, A, C extends Capability = never>({
  fields,
  ...kind
}: Definition<M, A, C>): KindModule =>
  ({ ...kind, schema: manifestSchema(kind.name, kind.meaning, fields) }) as KindModule
