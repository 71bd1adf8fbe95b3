import { copyInto, type CopyValue, type Transaction } from 'pantry/database'
import { WithheldValues } from '../data-error.ts'
import { compileExpression, type Read, type Scope } from '../reading/expression.ts'
import { placed } from '../reading/find-files.ts'
import { keptWord, neededText, RowProblem } from '../reading/kept-text.ts'
import { countOf } from '../reading/map-row.ts'
import { rowsOf } from '../reading/read-source.ts'
import { releaseDate } from '../reading/release-date.ts'
import type { Expression, SetsDeclaration } from '../source.ts'

const columns = ['source', 'game', 'code', 'code_key', 'name', 'released_on', 'declared_total'] as const

function compileSet (source: string, { map }: SetsDeclaration, withheld: WithheldValues): (scope: Scope) => readonly [key: string, row: CopyValue[]] | undefined {
  const compile = (expression: Expression | undefined): Read => expression === undefined ? () => null : compileExpression(expression, { tables: new Map() })
  const [game, code, name, releasedOn, total] = [map.game, map.code, map.name, map.released_on, map.declared_total].map(compile) as [Read, Read, Read, Read, Read]
  return scope => {
    try {
      const token = neededText('code', code(scope))
      const key = token.toLowerCase()
      const of = neededText('game', game(scope))
      return [`${of} ${key}`, [source, of, token, key, keptWord('name', name(scope)), releaseDate(releasedOn(scope)).on, countOf(total(scope))]]
    } catch (error) {
      // One set that cannot be kept is no reason to lose the cards of all.
      if (error instanceof RowProblem && error.isWithheld) withheld.note(error.message, error.field, '')
      if (error instanceof RowProblem) return undefined
      throw error
    }
  }
}

/** Replaces what a source declares of its sets by what its files say now; of several rows of one code the first counts, and a row that cannot be kept is passed over. */
export async function declareSets (transaction: Transaction, source: string, folder: string, sets: SetsDeclaration | undefined): Promise<void> {
  await transaction.raw('delete from declared_sets where source = ?', [source])
  if (sets === undefined) return
  const withheld = new WithheldValues()
  const mapSet = compileSet(source, sets, withheld)
  const found = new Map<string, CopyValue[]>()
  for await (const { rows } of rowsOf(folder, placed(sets.files, 'reader', 'sets', 'files'), sets.rows)) {
    for (const { scope, problem } of rows) {
      const set = problem === undefined ? mapSet(scope) : undefined
      if (set !== undefined && !found.has(set[0])) found.set(...set)
    }
  }
  withheld.end(field => ['reader', 'sets', 'map', field])
  await copyInto(transaction, 'declared_sets', columns, found.values())
}
