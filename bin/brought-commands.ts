import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CommandDefinition } from './command.ts'
import { commands } from './commands/index.ts'
import { filesBelow } from './handler-files.ts'
import { projectFolder } from './project.ts'
import { faultText } from './root-code.ts'
import { commandFolders } from './roots.ts'

/** The commands that roots bring, and a sentence for each file that brings none. */
type BroughtCommands = Readonly<{ brought: readonly CommandDefinition[]; problems: readonly string[] }>

const isCommand = (value: unknown): value is CommandDefinition =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'run' in value &&
  typeof value.run === 'function'

/** The command of a file, or why there is none. */
async function commandOf(file: string): Promise<CommandDefinition | string> {
  try {
    const { default: command } = (await import(pathToFileURL(file).href)) as { default: unknown }
    return isCommand(command)
      ? command
      : 'The default export is no command. Write `export default defineCommand({ … })`.'
  } catch (error) {
    return `The file cannot be imported: ${faultText(error)}`
  }
}

/**
 * The default exports of the files in `surfaces/commands/` of the project's roots. None outside of a project. A file
 * that is wrong takes no other command down.
 */
export async function broughtCommands(): Promise<BroughtCommands> {
  if (projectFolder() === undefined) return { brought: [], problems: [] }
  const files = commandFolders([]).flatMap(({ folder, ending }) => filesBelow(folder, ending))
  const found = await Promise.all(
    files.map(async file => ({ file: relative(process.cwd(), file), command: await commandOf(file) }))
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
