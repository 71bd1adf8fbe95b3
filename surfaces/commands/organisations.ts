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
  type RootOptions
} from 'pantry/command'

const actions = ['list', 'approve', 'remove'] as const
type Options = RootOptions & Readonly<{ reason?: string; format: 'table' | 'json' }>

const organisationsCommand = defineCommand<
  [action: (typeof actions)[number], slug: string | undefined, version: string | undefined],
  Options
>({
  name: 'organisations',
  summary: 'Approve and remove entries of the directory of organisations.',
  description: [
    'Lists what people wrote of their collectives, lets an entry be shown, or takes it away. An entry that was changed waits again.',
    'What an entry says is not checked: the directory says so. `list --format json` shows all of it with its version, and `approve` takes the version that you read. Every act is written down.'
  ],
  arguments: [
    new Argument('<action>', 'What to do.').choices(actions),
    new Argument('[slug]', 'Which entry; not for `list`.'),
    new Argument('[version]', 'With `approve`: what you read.')
  ],
  options: [
    rootOption(),
    new Option('--reason <text>', 'With `remove`: why.'),
    choice('--format <format>', 'Form of what is printed.', ['table', 'json'], 'table')
  ],
  examples: [
    ['pantry organisations list --format json', 'Every entry with all that it says, those that wait first.'],
    [`pantry organisations approve night-owls ${'0f'.repeat(32)}`, 'Lets an entry be shown, while its receipt holds.'],
    ['pantry organisations remove night-owls --reason "An advertisement"', 'Takes it away.']
  ],
  exits: {
    1: 'There is no such entry, or it says something else now.',
    3: 'The database cannot be started or reached.'
  },
  async run([action, slug, version], { root, reason, format }, io) {
    if (action !== 'list' && slug === undefined)
      throw new UsageError(`\`pantry organisations ${action}\` needs the short name of an entry.`)
    if (action === 'approve' && version === undefined)
      throw new UsageError('Say which version you read, as `pantry organisations list --format json` shows it.')
    if (action === 'remove' && reason === undefined) throw new UsageError('Say why with `--reason`.')
    await withDatabase(io, root, async database => {
      const [{ Organisations }, { operator }, { SurfaceError }] = await Promise.all([
        import('../people/organisations.ts'),
        import('../people/acts.ts'),
        import('pantry/data')
      ])
      const organisations = new Organisations(database)
      if (slug !== undefined && action !== 'list') {
        const isDone = await (
          action === 'approve'
            ? organisations.approve(slug, version ?? '')
            : organisations.remove({ slug }, operator, reason)
        ).catch((error: unknown) => {
          throw error instanceof SurfaceError ? new FindingsError(error.message) : error
        })
        if (!isDone) throw new FindingsError(`There is no entry \`${slug}\`.`)
        print(io.stderr, action === 'approve' ? `${slug} is shown while its receipt holds.` : `${slug} is gone.`)
        return
      }
      const all = await organisations.all()
      if (format === 'json') printJson(io.stdout, all)
      else
        print(
          io.stdout,
          table(
            ['ENTRY', 'NAME', 'WRITTEN', ''],
            all.map(({ slug: one, display_name: name, updated_at: at, approved_at: approved }) => [
              one,
              name,
              at.slice(0, 10),
              approved === null ? 'waits' : 'approved'
            ])
          )
        )
    })
    return 0
  }
})

export default organisationsCommand
