import { Command, Option, type Argument } from 'commander'
import type { ExitCode, Io } from './io.ts'

/** The headings of the list of commands, in its order. */
const headings = { write: 'Write:', look: 'Look:', run: 'Run:', operate: 'Operate:', own: 'Of this service:' } as const

/** One command with its help. Importing it must be cheap, so `run` imports what is slow to load. */
export type CommandDefinition = Readonly<{
  name: string
  /** Where the list of commands has it. Default: `own`, the commands that roots define. */
  group?: keyof typeof headings
  /** One sentence for the list of commands. */
  summary: string
  /** The two lines at the top of the help. */
  description: readonly [string, string]
  arguments?: readonly Argument[]
  options: readonly Option[]
  /** Command lines that work as they are written, each with what it does. */
  examples: readonly (readonly [line: string, does: string])[]
  exits: Readonly<Partial<Record<ExitCode, string>>>
  /** `tree` is the command `pantry`, which contains all commands, also those that roots define. */
  run: (args: readonly unknown[], options: object, io: Io, tree: Command) => Promise<ExitCode>
}>

type Definition<Args extends readonly unknown[], Options extends object> = Omit<CommandDefinition, 'run'> &
  Readonly<{ run: (args: Args, options: Readonly<Options>, io: Io, tree: Command) => Promise<ExitCode> }>

/**
 * Defines a command. Commander checks arguments and options against their declarations and passes them as `Args` and
 * `Options`.
 */
export const defineCommand = <Args extends readonly unknown[], Options extends object>(
  definition: Definition<Args, Options>
): CommandDefinition => ({
  ...definition,
  run: (args, options, io, tree) => definition.run(args as Args, options as Options, io, tree)
})

/** The option `--root`, for every command that reads manifests. */
export const rootOption = (): Option =>
  new Option('--root <folder|package>', 'Root to load; may be given several times.')
    .argParser((name: string, before: readonly string[] | undefined) => [...(before ?? []), name])
    .default([], 'the project itself')

/** The options of `pantry serve` and `pantry dev` for the address to listen on. */
export const addressOptions = (): readonly Option[] => [
  new Option('--host <address>', 'Address to listen on, or unix: and the path of a socket, instead of HOST.'),
  new Option('--port <port>', 'Port to listen on, instead of PORT; 0 takes any free one.')
]

/** What `rootOption` gives: the roots that were named, none for those of the project. */
export type RootOptions = Readonly<{ root: readonly string[] }>

/** Returns an option that takes one of the given words. */
export const choice = (flags: string, description: string, words: readonly string[], fallback?: string): Option => {
  const option = new Option(flags, description).choices(words)
  return fallback === undefined ? option : option.default(fallback)
}

/** Returns an option that takes names, with commas between them or each by itself. */
export const namesOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((text: string, before: readonly string[] | undefined) => {
    const names = text.split(',').map(name => name.trim())
    return [...new Set([...(before ?? []), ...names.filter(name => name !== '')])]
  })

const everywhere: CommandDefinition['exits'] = { 0: 'Fine.', 2: 'Wrong usage or configuration.' }

const helpAfter = ({ examples, exits }: CommandDefinition): string =>
  [
    '',
    'Examples:',
    ...examples.flatMap(([line, does]) => [`  $ ${line}`, `      ${does}`]),
    '',
    'Exit codes:',
    ...Object.entries({ ...everywhere, ...exits }).map(([code, meaning]) => `  ${code}  ${meaning}`)
  ].join('\n')

/** The heading of the command `help`, which Commander defines. */
export const headingOfHelp: string = headings.look

/** Converts a definition to a command of Commander. When it has run, `done` is called with its exit code. */
export function toCommander(definition: CommandDefinition, io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command(definition.name)
    .helpGroup(headings[definition.group ?? 'own'])
    .summary(definition.summary)
    .description(definition.description.join('\n'))
    .addHelpText('after', helpAfter(definition))
    .action(async () => {
      done(await definition.run(command.processedArgs, command.opts(), io, command.parent ?? command))
    })
  for (const argument of definition.arguments ?? []) command.addArgument(argument)
  for (const option of definition.options) command.addOption(option)
  return command
}
