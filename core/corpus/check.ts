import type { JsonObject } from '../canonical/json.ts'
import type { Pointer } from '../source/source-file.ts'

/** A mistake in an entry that the schema cannot express, and its place. */
export type EntryProblem = Readonly<{ pointer: Pointer; message: string; hint?: string | undefined }>

/**
 * Returns the entries of a corpus of the same root; `undefined` if there is none or if it has mistakes, which are
 * reported separately.
 */
export type EntriesOf = (corpus: string) => readonly JsonObject[] | undefined

/**
 * Finds mistakes that the schema cannot express in an entry that matches it. `isSafePattern` tells whether a regular
 * expression runs in linear time; `entriesOf` returns the entries of other corpora of the root. `E` is the type that
 * the schema guarantees. It is declared as a method, so that a check of `E` is assignable to a check of any entry.
 */
export type CorpusCheck<E = JsonObject> = Readonly<{
  check(entry: E, isSafePattern: (pattern: string) => boolean, entriesOf: EntriesOf): readonly EntryProblem[]
}>['check']

/** A check of an entry, bound to everything else that it needs. */
export type Meaning = (entry: JsonObject) => readonly EntryProblem[]

/** The checks of a root by corpus name: the default export of its `surfaces/checks.ts`. */
export type CorpusChecks = Readonly<Record<string, CorpusCheck>>
