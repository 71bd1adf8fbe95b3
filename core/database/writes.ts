import { statfs } from 'node:fs/promises'
import { codeOf } from './errors.ts'
import type { Log } from './log.ts'

/**
 * Bytes of the disk that stay free: the next files of the log and those that a new connection may have to make. A
 * server that cannot write its log ends, and with it all that reads.
 */
const keptFree = 48 * 2 ** 20

const diskFull = '53100'

/** Milliseconds after which a full disk is old news: where nobody looks again, the next statement finds out. */
const knownFor = 2_000

/** Statements that take space. Those of a transaction that only ends, or of a session, take none. */
const taking =
  /^\s*(?:insert|update|delete|merge|truncate|create|alter|drop|copy|with\b[^]*\b(?:insert\s+into|update|delete\s+from)\b)/i

/** Takes a little space and gives it back; one statement, which the guard below lets through. */
const probeSql = `do $$ begin create temporary table pantry_space (filler text) on commit drop; insert into pantry_space values (repeat('-', 20000)); end $$`

/**
 * Whether the disk of the database takes more, so that nothing is written where it does not: what is there stays
 * readable.
 */
export type Writes = Readonly<{
  /** Hears of each error of a statement. */
  notice: (error: unknown) => void
  /** What is wrong with a statement that must not reach the server now. */
  refusal: (sql: string) => Error | undefined
  arePossible: () => boolean
  /** Looks again, with `ask` where there is only the server to ask. */
  look: (ask: (sql: string) => PromiseLike<unknown>) => Promise<void>
}>

/** `folder`: where the files of the server are, if they are on this machine. */
export function watchWrites(folder: string | undefined, log: Log): Writes {
  let isFull = false
  let seenAt = -Infinity
  const become = (full: boolean): void => {
    if (full && !isFull)
      log.error('The disk of the database is full. Nothing is written until there is space; what is there is read.')
    if (!full && isFull) log.info('The disk of the database has space again.')
    isFull = full
    if (full) seenAt = performance.now()
  }
  return {
    notice: error => {
      if (codeOf(error) === diskFull) become(true)
    },
    refusal: sql =>
      isFull && performance.now() - seenAt < knownFor && taking.test(sql)
        ? Object.assign(new Error('The disk is full, and the server was not asked.'), { code: diskFull })
        : undefined,
    arePossible: () => !isFull,
    look: async ask => {
      const space = folder === undefined ? undefined : await statfs(folder).catch(() => undefined)
      if (space !== undefined && space.bavail * space.bsize < keptFree) become(true)
      else if (isFull)
        become(
          !(await Promise.resolve(ask(probeSql)).then(
            () => true,
            () => false
          ))
        )
    }
  }
}
