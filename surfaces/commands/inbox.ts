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
import { isId } from '../ids.ts'
import { operator } from '../people/acts.ts'

const actions = ['list', 'reply', 'remove'] as const

type Options = RootOptions & Readonly<{ reply?: string; format: 'table' | 'json' }>

const inboxCommand = defineCommand<[action: (typeof actions)[number], id: string | undefined], Options>({
  name: 'inbox',
  summary: 'Read the reports that people let you keep, answer and delete them.',
  description: [
    'Reports are kept with the consent of whoever sent them, for at most a year.',
    'A reply is public only where its sender allowed it.'
  ],
  arguments: [
    new Argument('<action>', 'What to do.').choices(actions),
    new Argument('[id]', 'Id of a report; not for `list`.')
  ],
  options: [
    rootOption(),
    new Option('--reply <text>', 'What to answer.'),
    choice('--format <format>', 'Form of what is printed.', ['table', 'json'], 'table')
  ],
  examples: [
    ['pantry inbox list --format json', 'All reports, those without a reply first.'],
    ['pantry inbox reply 3f0c2a8e-5a4d-4f0e-9d53-0f7f7d0a5b11 --reply "Thank you; it is fixed."', 'Answers a report.']
  ],
  exits: { 1: 'There is no such report.', 3: 'The database cannot be started or reached.' },
  async run([action, id], { reply, format, root }, io) {
    if (action !== 'list' && id === undefined)
      throw new UsageError(`\`pantry inbox ${action}\` needs the id of a report.`)
    if (id !== undefined && !isId(id))
      throw new UsageError('A report is named by its id, as `pantry inbox list` shows it.')
    if (action === 'reply' && reply === undefined) throw new UsageError('Say what to answer with `--reply`.')
    await withDatabase(io, root, async database => {
      const { Inbox } = await import('../playful/inbox.ts')
      const inbox = new Inbox(database)
      if (id === undefined || action === 'list') {
        const all = await inbox.all()
        if (format === 'json') printJson(io.stdout, all)
        else
          print(
            io.stdout,
            table(
              ['ID', 'RECEIVED', 'KIND', 'REPORT', ''],
              all.map(one => [
                one.id,
                one.received_at.slice(0, 10),
                String(one.report['kind']),
                String(one.report['observation']).slice(0, 60),
                one.reply === null ? 'waits' : 'answered'
              ])
            )
          )
        return
      }
      const isDone =
        action === 'reply' ? await inbox.reply(id, reply ?? '', operator) : await inbox.remove(id, operator)
      if (!isDone) throw new FindingsError(`There is no report \`${id}\`.`)
      print(io.stderr, action === 'reply' ? 'The reply is kept with the report.' : 'The report is deleted.')
    })
    return 0
  }
})

export default inboxCommand
