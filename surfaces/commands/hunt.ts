import { Argument, Option, print, UsageError } from 'pantry/command'
import { defineActions, formatOption, printRows, type ListFormat } from '../command.ts'
import { isId } from '../common/ids.ts'
import { resolutions } from '../coverage/hunt/rules.ts'
import { operator } from '../people/acts.ts'

type Options = Readonly<{ resolution?: string; reason?: string; format: ListFormat }>

const huntCommand = defineActions({
  name: 'hunt',
  summary: 'Read the cases of the Coverage Hunt, and note what they come to.',
  description: [
    'Three agents look at a candidate one after another; then a person reads what they say. `list` shows the cases, those that wait for a person first.',
    '`review` notes what a case comes to. Nothing of the catalogue changes.'
  ],
  actions: ['list', 'review'],
  arguments: [new Argument('[id]', 'Id of a case; not for `list`.')],
  options: [
    new Option('--resolution <resolution>', 'What it comes to.').choices(resolutions),
    new Option('--reason <text>', 'Why, in a few words.'),
    formatOption()
  ],
  examples: [
    ['pantry hunt list', 'Cases with their states.'],
    [
      'pantry hunt review 3f0c2a8e-5a4d-4f0e-9d53-0f7f7d0a5b11 --resolution reject --reason "The set was renamed."',
      'Ends a case with a note.'
    ]
  ],
  finding: 'There is no such case, or it does not wait for a review.',
  run([action, id], { resolution, reason, format }: Options, io) {
    const review =
      id === undefined || resolution === undefined || reason === undefined ? undefined : { id, resolution, reason }
    if (action === 'review' && review === undefined)
      throw new UsageError('`pantry hunt review` needs the id of a case, `--resolution` and `--reason`.')
    if (id !== undefined && !isId(id))
      throw new UsageError('A case is named by its id, as `pantry hunt list` shows it.')
    return async database => {
      const { HuntCases } = await import('../coverage/hunt/cases.ts')
      const cases = new HuntCases(database)
      if (review === undefined) {
        printRows(io, format, await cases.forReview(), {
          ID: one => one.case_id,
          STATE: one => one.status,
          OPENED: one => one.opened_at.slice(0, 10),
          CANDIDATE: ({ candidate: { candidate } }) => `${candidate.kind} ${Object.values(candidate.target).join(' ')}`
        })
        return
      }
      await cases.review(review.id, review, operator)
      print(io.stderr, 'The review is noted.')
    }
  }
})

export default huntCommand
