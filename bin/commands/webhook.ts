import { Argument, Option } from 'commander'
import type { Endpoints } from '../../core/database/webhooks/endpoints.ts'
import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { UsageError } from '../config.ts'
import { FindingsError, print, printAs, type Io } from '../io.ts'
import { table } from '../table.ts'

const actions = ['add', 'list', 'rotate', 'remove', 'dead', 'retry'] as const
const formats = ['table', 'json'] as const
/** The most hours for which a former secret holds: a month. */
const mostHours = 720
type Action = (typeof actions)[number]
type Options = RootOptions & Readonly<{ type: readonly string[]; hours: number; format: (typeof formats)[number] }>

function readHours(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= mostHours) return Number(text)
  throw new UsageError(`\`--hours\` is a whole number from 0 to ${mostHours}, but it is \`${text}\`.`)
}

async function list(endpoints: Endpoints, format: Options['format'], io: Io): Promise<void> {
  const found = await endpoints.list()
  printAs(io.stdout, format, found, () =>
    table(
      ['ENDPOINT', 'URL', 'TYPES', 'STATE', 'WAITING', 'DEAD', 'PROBLEM'],
      found.map(({ id, url, types, disabled_at: disabled, waiting, dead, problem }) => [
        id,
        url,
        types.join(', ') || 'all',
        disabled === null ? 'enabled' : `disabled at ${disabled}`,
        String(waiting),
        String(dead),
        problem?.reason ?? 'none'
      ])
    )
  )
}

async function listDead(endpoints: Endpoints, format: Options['format'], io: Io): Promise<void> {
  const found = await endpoints.dead()
  printAs(io.stdout, format, found, () =>
    table(
      ['MESSAGE', 'TYPE', 'ENDPOINT', 'ATTEMPTS', 'PROBLEM', 'SINCE'],
      found.map(({ message, type, endpoint, attempts, problem, dead_at: since }) => [
        message,
        type,
        endpoint,
        String(attempts),
        problem.reason,
        since
      ])
    )
  )
}

/** Checks the arguments, and returns the work with the endpoints. */
async function workOf(
  action: Action,
  subject: string | undefined,
  { root, type: types, hours, format }: Options,
  io: Io
): Promise<(endpoints: Endpoints) => Promise<void>> {
  const { webhookTypesOf } = await import('../roots.ts')
  const { urlOf } = await import('../../core/canonical/url.ts')
  const declared = await webhookTypesOf(root)
  if (declared.length === 0) throw new UsageError('No root declares webhooks. A root has them in surfaces/webhooks.ts.')
  if (action === 'list' || action === 'dead') {
    if (subject !== undefined) throw new UsageError(`\`${action}\` takes no further word.`)
    return async endpoints => {
      await (action === 'list' ? list : listDead)(endpoints, format, io)
    }
  }
  if (action === 'add') {
    const url = urlOf(subject ?? '')
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
      throw new UsageError(
        'Give the address of the endpoint, https:// and without a user name. http:// is refused everywhere, also in a network of PANTRY_OUTGOING_NETWORKS.'
      )
    const unknown = types.find(type => !declared.includes(type))
    if (unknown !== undefined)
      throw new UsageError(`There is no type \`${unknown}\`. There are: ${declared.join(', ')}.`)
    return async endpoints => {
      const { id, secret } = await endpoints.add(url.href, types)
      print(io.stdout, `${id}\n${secret}`)
      print(io.stderr, 'The second line is its secret. It is shown only now: give it to whoever runs the endpoint.')
    }
  }
  if (subject === undefined) throw new UsageError('Give the id of an endpoint; `pantry webhook list` has them.')
  const unknown = new FindingsError(`There is no endpoint \`${subject}\`.`)
  if (action === 'rotate')
    return async endpoints => {
      const secret = await endpoints.rotate(subject, hours)
      if (secret === undefined) throw unknown
      print(io.stdout, secret)
      print(
        io.stderr,
        `This is its new secret. It is shown only now. Messages are signed with the former one as well for ${hours} hours.`
      )
    }
  return async endpoints => {
    if (!(await endpoints[action](subject))) throw unknown
    print(io.stdout, `${subject}: ${action === 'remove' ? 'removed' : 'is sent what it has not got'}`)
  }
}

export const webhook = defineCommand<[action: Action, subject: string | undefined], Options>({
  name: 'webhook',
  group: 'operate',
  summary: 'Say who is told what has changed.',
  description: [
    'Adds, lists and removes the endpoints to which messages are sent, gives them other secrets (rotate), lists dead messages (dead), and sends them again (retry).',
    'The secret of an endpoint is printed once, by add; rotate prints another one. The types are those of `surfaces/webhooks.ts`.'
  ],
  arguments: [
    new Argument('<action>', 'What to do.').choices(actions),
    new Argument('[endpoint]', 'The address to add, else the id of an endpoint.')
  ],
  options: [
    rootOption(),
    new Option('--type <type>', 'With add: a type to be told about; may be given several times.')
      .argParser((type: string, before: readonly string[] | undefined) => [...(before ?? []), type])
      .default([], 'all types'),
    new Option('--hours <hours>', 'With rotate: how long messages are signed with the former secret as well; 0 to 720.')
      .argParser(readHours)
      .default(24),
    choice('--format <format>', 'Form of the lists.', formats, 'table')
  ],
  examples: [
    ['pantry webhook list', 'Who is told, and what waits or is dead.'],
    ['pantry webhook add https://hooks.example.org/in', 'Tell one more.']
  ],
  exits: { 1: 'There is no such endpoint.', 3: 'The database cannot be started or reached.' },
  async run([action, subject], options, io) {
    const { withDatabase } = await import('../with-database.ts')
    const { Endpoints: Opened } = await import('../../core/database/webhooks/endpoints.ts')
    const work = await workOf(action, subject, options, io)
    await withDatabase(io, options.root, async (database, dataDir) => {
      await work(new Opened(database, dataDir))
    })
    return 0
  }
})
