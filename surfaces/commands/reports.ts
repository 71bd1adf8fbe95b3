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

const actions = ['list', 'remove', 'keep'] as const

type Options = RootOptions & Readonly<{ reason?: string; format: 'table' | 'json' }>

const reportsCommand = defineCommand<[action: (typeof actions)[number], id: string | undefined], Options>({
  name: 'reports',
  summary: 'Read what people report of listings, reviews and collectives, and decide it.',
  description: [
    '`remove` takes the thing out of sight at once, `keep` lets it be; all reports about the same thing are decided together.',
    'Each decision is written down with its reason. Whoever was reported is never told who reported it.'
  ],
  arguments: [
    new Argument('<action>', 'What to do.').choices(actions),
    new Argument('[id]', 'Id of a report; not for `list`.')
  ],
  options: [
    rootOption(),
    new Option('--reason <text>', 'Why.'),
    choice('--format <format>', 'Form of what is printed.', ['table', 'json'], 'table')
  ],
  examples: [
    ['pantry reports list --format json', 'Reports that wait, the oldest first, with what they say.'],
    [
      'pantry reports remove 3f0c2a8e-5a4d-4f0e-9d53-0f7f7d0a5b11 --reason "It offers a card that is none."',
      'Removes what was reported.'
    ]
  ],
  exits: { 1: 'There is no such report, or it was decided.', 3: 'The database cannot be started or reached.' },
  async run([action, id], { reason, format, root }, io) {
    if (action !== 'list' && (id === undefined || reason === undefined))
      throw new UsageError(`\`pantry reports ${action}\` needs the id of a report, and \`--reason\`.`)
    if (id !== undefined && !isId(id))
      throw new UsageError('A report is named by its id, as `pantry reports list` shows it.')
    await withDatabase(io, root, async database => {
      const [{ Reports }, { SurfaceError }] = await Promise.all([import('../market/reports.ts'), import('pantry/data')])
      const reports = new Reports(database)
      if (action !== 'list' && id !== undefined && reason !== undefined) {
        await reports.decide(id, { decision: action, reason }, operator).catch((error: unknown) => {
          throw error instanceof SurfaceError ? new FindingsError(error.message) : error
        })
        print(io.stderr, action === 'remove' ? 'It is out of sight.' : 'It stays.')
        return
      }
      const all = await reports.waiting()
      if (format === 'json') printJson(io.stdout, all)
      else
        print(
          io.stdout,
          table(
            ['ID', 'REPORTED', 'WHAT', 'GROUND'],
            all.map(one => [one.id, one.reported_at.slice(0, 10), `${one.kind} ${one.of ?? 'gone'}`, one.ground])
          )
        )
    })
    return 0
  }
})

export default reportsCommand
