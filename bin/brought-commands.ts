import { relative } from 'node:path'
import type { CommandDefinition } from './command.ts'
import { commands } from './commands/index.ts'
import { projectFolder } from './project.ts'
import { faultText } from './root-code.ts'
import type { RootModule } from './handler-files.ts'
import { commandModules } from './roots.ts'

/** The commands that roots define, and one sentence for each file that defines none. */
type BroughtCommands = Readonly<{ brought: readonly CommandDefinition[]; problems: readonly string[] }>

const isCommand = (value: unknown): value is CommandDefinition =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'run' in value &&
  typeof value.run === 'function'

/** Returns the command that a module exports, or the reason why it exports none. */
async function commandOf({ load }: RootModule): Promise<CommandDefinition | string> {
  try {
    const { default: command } = (await load()) as { default: unknown }
    return isCommand(command)
      ? command
      : 'The default export is no command. Write `export default defineCommand({ … })`.'
  } catch (error) {
    return `The file cannot be imported: ${faultText(error)}`
  }
}

/**
 * Loads the default exports of the files in `surfaces/commands/` of the project's roots; none outside of a project. A
 * broken file does not affect the other commands.
 */
export async function broughtCommands(): Promise<BroughtCommands> {
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
