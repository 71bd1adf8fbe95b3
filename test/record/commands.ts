import { commands as own } from '../../bin/commands/index.ts'
import { loadRootCommands } from '../../bin/commands/run.ts'
import { pantry } from '../support/command-line.ts'
import type { Part, Recording, Row } from './rows.ts'
import { steady } from './steady.ts'

/** Commands that only read: their examples are run as they are written. */
const reading = new Set(['validate', 'list', 'show', 'explain', 'routes', 'config', 'completion'])

/** How many lines of progress a command prints depends on how long it takes. */
const progress = /^.*: \d+ %(?:, \d+ s left)?\n/gm
/** How long it took is told as well. */
const took = /(?<= checked in )[\d.]+ s/g

async function rowOf(args: readonly string[]): Promise<Row> {
  const { code, stdout, stderr } = await pantry(args)
  return {
    key: `pantry ${args.join(' ')}`.trimEnd(),
    facts: { code },
    text: steady(
      `${stdout}${stderr === '' ? '' : `\n(stderr)\n${stderr.replaceAll(progress, '')}`}`.replaceAll(took, 'TIME')
    )
  }
}

async function* rows({ isChosen }: Recording): AsyncGenerator<Row> {
  const all = [...own, ...(await loadRootCommands()).brought]
  for (const args of [[], ['--help'], ['--version'], ['no-such'], ['--no-such']]) yield await rowOf(args)
  for (const [place, { name, examples, arguments: wanted = [] }] of all.entries()) {
    if (!isChosen(place)) continue
    yield await rowOf(['help', name])
    yield await rowOf([name, '--no-such'])
    yield await rowOf([name, ...wanted.map(() => 'a'), 'one-more'])
    if (!reading.has(name)) continue
    for (const line of new Set(examples.map(([line]) => line)))
      // What only a shell can do is not the command's.
      if (/^pantry [^|>&$'"]+$/.test(line)) yield await rowOf(line.split(/\s+/).slice(1))
  }
}

export const commands: Part = {
  name: 'commands',
  about: 'each command: help, wrong usage, and the examples of those that only read, with output and exit code',
  rows
}
