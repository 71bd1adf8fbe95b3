import { closed, invalid, nullable, Text, Texts, Type, type DataOf } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { conflict } from '../common/errors.ts'
import { because, operator, recordAct, type By } from './acts.ts'
import { eraseWords } from './personal-data.ts'
import { Repository } from '../common/repository.ts'

/** Roles that a person may have. An `admin` sees operator records and acts for the service. */
export const roles = ['admin'] as const
export type Role = (typeof roles)[number]

export const Person = closed({ id: Text, username: Text, roles: Texts, created_at: Text, suspended_at: nullable(Text) })
export type Person = DataOf<typeof Person>

const columns = Object.keys(Person.properties)

const LockedPerson = closed({ id: Text, is_admin: Type.Boolean() })

/** People, and the operator's actions on them. Every change is recorded in `account_acts`. */
export class People extends Repository {
  async all(): Promise<readonly Person[]> {
    return await this.rows(Person, this.knex('people').select(columns).orderBy('username'))
  }

  async byId(id: string): Promise<Person | undefined> {
    return await this.first(Person, this.knex('people').select(columns).where({ id }))
  }

  async byName(username: string): Promise<Person | undefined> {
    return await this.first(
      Person,
      this.knex('people').select(columns).where({ username: username.trim().toLowerCase() })
    )
  }

  /** Adds a person; 400 if the name is taken, reserved or invalid. */
  async add(name: string, roles: readonly Role[], actor = operator): Promise<Person> {
    const username = checkUsername(name)
    const added = await this.knex.transaction(async transaction => {
      const person = await this.first(
        Person,
        transaction('people')
          .insert({ username, roles: [...roles] })
          .onConflict('username')
          .ignore()
          .returning(columns)
      )
      if (person !== undefined) await recordAct(transaction, actor, 'people.add', person.id, { roles: [...roles] })
      return person
    })
    if (added === undefined) throw invalid('username', `The name \`${username}\` is taken.`)
    return added
  }

  /**
   * Gives or takes a role, with effect from the next request, also in existing sessions. 409 if an admin takes the role
   * of the last admin.
   */
  async setRole(id: string, role: Role, has: boolean, { actor = operator, reason }: By = {}): Promise<void> {
    await this.knex.transaction(async transaction => {
      if (!has && actor !== operator) await this.#requireAdminBeside(id, transaction)
      await transaction('people')
        .where({ id })
        .update({
          roles: transaction.raw(
            has ? 'array(select distinct unnest(array_append(roles, ?)))' : 'array_remove(roles, ?)',
            [role]
          ),
          roles_changed_at: transaction.fn.now()
        })
      await recordAct(transaction, actor, has ? 'people.role.give' : 'people.role.take', id, {
        role,
        ...because(reason)
      })
    })
  }

  /**
   * Suspends a person, which ends the sessions and refuses the keys as long as it lasts, or ends a suspension. 409 if
   * an admin suspends the last admin.
   */
  async setSuspended(id: string, isSuspended: boolean, { actor = operator, reason }: By = {}): Promise<void> {
    await this.knex.transaction(async transaction => {
      if (isSuspended && actor !== operator) await this.#requireAdminBeside(id, transaction)
      await transaction('people')
        .where({ id })
        .update({
          suspended_at: isSuspended ? transaction.fn.now() : null,
          suspension_changed_at: transaction.fn.now()
        })
      if (isSuspended) await transaction('sessions').where({ person: id }).delete()
      await recordAct(transaction, actor, isSuspended ? 'people.suspend' : 'people.resume', id, because(reason))
    })
  }

  /**
   * Throws a 409 if nobody else is an admin who is not suspended. Locks all of them, so that two who act on each other
   * at once cannot leave none; in the order in which the market locks people, to prevent deadlocks.
   */
  async #requireAdminBeside(id: string, transaction: Knex.Transaction): Promise<void> {
    const isAdmin = "('admin' = any(roles) and suspended_at is null)"
    const held = await this.rows(
      LockedPerson,
      transaction('people')
        .select('id', transaction.raw(`${isAdmin} as is_admin`))
        .whereRaw(`(${isAdmin} or id = ?)`, [id])
        .orderBy('id')
        .forNoKeyUpdate()
    )
    if (!held.some(one => one.is_admin && one.id !== id))
      throw conflict(
        'No other admin would be left. Another person must have the role first, or a command at the machine does it.',
        { last_admin: true }
      )
  }

  /** Erases a person, if `first` does not reject. Records of acts stay, with an id that no longer belongs to anyone. */
  async leave(
    id: string,
    { actor = id, first }: Readonly<{ actor?: string; first?: (transaction: Knex.Transaction) => Promise<void> }> = {}
  ): Promise<void> {
    await this.knex.transaction(async transaction => {
      await first?.(transaction)
      await eraseWords(transaction, id)
      await transaction('people').where({ id }).delete()
      await recordAct(transaction, actor, 'people.leave', id)
    })
  }
}

/** Names that readers would take for the service itself or for its staff. */
const reserved = new Set(
  `about abuse account accounts admin administrator agent agents anonymous api auction auctions billing contact
  everyone help hostmaster info legal mail me moderator nobody null official operator pantry postmaster privacy
  root security staff support system team terms trust undefined user users verify webmaster wholesale www`.split(/\s+/)
)

/**
 * A lower-case letter, then 2 to 29 letters and digits, with single hyphens between them, which are not counted. ASCII
 * only, so that no two names look alike because of other scripts (UTS #39 §4).
 */
const usernameForm = /^[a-z](?:-?[a-z0-9]){2,29}$/

const looksLike = (name: string): string =>
  name
    .replaceAll('-', '')
    .replaceAll('0', 'o')
    .replaceAll(/[1l]/g, 'i')
    .replaceAll('5', 's')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')

const reservedLooks = new Set([...reserved].map(looksLike))

export function checkUsername(name: string): string {
  const username = name.trim().toLowerCase()
  if (!usernameForm.test(username))
    throw invalid(
      'username',
      'A username has 3 to 30 letters a to z and digits, begins with a letter, and may have single hyphens inside.'
    )
  if (reservedLooks.has(looksLike(username)))
    throw invalid('username', `\`${username}\` is reserved, or looks like a name that is.`)
  return username
}
