import { Argument, choice, defineCommand, FindingsError, Option, print, printJson, rootOption, table, UsageError, withDatabase, type RootOptions } from 'pantry/command'

const actions = ['list', 'approve', 'remove'] as const
type Options = RootOptions & Readonly<{ reason?: string, format: 'table' | 'json' }>

const organisationsCommand = defineCommand<[action: typeof actions[number], slug: string | undefined], Options>({
  name: 'organisations',
  summary: 'Approve and remove entries of the directory of organisations.',
  description: [
    'Lists what people wrote of their collectives, lets an entry be shown, or takes it away. An entry that was changed waits again.',
    'What an entry says is not checked: the directory says so. Every act is written down.'
  ],
  arguments: [new Argument('<action>', 'What to do.').choices(actions), new Argument('[slug]', 'Which entry; not for `list`.')],
  options: [rootOption(), new Option('--reason <text>', 'With `remove`: why.'), choice('--format <format>', 'Form of what is printed.', ['table', 'json'], 'table')],
  examples: [
    ['pantry organisations list', 'Every entry, those that wait first.'],
    ['pantry organisations approve night-owls', 'Lets an entry be shown, while its receipt holds.'],
    ['pantry organisations remove night-owls --reason "An advertisement"', 'Takes it away.']
  ],
  exits: { 1: 'There is no such entry.', 3: 'The database cannot be started or reached.' },
  async run ([action, slug], { root, reason, format }, io) {
    const { Organisations } = await import('../collectors/organisations.ts')
    const { operator } = await import('../accounts/acts.ts')
    if (action !== 'list' && slug === undefined) throw new UsageError(`\`pantry organisations ${action}\` needs the short name of an entry.`)
    if (action === 'remove' && reason === undefined) throw new UsageError('Say why with `--reason`.')
    await withDatabase(io, root, async database => {
      const organisations = new Organisations(database)
      if (slug !== undefined && action !== 'list') {
        if (!await (action === 'approve' ? organisations.approve(slug) : organisations.remove({ slug }, operator, reason))) throw new FindingsError(`There is no entry \`${slug}\`.`)
        print(io.stderr, action === 'approve' ? `${slug} is shown while its receipt holds.` : `${slug} is gone.`)
        return
      }
      const all = await organisations.all()
      if (format === 'json') printJson(io.stdout, all)
      else print(io.stdout, table(['ENTRY', 'NAME', 'WRITTEN', ''], all.map(({ slug: one, display_name: name, updated_at: at, approved_at: approved }) => [one, name, at.slice(0, 10), approved === null ? 'waits' : 'approved'])))
    })
    return 0
  }
})

export default organisationsCommand
