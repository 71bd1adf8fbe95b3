import { OperatorFault } from './fault.ts'
import { faults, type FaultCode } from './fault-texts.ts'
import { invalid, SurfaceError, unavailable } from '../handler/errors.ts'

/** Matches messages of errors that `pg` throws without a code when a connection is lost or not available. */
const lostConnection =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|timeout expired|not queryable/i

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
 * SQLSTATE classes and codes (PostgreSQL manual, appendix A) of failures after which the same statement may succeed
 * later: connection (08), authorisation (28), missing database (3D), rollback (40), resources (53), lock (55P03),
 * operator intervention (57), read-only transaction or standby (25006).
 */
const transient = /^(?:08|28|3D|40|53|57|55P03|25006)/

/**
 * SQLSTATEs of a server that cannot read stored data: system error (58), such as a lost file, and a damaged page
 * (XX001) or index (XX002).
 */
const damage = /^(?:58|XX00[12])/

/** Messages of damage that the server calls only an internal error (XX000), as it calls many statements too. */
const damageWords = /invalid page|could not read block|missing chunk number|unexpected chunk|\bcorrupt/i

/**
 * Codes that say that a server is there but cannot take one more connection yet: all are taken (53300), it is starting
 * (57P03), or the queue of its socket file is full (EAGAIN).
 */
const noRoom = /^(?:53300|57P03|EAGAIN)$/

/** Returns the SQLSTATE or system error code of anything that the driver throws; an empty text if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Tells whether the connection or the server is at fault, so that the same query may succeed later. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  return (
    transient.test(code) || networkCodes.has(code) || (error instanceof Error && lostConnection.test(error.message))
  )
}

/** Tells whether a server has refused a connection now but may accept one later. */
export const hasNoRoom = (error: unknown): boolean => noRoom.test(codeOf(error))

/**
 * Tells whether the server cannot read data that it stored. The same statement fails again until an operator repairs
 * the data.
 */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error)
  return damage.test(code) || (code === 'XX000' && damageWords.test(wordsOf(error)))
}

/** Returns the code by which an error is looked up: all damage has one. */
const keyOf = (error: unknown): string => (isDamage(error) ? 'XX001' : codeOf(error))

/**
 * Tells whether an error has SQLSTATE class 22: the server cannot even represent the value (NUL in text, number out of
 * range), so no row can have it.
 */
export const isUnrepresentable = (error: unknown): boolean => codeOf(error).startsWith('22')

/**
 * The error if a migration fails. `mayPass` tells whether only a time limit was over, so that the same migration may
 * succeed later.
 */
export class MigrationError extends OperatorFault {
  readonly mayPass: boolean

  constructor(code: 'O301' | 'O302' | 'O106', message: string, fix: string, cause: unknown) {
    super(code, message, fix, cause)
    this.mayPass = isUnavailable(cause)
  }
}

/** SQLSTATEs of a statement that took too long, and of a lock that another session holds. */
const overTime = /^(?:57014|55P03)$/

const overTimeFix = 'Try again when nothing else uses its tables, or raise the time limit of the role.'
const faultFix = 'Correct the migration or the data that it meets, and run it again'
const nothingKept = 'nothing of it was kept.'
const allKept =
  'what it did before the fault stays, such as an index that is not valid, because it runs outside of a transaction.'

/** Returns what the driver threw, if a SurfaceError was made of it. */
const driverErrorOf = (error: unknown): unknown => (error instanceof SurfaceError ? (error.cause ?? error) : error)

/** Returns the SQLSTATE as a part of a sentence; empty for other codes. */
export const stateOf = (code: string): string => (/^[0-9A-Z]{5}$/.test(code) ? ` with SQLSTATE ${code}` : '')

/** Returns the words of the server, without the statement that knex writes before them. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message } = error
  return codeOf(error) === '' || !message.includes(' - ') ? message : message.slice(message.lastIndexOf(' - ') + 3)
}

/**
 * Returns a MigrationError that names the migration whose step threw. Errors that say what to do, and those that only
 * say that the server is away, are returned unchanged. `isAlone`: it ran outside of a transaction.
 */
export function toMigrationError(file: string, name: string, error: unknown, isAlone: boolean): unknown {
  const reason = driverErrorOf(error)
  if (reason instanceof OperatorFault || reason instanceof SurfaceError) return error
  const code = codeOf(reason)
  const isOverTime = overTime.test(code)
  if (isUnavailable(reason) && !isOverTime) return error
  return new MigrationError(
    'O301',
    `${file}: the migration \`${name}\` failed${stateOf(code)}: ${wordsOf(reason)}`,
    isOverTime
      ? `${overTimeFix}${isAlone ? ` Mind that ${allKept}` : ''}`
      : `${faultFix}; ${isAlone ? allKept : nothingKept}`,
    reason
  )
}

/** Returns the error if the server refused rows of a file. One that only says that the server is away is unchanged. */
export function toLoadError(table: string, error: unknown): unknown {
  const reason = driverErrorOf(error)
  const code = codeOf(reason)
  return isUnavailable(reason) || code === ''
    ? error
    : new OperatorFault(
        'O305',
        `No row was loaded: the table \`${table}\` refused them${stateOf(code)}: ${wordsOf(reason)}`,
        'Correct the file, or change the table in a migration.',
        reason
      )
}

