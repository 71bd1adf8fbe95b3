import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A text of the project that is written for readers of its files. */
export type ProjectText = Readonly<{ path: string; text: string }>

/** Where such texts may lie. Code, tests and what is installed are not looked through. */
const folders = ['.', '.github', 'docs', 'core', 'core/standard', 'manifests', 'corpora', 'surfaces', 'migrations']

/** The folder above a module that has a package.json. */
function projectFolder(module: string): string {
  let folder = dirname(fileURLToPath(module))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/**
 * The Markdown files that came with the project, sorted by path. None is needed: an installation without them has none.
 */
export function readProject(folder = projectFolder(import.meta.url)): readonly ProjectText[] {
  return folders
    .filter(name => existsSync(join(folder, name)))
    .flatMap(name =>
      readdirSync(join(folder, name), { withFileTypes: true })
        .filter(file => file.isFile() && file.name.endsWith('.md'))
        .map(file => ({
          path: name === '.' ? file.name : `${name}/${file.name}`,
          text: readFileSync(join(folder, name, file.name), 'utf8')
        }))
    )
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}
