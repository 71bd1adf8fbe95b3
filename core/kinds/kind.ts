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
 * The parts of a kind. A small kind has all of them in one file, in this order; a larger one has these files:
 *
 * - `manifest.ts`: its `fields` (TypeBox, snake_case, each with a description that editors show on hover), the type of
 *   its manifest, and the answer that a manifest compiles to, with every default filled in
 * - `check.ts`: the diagnostics beyond the schema: `check` (one file), `checkPath`, `checkFit` (against the content it
 *   names)
 * - `source.ts`: computes the answer. It receives only the capabilities that the kind lists in `reaches`
 * - `index.ts`: combines all of this with `defineKind`: also the input of its surfaces and the schema of their answers,
 *   where they differ from the default, what other code may know of an answer (`facts`), and the files of `pantry new`
 *
 * A new option needs a field, a member of the answer, and its use in the source and in the schema of the answer, all in
 * one folder. If the rest of the framework must know about it, add a fact (`AnswerFacts` in `core/manifest/kind.ts`);
 * never compare with the name of a kind.
 */
export type KindModule = Kind & CompiledKind & Readonly<{ scaffold: Scaffold }>

type Definition<M extends Manifest, A, C extends Capability> = Omit<Kind<M, A>, 'schema' | 'reaches'> &
  CompiledKind<A, C> &
  Readonly<{ fields: TProperties; scaffold: Scaffold }>

/**
 * Defines a kind. Only the kind itself knows the types of its manifest and answer. Other code finds the module by the
 * kind's name, so each module receives only its own manifests and answers; that is why the list can omit the types.
 */
export const defineKind = <M extends Manifest, A, C extends Capability = never>({
  fields,
  ...kind
}: Definition<M, A, C>): KindModule =>
  ({ ...kind, schema: manifestSchema(kind.name, kind.meaning, fields) }) as KindModule
