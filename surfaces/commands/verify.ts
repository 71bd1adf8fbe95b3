import {
  Argument,
  choice,
  count,
  defineCommand,
  FindingsError,
  Option,
  print,
  printJson,
  UsageError
} from 'pantry/command'

const verifyCommand = defineCommand<[url: string], Readonly<{ remember?: string; format: 'text' | 'json' }>>({
  name: 'verify',
  summary: 'Check the draws of a whole service from outside, with nothing but its answers.',
  description: [
    'Computes every draw again, and the tree over all receipts; checks the chain, the signatures, the proofs that the service gives of every receipt and of consistency, and that what it says of fairness and of its health follows from the receipts.',
    'Every draw has a number: draws that were taken away are missed. Declared epochs are named. With `--remember` the newest head is kept in a file, and must be in the chain the next time: a service that shows another history to somebody else is found out.'
  ],
  arguments: [new Argument('<url>', 'Address of the service.')],
  options: [
    new Option('--remember <file>', 'File of the newest head that was seen.'),
    choice('--format <format>', 'Form of what is printed.', ['text', 'json'], 'text')
  ],
  examples: [
    ['pantry verify http://127.0.0.1:8080', 'Checks the service on this machine.'],
    [
      'pantry verify https://cards.example.org --remember head.json',
      'Checks also that what was seen before is still there.'
    ]
  ],
  exits: { 1: 'Something does not hold.', 3: 'The service cannot be reached.' },
  async run([url], { remember, format }, io) {
    const { jsonReader, readRemembered, writeRemembered } = await import('../proofs/outside.ts')
    const { UnprovenError: UnprovenError } = await import('../proofs/verify-studies.ts')
    const { verifyService } = await import('../proofs/verify-service.ts')
    if (!/^https?:\/\/[^/?#]+\/?$/.test(url))
      throw new UsageError('Give the address of a service, such as `https://cards.example.org`.')
    const verified = await verifyService(url, jsonReader(url), await readRemembered(remember)).catch(
      (error: unknown) => {
        throw error instanceof UnprovenError ? new FindingsError(error.message) : error
      }
    )
    await writeRemembered(remember, verified.tip)
    if (format === 'json') printJson(io.stdout, verified)
    else {
      for (const { epoch, declared_at: at, reason, lost } of verified.epochs.slice(1))
        print(
          io.stderr,
          `Epoch ${epoch} was declared at ${at}${lost === null ? '' : `, because the signed head ${lost} was lost`}: ${reason}`
        )
      print(
        io.stdout,
        `${count(verified.receipts, 'receipt')} in ${count(verified.batches, 'signed head')}: all draws, roots, signatures and ${count(verified.proofs, 'proof')} hold.`
      )
    }
    return 0
  }
})

export default verifyCommand
