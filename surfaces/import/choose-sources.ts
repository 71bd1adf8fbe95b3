/** Which sources the command `import` takes, and what it prints of its runs. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { refusalOf } from './refusal.ts'
import type { Source } from './source.ts'
import { UsageError } from 'pantry/command'

export type ImportChoice = Readonly<{ from?: string; all?: true; conditionsMet?: true }>

/** A source to import, and the folder of its files; `undefined` when they come from a package. */
export type Chosen = Readonly<{ source: Source; folder: string | undefined }>

const withWayOn = ({ access }: Source, reason: string): string =>
  access === 'wired'
    ? `${reason} Record it as \`met\` on the source, or give your word with \`--conditions-met\`.`
    : reason

/**
 * Handles `--all`: returns every source that has a subfolder of its own. Sources that may not be imported are skipped,
 * and `tell` reports why.
 */
function chooseAll(
  sources: readonly Source[],
  from: string | undefined,
  conditionsMet: boolean,
  tell: (line: string) => void
): readonly Chosen[] {
  if (from === undefined) throw new UsageError('`--all` needs `--from`, the folder with one folder for each source.')
  return sources.flatMap(source => {
    const folder = join(from, source.id)
    if (source.where !== 'folder' || !existsSync(folder)) return []
    const reason = refusalOf(source, conditionsMet)
    if (reason !== undefined) tell(`passed over: ${withWayOn(source, reason)}`)
    return reason === undefined ? [{ source, folder }] : []
  })
}

/**
 * Returns the sources named on the command line; without names, all that are wired and come as packages. Throws a
 * UsageError when the request is wrong.
 */
export function chooseSources(
  sources: ReadonlyMap<string, Source>,
  names: readonly string[],
  { from, all, conditionsMet }: ImportChoice,
  tell: (line: string) => void
): readonly Chosen[] {
  const met = conditionsMet === true
  if (from !== undefined && !existsSync(from)) throw new UsageError(`There is no folder \`${from}\`.`)
  if (all === true) {
    if (names.length > 0) throw new UsageError('`--all` takes every source: name none.')
    return chooseAll([...sources.values()], from, met, tell)
  }
  if (from !== undefined && names.length !== 1)
    throw new UsageError('`--from` is the folder of one source: name that source, or say `--all`.')
  if (names.length === 0) {
    return [...sources.values()]
      .filter(source => source.where === 'package' && refusalOf(source, met) === undefined)
      .map(source => ({ source, folder: undefined }))
  }
  return names.map(name => {
    const source = sources.get(name)
    if (source === undefined)
      throw new UsageError(`There is no source \`${name}\`. Sources: ${[...sources.keys()].join(', ')}.`)
    const reason = refusalOf(source, met)
    if (reason !== undefined) throw new UsageError(withWayOn(source, reason))
    if (source.where === 'folder' && from === undefined)
      throw new UsageError(`Source \`${name}\` does not come as a package: name its folder with \`--from\`.`)
    return { source, folder: from }
  })
}
