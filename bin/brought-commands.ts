import { pathToFileURL } from 'node:url'
import type { CommandDefinition } from './command.ts'
import { commands } from './commands/index.ts'
import { UsageError } from './config.ts'
import { filesBelow } from './handler-files.ts'
import { projectFolder } from './project.ts'
import { commandFolders } from './roots.ts'

/** The commands that the roots of the project bring: the default exports of the files in their `surfaces/commands/`. None outside of a project. */
export async function broughtCommands (): Promise<readonly CommandDefinition[]> {
  if (projectFolder() === undefined) return []
  const files = commandFolders([]).flatMap(({ folder, ending }) => filesBelow(folder, ending))
  const brought = await Promise.all(files.map(async file => (await import(pathToFileURL(file).href) as { default: CommandDefinition }).default))
  const names = new Set(commands.map(({ name }) => name))
  for (const { name } of brought) {
    if (names.has(name)) throw new UsageError(`There are two commands \`${name}\`: rename the one in \`surfaces/commands/\`.`)
    names.add(name)
  }
  return brought
}
