import { closed, Count, Moment, nullable, NullableText, Text, Type, type DataOf } from 'pantry/data'
import type { Database } from 'pantry/database'

export const verdicts = {
  proved: 'A second reader read the files by the declaration alone, and found every row that is held as it is in them.',
  different: 'The second reader found other values or other rows than are held.',
  'not proved': 'The second reader could not read the files, or was not run. Nothing is said of what is held.'
} as const

const Counts = closed({
  rows: Count,
  sets: Count,
  equal: Count,
  different: Count,
  missing: Count,
  more: Count,
  left_out: Count,
  repeated: Count
})

/** The most files that are listed. The digest is of all. */
const maxFiles = 100

const verdict = {
  verdict: Type.Enum(Object.keys(verdicts) as (keyof typeof verdicts)[]),
  reason: NullableText,
  proved_at: Moment,
  is_current: Type.Boolean({ description: 'Whether nothing else was imported since.' }),
  counts: nullable(Counts),
  files_digest: nullable(Text)
}

/** What a second reader found of a source, as documents show it. */
export const Proof = closed({
  ...verdict,
  file_count: Count,
  files: Type.Array(closed({ path: Text, sha256: Text }), { maxItems: maxFiles })
})
export type Proof = DataOf<typeof Proof>

const ProofRow = Type.Object({ ...verdict, files: Type.Record(Text, Text) })

/** Returns what a second reader found last of a source; null when none was run. */
export async function proofOf(
  { reading: knex, rows }: Pick<Database, 'reading' | 'rows'>,
  source: string
): Promise<Proof | null> {
  const [row] = await rows(
    ProofRow,
    knex.raw(
      `
      select verdict, reason, proved_at, counts, files, digest as files_digest, snapshot is not distinct from (
        select r.snapshot from runs r where r.source = p.source and r.status = 'succeeded' order by r.id desc limit 1
      ) as is_current from source_proofs p where source = ?`,
      [source]
    )
  )
  if (row === undefined) return null
  const { files, ...rest } = row
  const listed = Object.entries(files as Readonly<Record<string, string>>)
    .map(([path, sha256]) => ({ path, sha256 }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  return { ...rest, file_count: listed.length, files: listed.slice(0, maxFiles) }
}
