import type { TProperties } from 'typebox'
import type { Kind } from '../manifest/kind.ts'
import { manifestSchema, type Manifest } from '../manifest/schema.ts'
import type { CompiledKind } from '../plan/kind.ts'
import type { Capability } from '../vocabulary/capabilities.ts'
import type { Scaffold } from './scaffold.ts'

/**
 * A kind: everything the framework knows of one way to answer. It is a folder beside this file and one line in
 * `list.ts`; manifest, registry, plan, discovery and scaffold are handed the list, and name no kind.
 *
 * How a kind is built:
 *
 * - `manifest.ts`: its `fields` (TypeBox, snake_case, each with a description: the hover of the editor) and the type of
 *   its manifest
 * - `answer.ts`: the answer that a manifest compiles to, with every default filled in, and what others may know of it
 *   (`facts`)
 * - `check.ts`: the diagnostics beyond the shape: `check` (one file), `checkPath`, `checkFit` (against the content it
 *   names)
 * - `input.ts`, `output.ts`: what it reads and the schema of what it answers, where they differ from the usual
 * - `source.ts`: how it answers. It is given what the kind `reaches` and nothing else
 * - `scaffold.ts`: the files of `pantry new`
 * - `index.ts`: all of it in one `defineKind`. A small kind has all of it there
 *
 * A new option is a field, a member of the answer, and its use in `source.ts` and `output.ts`, all in one folder. What
 * the rest of the framework must know of it is a fact (`AnswerFacts` in `core/manifest/kind.ts`), never the name of a
 * kind.
 */
export type KindModule = Kind & CompiledKind & Readonly<{ scaffold: Scaffold }>

type Definition<M extends Manifest, A, C extends Capability> = Omit<Kind<M, A>, 'schema' | 'reaches'> &
  CompiledKind<A, C> &
  Readonly<{ fields: TProperties; scaffold: Scaffold }>

/**
 * The types of manifest and answer are known inside the kind alone. Outside, the name of a kind finds the module, so
 * each module is given only manifests and answers of its own: that is why the list may forget the types.
 */
export const defineKind = <M extends Manifest, A, C extends Capability = never>({
  fields,
  ...kind
}: Definition<M, A, C>): KindModule =>
  ({ ...kind, schema: manifestSchema(kind.name, kind.meaning, fields) }) as KindModule
