import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageFolder } from '../../../../bin/project.ts'

/** The tables of searches with the card that is meant. Nobody who knew the ranking wrote the second one. */
export const tables = ['searches', 'searches-blind'] as const
export type Table = (typeof tables)[number]

/**
 * `name`: the name that is right as the first row; `number`: the number under it. `said`: the script in which no name
 * is held, which is right to say. `of_all` is right instead where the cards of all sources are held.
 */
export type Wanted = Readonly<{ kind: string; q: string; game?: string; of_all?: Right }> & Right
type Right = Readonly<{ said?: string; name: string; number?: string }>

/** Reads a table of searches. */
export const readSearches = (table: Table): readonly Wanted[] =>
  parse(readFileSync(join(packageFolder, `test/surfaces/handlers/search/${table}.yaml`), 'utf8')) as readonly Wanted[]
