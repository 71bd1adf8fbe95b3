import { Argument, Option, print, UsageError } from 'pantry/command'
import { defineActions, formatOption, printRows, type ListFormat } from '../command.ts'
import { isId } from '../common/ids.ts'
import { operator } from '../people/acts.ts'

const reportsCommand = defineActions({
  name: 'reports',
  summary: 'Read what people report of listings, reviews and collectives, and decide it.',
  description: [
    '`remove` takes the thing out of sight at once, `keep` lets it be; all reports about the same thing are decided together.',
    'Each decision is written down with its reason. Whoever was reported is never told who reported it.'
  ],
  actions: ['list', 'remove', 'keep'],
  arguments: [new Argument('[id]', 'Id of a report; not for `list`.')],
  options: [new Option('--reason <text>', 'Why.'), formatOption()],
  examples: [
    ['pantry reports list --format json', 'Reports that wait, the oldest first, with what they say.'],
    [
      'pantry reports remove 3f0c2a8e-5a4d-4f0e-9d53-0f7f7d0a5b11 --reason "It offers a card that is none."',
      'Removes what was reported.'
    ]
  ],
  finding: 'There is no such report, or it was decided.',
  run([action, id], { reason, format }: Readonly<{ reason?: string; format: ListFormat }>, io) {
    if (action !== 'list' && (id === undefined || reason === undefined))
      throw new UsageError(`\`pantry reports ${action}\` needs the id of a report, and \`--reason\`.`)
    if (id !== undefined && !isId(id))
      throw new UsageError('A report is named by its id, as `pantry reports list` shows it.')
    return async database => {
      const { Reports } = await import('../market/reports.ts')
      const reports = new Reports(database)
      if (action === 'list' || id === undefined || reason === undefined) {
        printRows(io, format, await reports.waiting(), {
          ID: one => one.id,
          REPORTED: one => one.reported_at.slice(0, 10),
          WHAT: one => `${one.kind} ${one.of ?? 'gone'}`,
          GROUND: one => one.ground
        })
        return
      }
      await reports.decide(id, { decision: action, reason }, operator)
      print(io.stderr, action === 'remove' ? 'It is out of sight.' : 'It stays.')
    }
  }
})

export default reportsCommand
