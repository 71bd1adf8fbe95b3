import type { JsonValue } from '../../core/canonical/json.ts'
import type { DeclaredType } from './column-types.ts'

/** A row of a file, or why it cannot be read. `line` counts from 1; where a file has no lines it counts rows. */
export type FileRow = Readonly<{ line: number }> &
  Readonly<{ values: ReadonlyMap<string, JsonValue> } | { reason: string }>

/**
 * A file with rows. `read` begins at its start each time. `declared`: what it says of its columns, by their names.
 * `notes`: what is not taken, or not as it is; reading adds to it.
 */
export type TableFile = Readonly<{
  read: () => Iterable<FileRow> | AsyncIterable<FileRow>
  declared: ReadonlyMap<string, DeclaredType>
  notes: ReadonlySet<string>
}>
