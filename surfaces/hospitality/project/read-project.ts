import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A Markdown file of the project. */
export type ProjectText = Readonly<{ path: string; text: string }>

/** The folders that are searched for such files. Code, tests and installed packages are not searched. */
const folders = ['.', '.github', 'docs', 'core', 'core/standard', 'manifests', 'corpora', 'surfaces', 'migrations']

/** Returns the nearest folder above a module that contains a `package.json`. */
function projectFolder(module: string): string {
  let folder = dirname(fileURLToPath(module))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** Reads the Markdown files of the project, sorted by path; an installation without them has an empty list. */
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
