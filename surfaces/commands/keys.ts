import { Argument, choice, FindingsError, Option, print, printJson, UsageError, type Io } from 'pantry/command'
import type { Database } from 'pantry/database'
import { defineActions, formatOption, printRows, type ListFormat } from '../command.ts'
import { isId } from '../common/ids.ts'
import { keyKinds, scopes, tierNames, tiers, type Key, type KeyKind, type KeyScope, type Tier } from '../people/keys.ts'

const actions = ['create', 'list', 'revoke', 'tier', 'scopes'] as const
type Action = (typeof actions)[number]

type Options = Readonly<{
  kind: KeyKind
  name?: string
  contact?: string
  person?: string
  tier?: Tier
  scope?: readonly KeyScope[]
  days?: number
  format: ListFormat
}>

const stateOf = ({ revoked_at: revoked, expires_at: ends }: Key): string =>
  revoked !== null ? `revoked ${revoked.slice(0, 10)}` : ends === null ? 'no end' : `until ${ends.slice(0, 10)}`

/** Creates a key and prints it on stdout, alone or in JSON; it is never shown again. */
async function create(
  { kind, name, contact, person, tier, scope, days, format }: Options,
  database: Database,
  io: Io
): Promise<void> {
  if (name === undefined || contact === undefined)
    throw new UsageError(
      '`pantry keys create` needs `--name` and `--contact`: what the key is for, and whom to ask about it.'
    )
  const [{ Keys }, { People }] = await Promise.all([import('../people/keys.ts'), import('../people/people.ts')])
  const owner = person === undefined ? undefined : await new People(database).byName(person)
  if (person !== undefined && owner === undefined) throw new FindingsError(`There is nobody called \`${person}\`.`)
  const { key, made } = await new Keys(database).create({
    kind,
    name,
    contact,
    days,
    ...(owner === undefined ? {} : { person: owner.id }),
    ...(tier === undefined ? {} : { tier }),
    ...(scope === undefined ? {} : { scopes: scope })
  })
  if (format === 'json') printJson(io.stdout, { key, ...made })
  else print(io.stdout, key)
  print(
    io.stderr,
    `This is the only time that the key is shown. Its id is ${made.id}; \`pantry keys revoke ${made.id}\` ends it.`
  )
}

async function change(
  action: Exclude<Action, 'create' | 'list'>,
  id: string,
  { tier, scope }: Options,
  database: Database
): Promise<boolean> {
  if (!isId(id))
    throw new UsageError('A key is named by its id, as `pantry keys list` shows it; never by the key itself.')
  const { Keys } = await import('../people/keys.ts')
  const keys = new Keys(database)
  if (action === 'revoke') return await keys.revoke(id)
  if (action === 'tier') {
    if (tier === undefined) throw new UsageError(`Name the tier with \`--tier\`: ${tierNames.join(', ')}.`)
    return await keys.setTier(id, tier)
  }
  if (scope === undefined) throw new UsageError(`Name the scopes with \`--scope\`: ${scopes.join(', ')}.`)
  return await keys.setScopes(id, scope)
}

async function act(
  action: Action,
  id: string | undefined,
  options: Options,
  database: Database,
  io: Io
): Promise<void> {
  if (action === 'create') {
    await create(options, database, io)
    return
  }
  if (action === 'list') {
    const { Keys } = await import('../people/keys.ts')
    printRows(io, options.format, await new Keys(database).all(), {
      ID: key => key.id,
      KIND: key => key.kind,
      NAME: key => key.name,
      TIER: key => key.tier,
      SCOPES: key => key.scopes.join(', '),
      'LAST USED': key => key.last_used_on ?? 'never',
      '': stateOf
    })
    return
  }
  if (id === undefined) throw new UsageError(`\`pantry keys ${action}\` needs the id of a key.`)
  if (!(await change(action, id, options, database)))
    throw new FindingsError(`There is no key \`${id}\` that still holds.`)
  print(io.stderr, `The key ${id} is ${action === 'revoke' ? 'revoked' : 'changed'}, from the next request on.`)
}

const keysCommand = defineActions({
  name: 'keys',
  summary: 'Give out keys for agents and wholesale partners, change and revoke them.',
  description: [
    `Keys of agents and of wholesale partners. A tier says how many requests a minute a key has: ${Object.entries(tiers)
      .map(([name, limit]) => `${name} ${limit}`)
      .join(', ')}.`,
    '`create` prints the key on stdout, once; it is stored as a hash. Every act is written down in the database, without secrets.'
  ],
  actions,
  arguments: [new Argument('[id]', 'Id of a key; not for `create` and `list`.')],
  options: [
    choice('--kind <kind>', 'Whom a new key is for.', keyKinds, 'agent'),
    new Option('--name <name>', 'What a new key is for.'),
    new Option('--contact <contact>', 'Whom to ask about it.'),
    new Option('--person <username>', "Whose it is; without it, the operator's own."),
    choice('--tier <tier>', 'How many requests it has.', tierNames),
    new Option('--scope <scope...>', 'What it may do.').choices(scopes),
    new Option('--days <days>', 'After how many days it ends.').argParser(Number),
    formatOption()
  ],
  examples: [
    [
      'pantry keys create --name "Deck helper" --contact ada@example.org --person ada',
      "A key of a person's agent; prints it."
    ],
    [
      'pantry keys scopes 3f0c2a8e-5a4d-4f0e-9d53-0f7f7d0a5b11 --scope read hunt',
      'Lets an agent contribute to the Coverage Hunt.'
    ],
    ['pantry keys revoke 3f0c2a8e-5a4d-4f0e-9d53-0f7f7d0a5b11', 'Refuses a key from the next request on.']
  ],
  finding: 'There is no such key or person.',
  run([action, id], options: Options, io) {
    if (options.days !== undefined && !(Number.isInteger(options.days) && options.days > 0))
      throw new UsageError('`--days` takes a whole number of days.')
    return database => act(action, id, options, database, io)
  }
})

export default keysCommand
