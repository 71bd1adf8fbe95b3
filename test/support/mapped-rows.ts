import type { Mapped, Rejected } from '../../surfaces/import/reading/map-row.ts'
import { readSource } from '../../surfaces/import/reading/read-source.ts'

/** The rows of a source one by one. */
export async function* mappedRows(...given: Parameters<typeof readSource>): AsyncGenerator<Mapped | Rejected> {
  for await (const { rows } of readSource(...given)) yield* rows
}
