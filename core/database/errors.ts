import { invalid, SurfaceError, unavailable } from '../handler/errors.ts'

/**
 * The database cannot be started or reached at all. `message` says what is wrong, `fix` what to do; the process ends
 * with exit code 3.
 */
export class DatabaseStartError extends Error {
  readonly fix: string

  constructor(message: string, fix: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'DatabaseStartError'
    this.fix = fix
  }
}

/** What `pg` says in words only, without a code. */
const lostConnection =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|timeout expired|not queryable|timeout acquiring a connection/i

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAGAIN',
  'EACCES',
  'ERR_STREAM_DESTROYED'
])

/**
 * SQLSTATE classes and codes (PostgreSQL manual, appendix A) that say "not now" rather than "wrong": connection (08),
 * authorisation (28), missing database (3D), rollback (40), resources (53), lock (55P03), operator intervention (57),
 * read-only standby (25006).
 */
const transient = /^(?:08|28|3D|40|53|57|55P03|25006)/

/**
 * SQLSTATE classes of a server that cannot read what it stored: system error (58), such as a lost file, and internal
 * error (XX), such as a damaged page.
 */
const damage = /^(?:58|XX)/

/**
 * What says that a server is there and cannot take one more connection yet: all are taken (53300), it is starting
 * (57P03), or too many ask at once (EAGAIN of a socket file).
 */
const noRoom = /^(?:53300|57P03|EAGAIN)$/

/** SQLSTATE or system error code of anything thrown by the driver; empty when there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** True when the fault is the connection or the server, so that the same query may well succeed later. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  return (
    transient.test(code) || networkCodes.has(code) || (error instanceof Error && lostConnection.test(error.message))
  )
}

/**
 * What a server or the way to it has, and a statement not: refused, ended or silent connections, and what a standby
 * cannot do beside its replay (40001).
 */
const serverStates = /^(?:08|3D|57P|40001)/

const causeOf = (error: unknown): unknown => (error instanceof SurfaceError ? error.cause : error)

/**
 * True when all connections of a pool were taken for too long: there is too much to do, or the server hangs. `error` is
 * of the driver or typed.
 */
export function isFullPool(error: unknown): boolean {
  const cause = causeOf(error)
  return cause instanceof Error && /timeout acquiring a connection/i.test(cause.message)
}

/**
 * True when the same statement, if it only reads, is worth asking of another server. `error` is of the driver or typed.
 */
export function isOfServer(error: unknown): boolean {
  const cause = causeOf(error)
  const code = codeOf(cause)
  return (
    serverStates.test(code) ||
    networkCodes.has(code) ||
    (cause instanceof Error && lostConnection.test(cause.message) && !isFullPool(cause))
  )
}

/** True when a server would let us in later. Where no server is known that suits, nobody said that (no `severity`). */
export const hasNoRoom = (error: unknown): boolean =>
  noRoom.test(codeOf(error)) && error instanceof Error && ('severity' in error || codeOf(error) === 'EAGAIN')

/** True when the server cannot read what it stored. Asking again does not help; an operator has to. */
export const isDamage = (error: unknown): boolean => damage.test(codeOf(error))

/**
 * True for SQLSTATE class 22: the server cannot even represent the value (NUL in text, number out of range), so no row
 * can have it.
 */
export const isUnrepresentable = (error: unknown): boolean => codeOf(error).startsWith('22')

/** There is no server to connect to now: as a server says that lets nobody in (57P03). */
export const noServer = (message: string): Error => Object.assign(new Error(message), { code: '57P03' })

/** 503 with Retry-After. */
export const unreachable = (): SurfaceError =>
  unavailable('The database cannot be read now. Please try again in a moment.', 1, { subsystem: 'database' })

/** Trouble that lasts until an operator ends it, in seconds after which it is worth asking again. */
const untilRepaired = 300

/** What is said of SQLSTATEs that do not pass by themselves. */
const lasting: readonly (readonly [RegExp, string])[] = [
  [damage, 'Stored data that this answer needs cannot be read. The operator has to repair it.'],
  [/^53100/, 'The disk of the database is full. Nothing can be written until there is space.'],
  [/^25006/, 'The database is read-only: it is a standby, or it was set so. Nothing can be written.']
]

function lastingTrouble(error: unknown): SurfaceError | undefined {
  const [, message] = lasting.find(([states]) => states.test(codeOf(error))) ?? []
  return message === undefined ? undefined : unavailable(message, untilRepaired, { subsystem: 'database' })
}

/**
 * What a caller may learn of a driver's error: 503 with Retry-After for trouble that passes and for what an operator
 * has to end, 400 for a value the server cannot represent. Every other error is returned as it is, so that it ends as a
 * 500 and in the log. The SQL and the server's words stay in `cause`.
 */
export function typed(error: unknown): unknown {
  if (error instanceof SurfaceError) return error
  const known =
    lastingTrouble(error) ??
    (isUnavailable(error)
      ? unreachable()
      : isUnrepresentable(error)
        ? invalid('value', 'A value of the request cannot be stored or looked up: it holds NUL or is out of range.')
        : undefined)
  if (known === undefined) return error
  known.cause = error
  return known
}
