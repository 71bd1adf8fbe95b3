import { Argument, FindingsError, Option, print, UsageError } from 'pantry/command'
import { defineActions, formatOption, printRows, type ListFormat } from '../command.ts'
import { isId } from '../common/ids.ts'
import { operator } from '../people/acts.ts'

const inboxCommand = defineActions({
  name: 'inbox',
  summary: 'Read the reports that people let you keep, answer and delete them.',
  description: [
    'Reports are kept with the consent of whoever sent them, for at most a year.',
    'A reply is public only where its sender allowed it.'
  ],
  actions: ['list', 'reply', 'remove'],
  arguments: [new Argument('[id]', 'Id of a report; not for `list`.')],
  options: [new Option('--reply <text>', 'What to answer.'), formatOption()],
  examples: [
    ['pantry inbox list --format json', 'All reports, those without a reply first.'],
    ['pantry inbox reply 3f0c2a8e-5a4d-4f0e-9d53-0f7f7d0a5b11 --reply "Thank you; it is fixed."', 'Answers a report.']
  ],
  finding: 'There is no such report.',
  run([action, id], { reply, format }: Readonly<{ reply?: string; format: ListFormat }>, io) {
    if (action !== 'list' && id === undefined)
      throw new UsageError(`\`pantry inbox ${action}\` needs the id of a report.`)
    if (id !== undefined && !isId(id))
      throw new UsageError('A report is named by its id, as `pantry inbox list` shows it.')
    if (action === 'reply' && reply === undefined) throw new UsageError('Say what to answer with `--reply`.')
    return async database => {
      const { Inbox } = await import('../playful/inbox.ts')
      const inbox = new Inbox(database)
      if (id === undefined || action === 'list') {
        printRows(io, format, await inbox.all(), {
          ID: one => one.id,
          RECEIVED: one => one.received_at.slice(0, 10),
          KIND: ({ report }) => String(report['kind']),
          REPORT: ({ report }) => String(report['observation']).slice(0, 60),
          '': one => (one.reply === null ? 'waits' : 'answered')
        })
        return
      }
      const isDone = await (action === 'reply' ? inbox.reply(id, reply ?? '', operator) : inbox.remove(id, operator))
      if (!isDone) throw new FindingsError(`There is no report \`${id}\`.`)
      print(io.stderr, action === 'reply' ? 'The reply is kept with the report.' : 'The report is deleted.')
    }
  }
})

export default inboxCommand