/** Returns the MigrationError for a file that cannot be imported, or exports something else than a migration does. */
export const unreadMigration = (
  file: string,
  name: string,
  error: unknown,
  fix = 'Correct the file; `pantry validate` imports all migrations.'
): MigrationError =>
  new MigrationError(
    'O302',
    `${file}: the migration \`${name}\` cannot be imported: ${error instanceof Error ? error.message : String(error)}`,
    fix,
    error
  )

/** Returns the error 503 for a database that does not answer, with `Retry-After: 1`. */
export const databaseUnavailable = (): SurfaceError =>
  unavailable('The database cannot be read now. Please try again in a moment.', 1, { subsystem: 'database' })

/** Returns the error 503 for a pool whose connections are all in use. `words` say how long one was waited for. */
export const poolExhausted = (words: string): SurfaceError =>
  Object.assign(databaseUnavailable(), {
    cause: new OperatorFault(
      'O111',
      `${faults.O111.title}: ${words}.`,
      'Look for code that keeps a transaction open, and for slow statements.'
    )
  })

/** Retry-After in seconds for a failure that lasts until an operator repairs it. */
const untilRepaired = 300

/**
 * Failures whose cause callers are told: SQLSTATEs or codes of faults, message, and Retry-After in seconds if it is not
 * `untilRepaired`. For 25006 it is short, because a standby may become the primary, or its address lead to another
 * server, at any time.
 */
const operatorFailures: readonly (readonly [RegExp, string, number?])[] = [
  [damage, 'Stored data that this answer needs cannot be read. The operator has to repair it.'],
  [/^53100/, 'The disk of the database is full. Nothing can be written until there is space.'],
  [/^25006/, 'The database is read-only: it is a standby, or it was set so. Nothing can be written.', 1],
  // What an operator must correct before a connection is safe (encryption.ts).
  [/^O104$/, 'The database cannot be reached safely. The operator has to repair it.']
]

function operatorErrorOf(error: unknown): SurfaceError | undefined {
  const [, message, retryAfter = untilRepaired] = operatorFailures.find(([states]) => states.test(keyOf(error))) ?? []
  return message === undefined ? undefined : unavailable(message, retryAfter, { subsystem: 'database' })
}

/**
 * Converts an error of the driver into what a caller may see: 503 with Retry-After for temporary failures and for those
 * an operator must repair, 400 for a value the server cannot represent. Any other error is returned unchanged, so that
 * it becomes a 500 and is logged. The original error, with the server's message, is kept in `cause`.
 */
export function toSurfaceError(error: unknown): unknown {
  if (error instanceof SurfaceError) return error
  const known =
    operatorErrorOf(error) ??
    (isUnavailable(error)
      ? databaseUnavailable()
      : isUnrepresentable(error)
        ? invalid('value', 'A value of the request cannot be stored or looked up: it holds NUL or is out of range.')
        : undefined)
  if (known === undefined) return error
  known.cause = error
  return known
}

/** What operators read about errors of the driver: the SQLSTATE or system code, the code of the fault, what to do. */
const told: readonly (readonly [RegExp, FaultCode, string])[] = [
  [/^28/, 'O102', 'Check the user and the password of DATABASE_URL, and the log of the server.'],
  [/^3D/, 'O103', 'Create the database, or correct DATABASE_URL.'],
  [/^42501/, 'O106', '`pantry doctor` says which GRANT the role needs.'],
  [/^25006/, 'O107', 'Set DATABASE_URL to the server that is written to.'],
  [/^53100/, 'O108', 'Free space on the disk of the database.'],
  [damage, 'O109', 'Keep a copy of the data folder, and restore a backup.'],
  [overTime, 'O110', 'Try again when nothing else uses the tables, or raise the time limit of the role.'],
  [/^(?:53|57P|EAGAIN)/, 'O105', 'Wait, raise `max_connections`, or put a pooler between.']
]
const away = [/^/, 'O101', 'Check DATABASE_URL, the network, and that the server runs.'] as const

/** Tells whether an error only says that the database is away, and not a file or another server. */
const saysAway = (error: unknown, reason: unknown): boolean =>
  reason instanceof SurfaceError
    ? reason.details?.['subsystem'] === 'database'
    : isUnavailable(reason) && (error !== reason || !(error instanceof Error && 'syscall' in error))

/**
 * Returns the fault that operators read about for an error of the driver, with the words of the server; undefined if
 * the database is not at fault.
 */
export function operatorFaultOf(error: unknown): OperatorFault | undefined {
  const reason = driverErrorOf(error)
  if (reason instanceof OperatorFault) return reason
  const found = told.find(([states]) => states.test(keyOf(reason)))
  if (found === undefined && !saysAway(error, reason)) return undefined
  const [, code, fix] = found ?? away
  return new OperatorFault(code, `${faults[code].title}: ${wordsOf(reason).replace(/\.?$/, '.')}`, fix, error)
}
