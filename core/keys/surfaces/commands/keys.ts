import {
  Argument,
  choice,
  defineCommand,
  FindingsError,
  Option,
  print,
  printJson,
  rootOption,
  table,
  UsageError,
  withDatabase,
  type Io,
  type RootOptions
} from 'pantry/command'
import type { KeyStore, KeyWanted, ShownKey } from 'pantry/keys'

const actions = ['issue', 'list', 'revoke'] as const
type Action = (typeof actions)[number]

type Options = RootOptions &
  Readonly<{ name?: string; scopes?: readonly string[]; expires?: string; limit?: number; format: 'table' | 'json' }>

/** Returns the time at which a day begins in UTC; throws a UsageError for a text that is no day to come. */
function endOf(day: string): Date {
  const time = new Date(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day) && day.length === 10
  if (!isDay || time.getTime() <= Date.now())
    throw new UsageError(`\`--expires\` takes a day to come, such as 2030-01-31, but it is \`${day}\`.`)
  return time
}

/** Throws a UsageError for a scope that the service does not declare. */
async function checkScopes(scopes: readonly string[], roots: readonly string[]): Promise<void> {
  if (scopes.length === 0) return
  const [{ load }, { scopesOf }] = await Promise.all([import('pantry'), import('pantry/keys')])
  const { readable } = await load(roots)
  if (readable === undefined) throw new FindingsError('The service cannot be read: `pantry validate` says why.')
  const known = scopesOf(readable.service)
  const unknown = scopes.find(scope => !known.includes(scope))
  if (unknown === undefined) return
  const allowed = known.length === 0 ? 'There is none' : `It may be: ${known.join(', ')}`
  throw new UsageError(`There is no scope \`${unknown}\`. ${allowed}. \`scopes\` in service.yaml declares them.`)
}

async function wantedOf({ name, scopes = [], expires, limit, root }: Options): Promise<KeyWanted> {
  if (name === undefined || name.trim() === '')
    throw new UsageError('`pantry keys issue` needs `--name`: who has the key, and what it is for.')
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0 && limit < 2 ** 31))
    throw new UsageError('`--limit` takes a whole number of requests a minute, at least 1.')
  await checkScopes(scopes, root)
  return {
    name: name.trim(),
    scopes: [...new Set(scopes)],
    requestsPerMinute: limit,
    expiresAt: expires === undefined ? undefined : endOf(expires)
  }
}

const stateOf = ({ revoked_at: revoked, expires_at: ends }: ShownKey): string => {
  if (revoked !== null) return `revoked ${revoked.slice(0, 10)}`
  if (ends === null) return 'no end'
  return `${Date.parse(ends) <= Date.now() ? 'ended' : 'until'} ${ends.slice(0, 10)}`
}

async function list(keys: KeyStore, format: Options['format'], io: Io): Promise<void> {
  const found = await keys.list()
  if (format === 'json') {
    printJson(io.stdout, found)
    return
  }
  const rows = found.map(key => [
    key.prefix,
    key.name,
    key.scopes.join(', '),
    key.requests_per_minute === null ? 'usual' : String(key.requests_per_minute),
    key.created_at.slice(0, 10),
    key.last_used_on ?? 'never',
    stateOf(key)
  ])
  print(io.stdout, table(['KEY', 'NAME', 'SCOPES', 'A MINUTE', 'ISSUED', 'LAST USED', 'STATE'], rows))
}

/** Checks the arguments, and returns the work with the keys. */
async function workOf(
  action: Action,
  prefix: string | undefined,
  options: Options,
  io: Io
): Promise<(keys: KeyStore) => Promise<void>> {
  if (action !== 'revoke' && prefix !== undefined) throw new UsageError(`\`${action}\` takes no further word.`)
  if (action === 'list')
    return async keys => {
      await list(keys, options.format, io)
    }
  if (action === 'issue') {
    const wanted = await wantedOf(options)
    return async keys => {
      const { key, issued } = await keys.issue(wanted)
      if (options.format === 'json') printJson(io.stdout, { key, ...issued })
      else print(io.stdout, key)
      const { prefix: shown } = issued
      print(io.stderr, `The key is shown only now. \`pantry keys revoke ${shown}\` ends it.`)
    }
  }
  const { isKeyPrefix } = await import('pantry/keys')
  if (prefix === undefined || !isKeyPrefix(prefix))
    throw new UsageError('A key is named by its first 19 characters, as `pantry keys list` shows them; never by all.')
  return async keys => {
    if (!(await keys.revoke(prefix))) throw new FindingsError(`There is no key \`${prefix}\` that still holds.`)
    print(io.stderr, `The key ${prefix} is revoked, from the next request on.`)
  }
}

const keysCommand = defineCommand<[action: Action, prefix: string | undefined], Options>({
  name: 'keys',
  summary: 'Issue keys for agents, list and revoke them.',
  description: [
    '`issue` prints a key on stdout, once; it is stored as a hash. A scope is what an access kind of service.yaml asks for.',
    '`revoke` ends the key with these first characters, with the next request and on every process.'
  ],
  arguments: [
    new Argument('<action>', 'What to do.').choices(actions),
    new Argument('[prefix]', 'With revoke: the first characters of the key, as list shows them.')
  ],
  options: [
    rootOption(),
    new Option('--name <name>', 'With issue: who has the key, and what it is for.'),
    new Option('--scopes <scopes>', 'With issue: what the key may do, separated by commas.').argParser((text: string) =>
      text.split(',').flatMap(scope => (scope.trim() === '' ? [] : [scope.trim()]))
    ),
    new Option('--expires <day>', 'With issue: the day on which the key ends, in UTC; without it, it does not end.'),
    new Option('--limit <requests>', 'With issue: requests a minute, instead of PANTRY_KEY_REQUESTS.').argParser(
      Number
    ),
    choice('--format <format>', 'Form of what is printed.', ['table', 'json'], 'table')
  ],
  examples: [
    ['pantry keys issue --name "Harbour office"', 'Prints a key for everything with the access `agent`.'],
    ['pantry keys list', 'Which keys there are, and when each was last used.']
  ],
  exits: { 1: 'There is no such key.', 3: 'The database cannot be started or reached.' },
  async run([action, prefix], options, io) {
    const { KeyStore: Opened } = await import('pantry/keys')
    const work = await workOf(action, prefix, options, io)
    await withDatabase(io, options.root, async database => {
      await work(new Opened(database))
    })
    return 0
  }
})

export default keysCommand
