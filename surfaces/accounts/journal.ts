import { constants } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closed, isObject, Text, type JsonValue } from 'pantry/data'
import type { Database } from 'pantry/database'
import { isId } from '../ids.ts'

/** What ends something for good: a backup from before brings it back, and the journal ends it again. */
const endings = {
  'people.leave': 'delete from people where id = ? returning id',
  'receipts.withdraw': 'update publication_receipts set withdrawn_at = now() where id = ? and withdrawn_at is null returning id',
  'keys.revoke': 'update access_keys set revoked_at = now() where id = ? and revoked_at is null returning id'
} as const
type Ending = keyof typeof endings

type Entry = Readonly<{ act: Ending, subject: string }>

const Ended = closed({ id: Text })

/** Where endings are written down. */
export type Journal = Readonly<{ write: (entry: Entry) => Promise<void> }>

/** For databases that no backup is made of. */
export const noJournal: Journal = { write: () => Promise.resolve() }

function entryIn (line: string): Entry | undefined {
  try {
    const said = JSON.parse(line) as JsonValue
    if (!isObject(said)) return undefined
    const { act, subject } = said
    return typeof act === 'string' && Object.hasOwn(endings, act) && typeof subject === 'string' && isId(subject) ? { act: act as Ending, subject } : undefined
  } catch {
    // The last line of a process that was killed while it wrote: its act was not committed.
    return undefined
  }
}

/**
 * Erasures, withdrawals and revocations, by ids that are then nobody's, in a file of the data folder and not in the database: a backup that is restored does not
 * take them back. A line is on the disk before its act is committed.
 */
export class JournalFile implements Journal {
  readonly #folder: string
  readonly #file: string

  constructor (dataDir: string) {
    this.#folder = join(dataDir, 'journal')
    this.#file = join(this.#folder, 'endings.ndjson')
  }

  async write ({ act, subject }: Entry): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const handle = await open(this.#file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
    try {
      await handle.write(`${JSON.stringify({ at: new Date().toISOString(), act, subject })}\n`)
      await handle.datasync()
    } finally {
      await handle.close()
    }
  }

  /** Ends again what a restored backup brought back; how much that was. */
  async reapply ({ knex, rows }: Pick<Database, 'knex' | 'rows'>): Promise<number> {
    const text = await readFile(this.#file, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
      throw error
    })
    const entries = text.split('\n').flatMap(line => entryIn(line) ?? [])
    return await knex.transaction(async transaction => {
      let ended = 0
      for (const { act, subject } of entries) ended += (await rows(Ended, transaction.raw(endings[act], [subject]))).length
      return ended
    })
  }
}
