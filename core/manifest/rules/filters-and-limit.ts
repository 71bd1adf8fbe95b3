import { report } from '../../source/report.ts'
import { filtersOf } from '../answer.ts'
import type { ManifestRule } from './rule.ts'

const reserved: Readonly<Record<string, string>> = { all: 'every entry instead of one', format: 'the representation', limit: 'the number of entries' }

/** M304: filter names are free and unique. M305, M306: a limit that can be met, and options that fit the pick of a day. */
export const filtersAndLimit: ManifestRule = ({ source, manifest }) => {
  if (manifest.kind !== 'collection') return []
  const names = filtersOf(manifest).map(({ name }) => name)
  const taken = names.flatMap((name, index) => {
    const meaning = reserved[name]
    if (meaning !== undefined) return [report(source, 'M304', ['filters', index], `The parameter \`${name}\` already chooses ${meaning}.`, { hint: 'Give the filter another name: `{ name, field, operation }`.' })]
    return names.indexOf(name) === index ? [] : [report(source, 'M304', ['filters', index], `The filter \`${name}\` is declared twice.`, { hint: 'Keep one of them.' })]
  })
  const { limit, pick, order, all } = manifest
  if (pick !== undefined) {
    const idle = limit !== undefined ? 'limit' : order !== undefined ? 'order' : undefined
    return idle === undefined ? taken : [...taken, report(source, 'M306', [idle], 'A surface of the day answers with one entry, in the turn of its corpus.', { on: 'key', hint: `Remove \`${idle}\`, or \`pick\`.` })]
  }
  if (all !== undefined) return [...taken, report(source, 'M306', ['all'], 'A collection answers with all its entries anyway.', { on: 'key', hint: 'Remove `all`, or add `pick: daily`.' })]
  if (limit === undefined) return taken
  return limit.default <= limit.maximum ? taken : [...taken, report(source, 'M305', ['limit', 'default'], `The default ${limit.default} is above the maximum ${limit.maximum}.`, { hint: 'Lower the default, or raise the maximum.' })]
}
