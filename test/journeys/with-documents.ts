import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../bin/project.ts'

/**
 * A line of a document that somebody would copy into a shell. `begins`: the first of its block, which others follow in
 * the same folder.
 */
export type Command = Readonly<{ document: string; line: number; text: string; begins: boolean }>

/** Everything that people read of this project beside its pages: the README, what lies beside code, and the guides. */
export const documents: readonly string[] = [
  '.',
  'core',
  'core/standard',
  'core/keys',
  'surfaces',
  'bin/create',
  'bin/door',
  '.github',
  'docs',
  'docs/decisions'
].flatMap(folder =>
  readdirSync(join(packageFolder, folder))
    .filter(name => name.endsWith('.md') && name !== 'CHANGELOG.md')
    .sort()
    .map(name => join(folder, name))
)

/** What a command begins with: a program, after variables that are set for it. */
const programs = [
  'npm',
  'npx',
  'pantry',
  'node',
  'curl',
  'git',
  'docker',
  'printf',
  'mkdir',
  'cp',
  'echo',
  'useradd',
  'systemctl',
  'journalctl',
  '$EDITOR',
  'psql',
  'openssl',
  'python3',
  'cat',
  'cd'
]
const isCommand = (text: string): boolean =>
  programs.includes(text.replace(/^(?:[A-Z_]+=\S* )+/, '').split(' ')[0] ?? '')

/** The commands of a document: lines of its code, indented or fenced, without what is said of them behind `#`. */
export function commandsOf(document: string): readonly Command[] {
  let isFenced = false
  let last = 0
  return readFileSync(join(packageFolder, document), 'utf8')
    .split('\n')
    .flatMap((line, at) => {
      if (/^```/.test(line)) isFenced = !isFenced
      const code = isFenced ? line : (/^ {4}(\S.*)$/.exec(line)?.[1] ?? '')
      const text = code
        .replace(/^\$ /, '')
        .replace(/\s+# .*$/, '')
        .trim()
      if (!isCommand(text)) return []
      const begins = at > last + 1
      last = at
      return [{ document, line: at + 1, text, begins }]
    })
}
