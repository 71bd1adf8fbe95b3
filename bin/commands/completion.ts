import { Argument } from 'commander'
import { defineCommand } from '../command.ts'
import { completionScript, shells, type Shell } from '../output/completion.ts'
import { print } from '../output/io.ts'

export const completion = defineCommand<[shell: Shell], object>({
  name: 'completion',
  summary: 'Print a completion script for your shell.',
  description: [
    'Prints a script that completes commands, options and the words they take.',
    'It is made from the commands themselves, so it knows every one of them.'
  ],
  arguments: [new Argument('<shell>', 'Your shell.').choices(shells)],
  options: [],
  examples: [
    ['source <(pantry completion bash)', 'For this session of bash.'],
    ['pantry completion zsh > ~/.zsh/completion-pantry.zsh', 'To be sourced in `.zshrc`.'],
    ['pantry completion fish > ~/.config/fish/completions/pantry.fish', 'For every session of fish.']
  ],
  exits: {},
  async run([shell], _options, io) {
    // The tree is imported here, because this command is part of it.
    const { program } = await import('../run.ts')
    const { broughtCommands } = await import('../brought-commands.ts')
    print(
      io.stdout,
      completionScript(
        program(io, () => undefined, (await broughtCommands()).brought),
        shell
      )
    )
    return 0
  }
})
