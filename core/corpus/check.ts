import type { JsonObject } from '../canonical/json.ts'
import type { Pointer } from '../source/source-file.ts'

/** A mistake in an entry that its schema cannot see, and its place. */
export type EntryProblem = Readonly<{ pointer: Pointer; message: string; hint?: string | undefined }>

/**
 * Entries of a corpus of the same root; `undefined` when there is none, or when it has mistakes, which are reported
 * where they are.
 */
export type EntriesOf = (corpus: string) => readonly JsonObject[] | undefined

/**
 * Looks for such mistakes in one entry that matches its schema. `isSafePattern` says whether a regular expression runs
 * in linear time; `entriesOf` gives what other corpora of the root declare. `E` is what the schema makes sure of;
 * written as a method, so that a check of such entries is a check of a corpus.
 */
export type CorpusCheck<E = JsonObject> = Readonly<{
  check(entry: E, isSafePattern: (pattern: string) => boolean, entriesOf: EntriesOf): readonly EntryProblem[]
}>['check']

/** A check with all that it looks at beside the entry. */
export type Meaning = (entry: JsonObject) => readonly EntryProblem[]

/** The checks of a root by corpus: default export of its `surfaces/checks.ts`. */
export type CorpusChecks = Readonly<Record<string, CorpusCheck>>
