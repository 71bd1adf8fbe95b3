import { constants } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closed, isObject, Text, type JsonObject, type JsonValue } from 'pantry/data'
import { dataDirOf, deleteUnrestored, type Database, type Knex } from 'pantry/database'
import { isId } from '../ids.ts'
import { actKindOf } from './act-kinds.ts'
import { eraseWords } from './erase.ts'

/** One line of the journal: the act, its subject and time, and the details that are needed to repeat it. */
type Entry = Readonly<{ at: string; act: string; subject: string; details: Readonly<Record<string, string | boolean>> }>

const Ended = closed({ id: Text })

/** Details are words of the service or ids, never text of a person. */
const plainWord = /^[\w.,-]{0,200}$/

const fileIn = (dataDir: string): string => join(dataDir, 'journal', 'endings.ndjson')

/** Returns the details that the journal stores for an act; undefined if one is missing or contains other characters. */
function detailsOf(act: string, said: JsonObject): Entry['details'] | undefined {
  const { details = [], actor } = actKindOf(act) ?? {}
  const found: [string, string | boolean][] = []
  for (const name of [...details, ...(actor === true ? ['actor'] : [])]) {
    const value = said[name]
    const text = Array.isArray(value) ? value.join(',') : value
    if (typeof text !== 'boolean' && (typeof text !== 'string' || !plainWord.test(text))) return undefined
    found.push([name, text])
  }
  return Object.fromEntries(found)
}

function entryIn(line: string): Entry | undefined {
  try {
    const said = JSON.parse(line) as JsonValue
    if (!isObject(said)) return undefined
    const { act, subject, at } = said
    if (
      typeof act !== 'string' ||
      actKindOf(act) === undefined ||
      typeof subject !== 'string' ||
      !isId(subject) ||
      typeof at !== 'string' ||
      Number.isNaN(Date.parse(at))
    )
      return undefined
    // Older versions wrote entries without details.
    const details = detailsOf(act, { actor: '', scope: '', ...said })
    return details === undefined ? undefined : { at, act, subject, details }
  } catch {
    // An incomplete last line, from a process that was killed while it wrote; its act was not committed.
    return undefined
  }
}

/**
 * Writes an act that ends something to a file in the data folder, outside of the database, so that a restored backup
 * does not undo it. Entries contain only ids, which mean nothing once their rows are gone. The line is synced to disk
 * before the act is committed. Writes nothing if there is no data folder.
 */
export async function writeEnding(
  knex: Knex,
  act: string,
  subject: string,
  at: string,
  said: JsonObject
): Promise<void> {
  const [kind, dataDir] = [actKindOf(act), dataDirOf(knex)]
  if (dataDir === '' || (kind?.again === undefined && kind?.family === undefined)) return
  const details = detailsOf(act, said)
  if (details === undefined) throw new Error(`The act ${act} lacks a detail that the journal keeps.`)
  const file = fileIn(dataDir)
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  const handle = await open(
    file,
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
    0o600
  )
  try {
    await handle.write(`${JSON.stringify({ at, act, subject, ...details })}\n`)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/** Returns the entries in the order of their acts; of each family only the last for a subject. */
function lastOnes(entries: readonly Entry[]): readonly Entry[] {
  const kept = new Map<string, Entry>()
  for (const [index, entry] of entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).entries()) {
    const { family } = actKindOf(entry.act) ?? {}
    kept.set(
      family === undefined ? String(index) : `${family} ${entry.subject} ${String(entry.details['role'] ?? '')}`,
      entry
    )
  }
  return [...kept.values()]
}

/**
 * Repeats the acts of the journal that a restored backup has undone, and returns the number of changed rows. If there
 * are any, also deletes the rows that a restore must not bring back.
 */
export async function endAgain({ knex, rows }: Pick<Database, 'knex' | 'rows'>, dataDir: string): Promise<number> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  })
  const entries = lastOnes(text.split('\n').flatMap(line => entryIn(line) ?? []))
  return await knex.transaction(async transaction => {
    let ended = 0
    for (const { act, subject, at, details } of entries) {
      const { again } = actKindOf(act) ?? {}
      if (act === 'people.leave') await eraseWords(transaction, subject)
      if (again !== undefined) ended += (await rows(Ended, transaction.raw(again, { subject, at, ...details }))).length
    }
    if (ended > 0) await deleteUnrestored(transaction)
    return ended
  })
}
