import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'

/** One thing that can be seen from outside: its name, what is said of it, and its text if it has one. */
export type Row = Readonly<{ key: string; facts: Readonly<Record<string, unknown>>; text?: string }>

/** What a part of the record is made with. `isChosen` says of a name whether its turn is now. */
export type Recording = Readonly<{ t: Pick<Test, 'teardown' | 'testdirName'>; isChosen: (place: number) => boolean }>

export type Part = Readonly<{ name: string; about: string; rows: (recording: Recording) => AsyncIterable<Row> }>

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** A part that was recorded, by the keys of its rows; equal texts are kept once. */
export class Recorded {
  readonly rows = new Map<string, Row['facts']>()
  readonly texts = new Map<string, string>()

  add({ key, facts, text }: Row): void {
    if (this.rows.has(key)) throw new Error(`\`${key}\` was recorded before.`)
    const digest = text === undefined ? undefined : digestOf(text)
    if (digest !== undefined) this.texts.set(digest, text ?? '')
    this.rows.set(key, { ...facts, ...(digest === undefined ? {} : { text: digest }) })
  }

  /** Writes `<name>.ndjson`, and its texts below `texts/`. */
  write(folder: string, name: string): void {
    mkdirSync(join(folder, 'texts'), { recursive: true })
    writeFileSync(
      join(folder, `${name}.ndjson`),
      [...this.rows].map(([key, facts]) => `${JSON.stringify({ key, ...facts })}\n`).join('')
    )
    for (const [digest, text] of this.texts) writeFileSync(join(folder, 'texts', digest), text)
  }

  static read(folder: string, name: string): Recorded | undefined {
    const file = join(folder, `${name}.ndjson`)
    if (!existsSync(file)) return undefined
    const recorded = new Recorded()
    for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
      const { key, ...facts } = JSON.parse(line) as { key: string; text?: string }
      recorded.rows.set(key, facts)
      if (facts.text !== undefined)
        recorded.texts.set(facts.text, readFileSync(join(folder, 'texts', facts.text), 'utf8'))
    }
    return recorded
  }
}

/** Empties the folder of a record. */
export function clear(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** A difference, and the keys of all rows that differ so. */
export type Difference = Readonly<{ what: string; keys: readonly string[] }>

const linesShown = 8
const widest = 200

/** The first lines that differ, as `diff` marks them. */
function lineDifference(before: string, after: string): string {
  const [old, new_] = [before, after].map(text => text.split('\n')) as [string[], string[]]
  const first = old.findIndex((line, place) => line !== new_[place])
  const start = first === -1 ? old.length : first
  let same = 0
  while (same < Math.min(old.length, new_.length) - start && old.at(-1 - same) === new_.at(-1 - same)) same += 1
  const cut = (lines: string[], mark: string): string[] => {
    const differing = lines.slice(start, lines.length - same)
    return [
      ...differing.slice(0, linesShown).map(line => `${mark} ${around(line, mark === '-' ? new_[start] : old[start])}`),
      ...(differing.length > linesShown ? [`${mark} … ${differing.length - linesShown} more lines`] : [])
    ]
  }
  return [...cut(old, '-'), ...cut(new_, '+')].join('\n')
}

/** A long line, from a little before it differs from another. */
function around(line: string, other = ''): string {
  let first = 0
  while (first < line.length && line[first] === other[first]) first += 1
  const start = line.length <= widest ? 0 : Math.max(0, first - 60)
  return `${start > 0 ? '…' : ''}${line.slice(start, start + widest)}${line.length > start + widest ? '…' : ''}`
}

function differencesOf(key: string, before: Recorded, after: Recorded): readonly string[] {
  const [old, new_] = [before.rows.get(key), after.rows.get(key)]
  if (old === undefined) return ['is new']
  if (new_ === undefined) return ['is gone']
  return [...new Set([...Object.keys(old), ...Object.keys(new_)])].flatMap(name => {
    const [a, b] = [old[name], new_[name]]
    if (JSON.stringify(a) === JSON.stringify(b)) return []
    return name === 'text'
      ? [lineDifference(before.texts.get(String(a)) ?? '', after.texts.get(String(b)) ?? '')]
      : [`${name}: ${JSON.stringify(a)} is now ${JSON.stringify(b)}`]
  })
}

/** What differs between two records of a part; equal differences are told once. */
export function compare(before: Recorded, after: Recorded): readonly Difference[] {
  const found = new Map<string, string[]>()
  for (const key of new Set([...before.rows.keys(), ...after.rows.keys()]))
    for (const what of differencesOf(key, before, after)) {
      const keys = found.get(what) ?? []
      found.set(what, keys)
      keys.push(key)
    }
  return [...found].map(([what, keys]) => ({ what, keys }))
}
