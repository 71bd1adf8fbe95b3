import type { Knex } from 'knex'
import { serviceName, type ServerTarget } from '../connection.ts'
import { OperatorFault } from '../fault.ts'

/** A pooler keeps connections that nobody uses; a service asks for its health every second. */
const pooledSeconds = 10

/** Throws the fault O411 if a service has connections to the database, from whichever machine. */
export async function refuseBesideService(knex: Knex, { isPooled }: ServerTarget): Promise<void> {
  const services = knex('pg_stat_activity')
    .whereRaw('datname = current_database() and pid <> pg_backend_pid()')
    .where({ application_name: serviceName })
  if (isPooled === true)
    void services.whereRaw("state_change > clock_timestamp() - ? * interval '1 second'", [pooledSeconds])
  const found: unknown = await services.first('pid')
  if (found === undefined) return
  throw new OperatorFault(
    'O411',
    'A service uses the database. Nothing was changed.',
    `Stop the service, also on other machines, and restore again${isPooled === true ? ` after ${pooledSeconds} seconds` : ''}.`
  )
}
