import { Argument, choice, FindingsError, Option, print, UsageError } from 'pantry/command'
import { defineActions, printRows } from '../command.ts'
import { isId } from '../common/ids.ts'
import { disputeOutcomes, type DisputeOutcome } from '../market/auction.ts'

type Options = Readonly<{
  reason?: string
  outcome?: DisputeOutcome
  severity: 'low' | 'medium' | 'high'
  by: 'seller' | 'winner'
}>

const marketCommand = defineActions({
  name: 'market',
  summary: 'Approve consignments, record payments, decide disputes, set signals of fraud, remove listings and reviews.',
  description: [
    'Does for the operator what an admin does on the page of an auction, and what has no page.',
    'Each act is written down with its reason; what people wrote is not printed.'
  ],
  actions: ['list', 'approve', 'refuse', 'paid', 'remove', 'dispute', 'signal', 'resolve', 'remove-review'],
  arguments: [new Argument('[of]', 'Id of an auction or of a signal; for `signal` a username; not for `list`.')],
  options: [
    new Option('--reason <text>', 'Why: the parties of an auction see it.'),
    new Option('--outcome <outcome>', 'What a dispute comes to; `open` takes it up.').choices(disputeOutcomes),
    choice('--severity <severity>', 'Severity of a signal.', ['low', 'medium', 'high'], 'medium'),
    choice('--by <side>', 'Whose review is removed.', ['seller', 'winner'], 'winner')
  ],
  examples: [
    ['pantry market list', 'Auctions that wait for approval or payment, and disputes that wait for a decision.'],
    ['pantry market approve 3f0c2a8e-5a4d-4f0e-9d53-0f7f7d0a5b11', 'Takes a consignment.'],
    ['pantry market signal ada --severity high --reason "Two accounts bid for one."', 'Sets a signal of fraud.']
  ],
  finding: 'There is no such thing, or it is not so far.',
  run([action, of], { reason, outcome, severity, by }: Options, io) {
    if (action !== 'list' && of === undefined)
      throw new UsageError(`\`pantry market ${action}\` needs to know of what.`)
    if (of !== undefined && action !== 'signal' && !isId(of))
      throw new UsageError('Auctions and signals are named by their ids.')
    if (reason === undefined && !['list', 'approve', 'paid', 'resolve'].includes(action))
      throw new UsageError('Say why with `--reason`.')
    if (action === 'dispute' && outcome === undefined) throw new UsageError('Say what it comes to with `--outcome`.')
    return async database => {
      const { carryOut, pendingAuctions: waiting } = await import('../market/operating.ts')
      if (action === 'list' || of === undefined) {
        printRows(io, 'table', await waiting(database), {
          AUCTION: one => one.id,
          STATE: one => one.status,
          'WAITS FOR': one => one.waits
        })
        return
      }
      const request = { action, of, reason: reason ?? '', outcome: outcome ?? 'open', severity, by } as const
      const found = await carryOut(database, request)
      if (!found.isDone) throw new FindingsError(found.why)
      print(io.stderr, `Done: ${found.id}`)
    }
  }
})

export default marketCommand
