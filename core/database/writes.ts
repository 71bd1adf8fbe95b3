import { statfs } from 'node:fs/promises'
import type { Log } from './connection.ts'
import { codeOf } from './errors.ts'

/**
 * Bytes of the disk to keep free, for the next files of the write-ahead log and for files of new connections. A server
 * that cannot write its log stops, and then nothing can be read either.
 */
const keptFree = 48 * 2 ** 20

const diskFull = '53100'

/**
 * Milliseconds for which statements are refused after the disk was last found full. The next statement is then sent to
 * the server as a test.
 */
const knownFor = 2_000

/** Matches statements that need disk space. Those that only end a transaction or change the session need none. */
const taking =
  /^\s*(?:insert|update|delete|merge|truncate|create|alter|drop|copy|with\b[^]*\b(?:insert\s+into|update|delete\s+from)\b)/i

/** A statement that uses a little disk space and frees it. As it begins with DO, it does not match `taking`. */
const probeSql = `do $$ begin create temporary table pantry_space (filler text) on commit drop; insert into pantry_space values (repeat('-', 20000)); end $$`

/** Tracks whether the database's disk is full, so that writes are refused then and stored data stays readable. */
export type Writes = Readonly<{
  /** Must be called with each error of a statement. */
  notice: (error: unknown) => void
  /** Returns the error for a statement that must not be sent to the server now, or undefined. */
  refusal: (sql: string) => Error | undefined
  arePossible: () => boolean
  /**
   * Checks the free space if the folder of the server is known. A disk that was found full counts as full until a
   * statement sent with `ask` succeeds; it is not sent while the folder shows too little free space.
   */
  look: (ask: (sql: string) => PromiseLike<unknown>) => Promise<void>
}>

/** Creates the tracker. `folder`: the folder of the server's files, if Pantry runs the server on this machine. */
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
