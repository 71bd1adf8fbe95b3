import { Argument, FindingsError, Option, print, UsageError } from 'pantry/command'
import { defineActions, formatOption, printRows, type ListFormat } from '../command.ts'

const organisationsCommand = defineActions({
  name: 'organisations',
  summary: 'Approve and remove entries of the directory of organisations.',
  description: [
    'Lists what people wrote of their collectives, lets an entry be shown, or takes it away. An entry that was changed waits again.',
    'What an entry says is not checked: the directory says so. `list --format json` shows all of it with its version, and `approve` takes the version that you read. Every act is written down.'
  ],
  actions: ['list', 'approve', 'remove'],
  arguments: [
    new Argument('[slug]', 'Which entry; not for `list`.'),
    new Argument('[version]', 'With `approve`: what you read.')
  ],
  options: [new Option('--reason <text>', 'With `remove`: why.'), formatOption()],
  examples: [
    ['pantry organisations list --format json', 'Every entry with all that it says, those that wait first.'],
    [`pantry organisations approve night-owls ${'0f'.repeat(32)}`, 'Lets an entry be shown, while its receipt holds.'],
    ['pantry organisations remove night-owls --reason "An advertisement"', 'Takes it away.']
  ],
  finding: 'There is no such entry, or it says something else now.',
  run([action, slug, version], { reason, format }: Readonly<{ reason?: string; format: ListFormat }>, io) {
    if (action !== 'list' && slug === undefined)
      throw new UsageError(`\`pantry organisations ${action}\` needs the short name of an entry.`)
    if (action === 'approve' && version === undefined)
      throw new UsageError('Say which version you read, as `pantry organisations list --format json` shows it.')
    if (action === 'remove' && reason === undefined) throw new UsageError('Say why with `--reason`.')
    return async database => {
      const [{ Organisations }, { operator }] = await Promise.all([
        import('../people/organisations.ts'),
        import('../people/acts.ts')
      ])
      const organisations = new Organisations(database)
      if (slug === undefined || action === 'list') {
        printRows(io, format, await organisations.all(), {
          ENTRY: one => one.slug,
          NAME: one => one.display_name,
          WRITTEN: one => one.updated_at.slice(0, 10),
          '': one => (one.approved_at === null ? 'waits' : 'approved')
        })
        return
      }
      const isDone = await (action === 'approve'
        ? organisations.approve(slug, version ?? '')
        : organisations.remove({ slug }, operator, reason))
      if (!isDone) throw new FindingsError(`There is no entry \`${slug}\`.`)
      print(io.stderr, action === 'approve' ? `${slug} is shown while its receipt holds.` : `${slug} is gone.`)
    }
  }
})

export default organisationsCommand
