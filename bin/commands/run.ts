import { relative } from 'node:path'
import { CommanderError, Command } from 'commander'
import { isObject } from '../../core/canonical/json.ts'
import { headingOfHelp, toCommander, type CommandDefinition } from '../command.ts'
import { commands } from './index.ts'
import { misspelt, variables } from '../config.ts'
import { exitStatusOf } from '../faults.ts'
import { print, type ExitCode, type Io } from '../io.ts'
import { packageVersion, projectFolder } from '../project.ts'
import type { RootModule } from '../root-modules.ts'
import { commandModules, settingsOf } from '../roots.ts'
import { variablesOf } from '../settings.ts'
import { faultText } from '../stack-traces.ts'

/** Commander prints to the given streams and never ends the process. */
function program(io: Io, done: (code: ExitCode) => void, brought: readonly CommandDefinition[] = []): Command {
  const top = new Command('pantry')
    .description('One YAML manifest in, one served surface and its discovery documents out.')
    .version(packageVersion(), '-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print help; `pantry help <command>` teaches one command.')
    .commandsGroup(headingOfHelp)
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

/**
 * Returns the settings of the project's roots, or none if a file cannot be loaded: that must not affect other commands.
 */
const settingsHere = async () => (projectFolder() === undefined ? [] : await settingsOf([]).catch(() => []))

/** Whether a command line asks for a command of Pantry itself, or for help. */
const isOwn = ([verb = '']: readonly string[]): boolean =>
  verb === '' || verb.startsWith('-') || commands.some(({ name }) => name === verb)

/** Runs one command line, without the program name. Never rejects. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = 0
  // The output of a service is collected, so all of it is the log.
  const speech =
    args[0] === 'serve'
      ? (await import('../speech.ts')).createSpeech(io.stderr, io.env['LOG_LEVEL'] ?? '', io.env)
      : undefined
  try {
    // Where a root is not there, the commands that read it say so; `init` makes it.
    const { brought, problems } = await loadRootCommands().catch((error: unknown) => {
      if (isOwn(args)) return { brought: [], problems: [] }
      throw error
    })
    const known = [...variables, ...(await settingsHere()).flatMap(variablesOf)]
    for (const problem of [...misspelt(io.env, known), ...problems])
      if (speech === undefined) print(io.stderr, `warning: ${problem}`)
      else speech.warn(problem)
    // `pantry new source` runs the command `new-source` of a root, as if `pantry new` had it built in.
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
    // Commander has printed the error; its exit codes are 0 for help and version, and 1 for errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const ending = exitStatusOf(error, /^(?:trace|debug)$/.test(io.env['LOG_LEVEL'] ?? ''))
    if (speech === undefined) print(io.stderr, ending.text)
    else speech.fail(ending)
    return ending.code
  }
}

/** The commands that roots define, and a sentence for each file whose command cannot be used. */
type RootCommands = Readonly<{ brought: readonly CommandDefinition[]; problems: readonly string[] }>

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** The members that a command must have, each with its form in words. */
const members: readonly (readonly [name: keyof CommandDefinition, form: string, is: (value: unknown) => boolean])[] = [
  ['name', 'a text', isText],
  ['run', 'a function', value => typeof value === 'function'],
  ['summary', 'a text', isText],
  ['description', 'a list of two texts', value => Array.isArray(value) && value.length === 2 && value.every(isText)],
  ['options', 'a list of options, `[]` for none', Array.isArray],
  ['examples', 'a list of pairs, each a command line and what it does', Array.isArray],
  ['exits', 'a mapping from exit codes to what they mean, `{}` for none', isObject]
]

/** Returns why a value is no command. */
function wrongIn(value: unknown): string | undefined {
  if (!isObject(value) || !('run' in value))
    return 'The default export is no command. Write `export default defineCommand({ … })`.'
  const wrong = members.find(([name, , is]) => !is(value[name]))
  return wrong === undefined ? undefined : `The member \`${wrong[0]}\` of the command must be ${wrong[1]}.`
}

/** Returns the command that a module exports, or why it exports none. */
async function commandOf({ load }: RootModule): Promise<CommandDefinition | string> {
  try {
    const { default: command } = (await load()) as { default: unknown }
    return wrongIn(command) ?? (command as CommandDefinition)
  } catch (error) {
    return `The file cannot be imported: ${faultText(error)}`
  }
}

/** Loads the commands in `surfaces/commands/` of the project's roots. A broken file does not affect the others. */
export async function loadRootCommands(): Promise<RootCommands> {
  if (projectFolder() === undefined) return { brought: [], problems: [] }
  const found = await Promise.all(
    commandModules([]).map(async module => ({
      file: relative(process.cwd(), module.file),
      command: await commandOf(module)
    }))
  )
  const names = new Set(commands.map(({ name }) => name))
  const brought: CommandDefinition[] = []
  const problems: string[] = []
  for (const { file, command } of found) {
    if (typeof command === 'string') problems.push(`${file}: ${command}`)
    else if (names.has(command.name))
      problems.push(`${file}: There is already a command \`${command.name}\`. Rename this one.`)
    else {
      names.add(command.name)
      brought.push(command)
    }
  }
  return { brought, problems }
}
