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
import { resolutions } from '../coverage/hunt/rules.ts'
import { isId } from '../ids.ts'
import { operator } from '../people/acts.ts'

const actions = ['list', 'review'] as const

type Options = RootOptions & Readonly<{ resolution?: string; reason?: string; format: 'table' | 'json' }>

const huntCommand = defineCommand<[action: (typeof actions)[number], id: string | undefined], Options>({
  name: 'hunt',
  summary: 'Read the cases of the Coverage Hunt, and note what they come to.',
  description: [
    'Three agents look at a candidate one after another; then a person reads what they say. `list` shows the cases, those that wait for a person first.',
    '`review` notes what a case comes to. Nothing of the catalogue changes.'
  ],
  arguments: [
    new Argument('<action>', 'What to do.').choices(actions),
    new Argument('[id]', 'Id of a case; not for `list`.')
  ],
  options: [
    rootOption(),
    new Option('--resolution <resolution>', 'What it comes to.').choices(resolutions),
    new Option('--reason <text>', 'Why, in a few words.'),
    choice('--format <format>', 'Form of what is printed.', ['table', 'json'], 'table')
  ],
  examples: [
    ['pantry hunt list', 'Cases with their states.'],
    [
      'pantry hunt review 3f0c2a8e-5a4d-4f0e-9d53-0f7f7d0a5b11 --resolution reject --reason "The set was renamed."',
      'Ends a case with a note.'
    ]
  ],
  exits: {
    1: 'There is no such case, or it does not wait for a review.',
    3: 'The database cannot be started or reached.'
  },
  async run([action, id], { resolution, reason, format, root }, io) {
    const given =
      id === undefined || resolution === undefined || reason === undefined ? undefined : { id, resolution, reason }
    if (action === 'review' && given === undefined)
      throw new UsageError('`pantry hunt review` needs the id of a case, `--resolution` and `--reason`.')
    if (id !== undefined && !isId(id))
      throw new UsageError('A case is named by its id, as `pantry hunt list` shows it.')
    await withDatabase(io, root, async database => {
      const { HuntCases } = await import('../coverage/hunt/cases.ts')
      const cases = new HuntCases(database)
      if (given !== undefined) {
        await cases.review(given.id, given, operator).catch((error: unknown) => {
          throw new FindingsError(error instanceof Error ? error.message : String(error))
        })
        print(io.stderr, 'The review is noted.')
        return
      }
      const all = await cases.forReview()
      if (format === 'json') printJson(io.stdout, all)
      else
        print(
          io.stdout,
          table(
            ['ID', 'STATE', 'OPENED', 'CANDIDATE'],
            all.map(one => [
              one.case_id,
              one.status,
              one.opened_at.slice(0, 10),
              `${one.candidate.candidate.kind} ${Object.values(one.candidate.candidate.target).join(' ')}`
            ])
          )
        )
    })
    return 0
  }
})

export default huntCommand
