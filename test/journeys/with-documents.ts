import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../bin/project.ts'

/**
 * A line of a document that somebody would copy into a shell, with the lines of the file that it writes (`<<'END'`).
 * `begins`: the first of its block, which others follow in the same folder. `answer`: the lines below one that begins
 * with `$`.
 */
export type Command = Readonly<{ document: string; line: number; text: string; begins: boolean; answer?: string }>

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
  const code = readFileSync(join(packageFolder, document), 'utf8')
    .split('\n')
    .map(line => {
      if (/^```/.test(line)) isFenced = !isFenced
      return isFenced || line === '' ? line : /^ {4}(.*)$/.exec(line)?.[1]
    })
  const found: Command[] = []
  for (let at = 0, last = -1; at < code.length; at += 1) {
    const line = code[at] ?? ''
    const text = line
      .replace(/^\$ /, '')
      .replace(/\s+# .*$/, '')
      .trim()
    if (!isCommand(text)) continue
    const from = at
    const goesOn = (end: (next: string) => boolean): readonly string[] => {
      const lines: string[] = []
      for (let next = code[at + 1]; next !== undefined && !end(next); next = code[at + 1]) {
        lines.push(next)
        at += 1
      }
      return lines
    }
    const file = text.endsWith("<<'END'") ? [...goesOn(next => next === 'END'), 'END'] : []
    at += Math.min(1, file.length)
    const answer = line.startsWith('$ ') ? goesOn(next => next.startsWith('$ ') || isCommand(next)) : []
    found.push({
      document,
      line: from + 1,
      text: [text, ...file].join('\n'),
      begins: from > last + 1,
      ...(answer.length === 0 ? {} : { answer: answer.join('\n').trim() })
    })
    last = at
  }
  return found
}

/** Does a command say what a document shows? `…` is what was left out, and lines may be broken elsewhere. */
export const showsIn = (answer: string, said: string): boolean =>
  new RegExp(
    answer
      .split('…')
      .map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\s+/g, '\\s*'))
      .join('[^]*?')
  ).test(said)
