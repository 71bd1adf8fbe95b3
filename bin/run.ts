import { CommanderError, Command } from 'commander'
import { toCommander, type CommandDefinition } from './command.ts'
import { broughtCommands } from './brought-commands.ts'
import { commands } from './commands/index.ts'
import { misspelt } from './config.ts'
import { ending, type ExitCode } from './output/exit.ts'
import { print, type Io } from './output/io.ts'
import { packageVersion } from './project.ts'

/**
 * The whole command tree, with the commands that roots bring. Commander prints to the given streams and never ends the
 * process.
 */
export function program(io: Io, done: (code: ExitCode) => void, brought: readonly CommandDefinition[] = []): Command {
  const top = new Command('pantry')
    .description('One YAML manifest in, one served surface and its discovery documents out.')
    .version(packageVersion(), '-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print help; `pantry help <command>` teaches one command.')
    .helpCommand('help [command]', 'Teach one command.')
    .addHelpText(
      'after',
      '\nExit codes: 0 fine, 1 findings, 2 wrong usage or configuration, 3 environment.\nResults go to stdout, everything else to stderr.'
    )
  for (const definition of [...commands, ...brought]) top.addCommand(toCommander(definition, io, done))
  for (const command of [top, ...top.commands]) {
    command
      .helpOption('-h, --help', 'Print this help.')
      .showHelpAfterError(
        `Run \`${[command.parent?.name(), command.name()].filter(Boolean).join(' ')} --help\` for help.`
      )
      .configureOutput({
        writeOut: text => {
          io.stdout.write(text)
        },
        writeErr: text => {
          io.stderr.write(text)
        },
        getOutHasColors: () => false,
        getErrHasColors: () => false
      })
      .exitOverride()
  }
  return top
}

/** Runs one command line, without the name of the program, and returns its exit code. Never rejects. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = 0
  try {
    const { brought, problems } = await broughtCommands()
    for (const problem of [...misspelt(io.env), ...problems]) print(io.stderr, `warning: ${problem}`)
    // What a root makes new with a command of its own, such as `new-source`, is asked for like everything else that is
    // new.
    const [verb, thing = '', ...rest] = args
    const line =
      verb === 'new' && brought.some(({ name }) => name === `new-${thing}`) ? [`new-${thing}`, ...rest] : args
    await program(
      io,
      ended => {
        code = ended
      },
      brought
    ).parseAsync([...line], { from: 'user' })
    return code
  } catch (error) {
    // Commander has printed what was wrong; its own codes are 0 for help and version, and 1.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { code: failed, text } = ending(error)
    print(io.stderr, text)
    return failed
  }
}
