import { Argument, choice, FindingsError, Option, print, printJson, UsageError, type Io } from 'pantry/command'
import type { Database } from 'pantry/database'
import { defineActions, formatOption, printRows, type ListFormat } from '../command.ts'
import { roles, type Person, type Role } from '../people/people.ts'

const actions = ['add', 'code', 'invite', 'role', 'suspend', 'list'] as const
type Action = (typeof actions)[number]

type Options = Readonly<{ role?: Role; remove?: true; end?: true; format: ListFormat }>

/** Prints a one-time code on stdout, alone or in JSON for scripts, and the instructions on stderr. */
async function printCode(database: Database, { id, username }: Person, { format }: Options, io: Io): Promise<void> {
  const { SignIn, codeAttempts, codeMinutes } = await import('../people/sign-in.ts')
  const code = await new SignIn(database).issueCode(id)
  if (format === 'json') printJson(io.stdout, { username, code, minutes: codeMinutes, attempts: codeAttempts })
  else print(io.stdout, code)
  print(
    io.stderr,
    `Sign in at /account/sign-in as ${username} with this code. It works once, for ${codeMinutes} minutes, and can be tried ${codeAttempts} times.`
  )
}

/** Prints an invitation on stdout, alone or in JSON, and the instructions on stderr. */
async function printInvitation(database: Database, { format }: Options, io: Io): Promise<void> {
  const { MailAddresses } = await import('../people/mail.ts')
  const invited = await new MailAddresses(database).invite()
  if (format === 'json') printJson(io.stdout, invited)
  else print(io.stdout, invited.invitation)
  print(
    io.stderr,
    `One person can make an account with it at /account/sign-up within ${invited.days} days, where PANTRY_SIGN_UP is invite.`
  )
}

async function act(
  action: Action,
  name: string | undefined,
  options: Options,
  database: Database,
  io: Io
): Promise<void> {
  const { People } = await import('../people/people.ts')
  const people = new People(database)
  if (action === 'list') {
    printRows(io, options.format, await people.all(), {
      USERNAME: person => person.username,
      ROLES: person => person.roles.join(', '),
      SINCE: person => person.created_at.slice(0, 10),
      '': ({ suspended_at: at }) => (at === null ? '' : `suspended ${at.slice(0, 10)}`)
    })
    return
  }
  if (action === 'invite') {
    await printInvitation(database, options, io)
    return
  }
  if (name === undefined) throw new UsageError(`\`pantry people ${action}\` needs a username.`)
  if (action === 'add') {
    await printCode(database, await people.add(name, options.role === undefined ? [] : [options.role]), options, io)
    return
  }
  const person = await people.byName(name)
  if (person === undefined)
    throw new FindingsError(`There is nobody called \`${name}\`. \`pantry people list\` shows who there is.`)
  if (action === 'code') {
    if (person.suspended_at !== null)
      throw new FindingsError(
        `${person.username} is suspended: no code signs in. \`pantry people suspend ${person.username} --end\` ends it.`
      )
    await printCode(database, person, options, io)
    return
  }
  if (action === 'role') {
    if (options.role === undefined) throw new UsageError(`Name the role with \`--role\`: ${roles.join(', ')}.`)
    await people.setRole(person.id, options.role, options.remove !== true)
    print(
      io.stderr,
      `${person.username} ${options.remove === true ? 'no longer has' : 'has'} the role ${options.role}, from the next request on.`
    )
    return
  }
  await people.setSuspended(person.id, options.end !== true)
  print(
    io.stderr,
    options.end === true
      ? `${person.username} may sign in again.`
      : `${person.username} is suspended: sessions have ended, and keys are refused.`
  )
}

const peopleCommand = defineActions({
  name: 'people',
  summary: 'Add and invite people, give them codes and roles, suspend them.',
  description: [
    'Says who can sign in. `add` and `code` print a one-time code on stdout: give it to the person, and they sign in with it, without a mail server.',
    'Every act is written down in the database, without secrets.'
  ],
  actions,
  arguments: [new Argument('[username]', 'Whom it is about; not for `list` and `invite`.')],
  options: [
    choice('--role <role>', 'Role that `add` gives, and `role` gives or takes.', roles),
    new Option('--remove', 'With `role`: take it.'),
    new Option('--end', 'With `suspend`: end it.'),
    formatOption()
  ],
  examples: [
    [
      'pantry people add ada --role admin',
      'A first person, who may see operator records; prints the code to sign in with.'
    ],
    ['pantry people invite', 'Prints an invitation, with which one person makes an account.'],
    ['pantry people suspend mallory', 'Ends the sessions of a person, and refuses their keys.']
  ],
  finding: 'There is nobody of that name, the name cannot be used, or the person is suspended.',
  run:
    ([action, username], options: Options, io) =>
    database =>
      act(action, username, options, database, io)
})

export default peopleCommand
