import {
  Argument,
  defineCommand,
  Option,
  print,
  rootOption,
  UsageError,
  withDatabase,
  type RootOptions
} from 'pantry/command'

const proofsCommand = defineCommand<[action: 'epoch' | 'state'], RootOptions & Readonly<{ reason?: string }>>({
  name: 'proofs',
  summary: 'See how the chain of draws is, and declare an epoch where it cannot go on.',
  description: [
    'A chain that lost its last signed head, such as after a restore, goes on only when you declare an epoch: a new tree, with a reason that everyone can read.',
    'What was signed before stays published, and the declaration names the head that was lost.'
  ],
  arguments: [new Argument('<action>', 'What to do.').choices(['state', 'epoch'])],
  options: [rootOption(), new Option('--reason <text>', 'Why an epoch begins, in a sentence that is published.')],
  examples: [
    ['pantry proofs state', 'Says whether the chain goes on.'],
    ['pantry proofs epoch --reason "Restored the backup of 3 May after a disk failed."', 'Begins a new tree.']
  ],
  exits: { 1: 'The chain does not go on.', 3: 'The database cannot be started or reached.' },
  async run([action], { reason = '', root }, io) {
    if (action === 'epoch' && !/^.{10,500}$/.test(reason))
      throw new UsageError('Say why with `--reason`, in 10 to 500 characters.')
    return await withDatabase(io, root, async (database, dataDir) => {
      const { Chain, OwnFiles } = await import('../proofs/chain.ts')
      const chain = new Chain(database, new OwnFiles(dataDir), { error: () => undefined })
      if (action === 'epoch') print(io.stderr, `Epoch ${await chain.declare(reason)} is declared.`)
      const halted = await chain.advance()
      print(io.stdout, halted ?? 'The chain goes on.')
      return halted === undefined ? 0 : 1
    })
  }
})

export default proofsCommand
