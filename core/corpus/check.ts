import type { JsonObject } from '../canonical/json.ts'
import type { Pointer } from '../source/source-file.ts'

/** A mistake in an entry that its schema cannot see, and where it stands. */
export type EntryProblem = Readonly<{ pointer: Pointer, message: string, hint?: string | undefined }>

/** Looks for such mistakes in one entry that matches its schema. `isSafePattern` says whether a regular expression runs in linear time. */
export type CorpusCheck = (entry: JsonObject, isSafePattern: (pattern: string) => boolean) => readonly EntryProblem[]

/** The checks of a root by corpus: default export of its `surfaces/checks.ts`. */
export type CorpusChecks = Readonly<Record<string, CorpusCheck>>
