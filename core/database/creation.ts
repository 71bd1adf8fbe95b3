import type { Knex } from 'knex'
import { OperatorFault } from './fault.ts'
import { codeOf, MigrationError } from './errors.ts'

/** What is wrong with the rights of a role, and what to do. */
type CreationProblem = Readonly<{ message: string; fix: string }>

const rights = `select quote_ident(current_schema()) as schema, quote_ident(current_user) as role,
  has_schema_privilege(current_schema(), 'create') as ok`

/** Returns why the role of a pool may not create tables; undefined if it may. */
export async function creationProblem(knex: Knex): Promise<CreationProblem | undefined> {
  const {
    rows: [row]
  } = await knex.raw<{ rows: { schema: string | null; role: string; ok: boolean | null }[] }>(rights)
  if (row === undefined || row.ok === true) return undefined
  const { schema, role } = row
  return schema === null
    ? {
        message: `There is no schema to create tables in: the role ${role} can use none of its \`search_path\`.`,
        fix: `Run \`ALTER ROLE ${role} SET search_path = public;\` with a schema that exists and that the role may use.`
      }
    : {
        message: `The role ${role} may not create tables in the schema ${schema}.`,
        fix: `Run as its owner: \`GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role};\``
      }
}

/** SQLSTATEs of a missing right, and of no schema to create in. */
const refusal = /^(?:42501|3F000)$/

/**
 * Returns what a failed migration is told as: with the GRANT to run if the role may not create tables, else the error
 * itself.
 */
export async function withGrant(knex: Knex, error: unknown): Promise<unknown> {
  const cause = error instanceof MigrationError ? error.cause : error
  if (!refusal.test(codeOf(cause))) return error
  const problem = await creationProblem(knex).catch(() => undefined)
  if (problem === undefined) return error
  return error instanceof MigrationError
    ? new MigrationError('O106', error.message, problem.fix, cause)
    : new OperatorFault('O106', problem.message, problem.fix, cause)
}
