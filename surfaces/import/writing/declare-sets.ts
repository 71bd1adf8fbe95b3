import { copyInto, type CopyValue, type Transaction } from 'pantry/database'
import { checkLookAlikes, LookAlikes, type LookAlike } from '../reading/look-alikes.ts'
import { compileExpression, type CompiledExpression, type ExpressionScope } from '../reading/expression.ts'
import { placed } from '../reading/files.ts'
import { Exceptions, keepTexts, releaseDate, RowProblem } from '../reading/kept-values.ts'
import { countOf } from '../reading/map-row.ts'
import { rowsOf } from '../reading/read-source.ts'
import type { Expression, SourceReader, SetsDeclaration } from '../source.ts'

const columns = ['source', 'game', 'code', 'code_key', 'name', 'released_on', 'declared_total'] as const

function compileSet(
  source: string,
  { map }: SetsDeclaration,
  exceptions: Exceptions,
  found: LookAlikes
): (scope: ExpressionScope) => readonly [key: string, row: CopyValue[]] | undefined {
  const { word, needed } = keepTexts(exceptions)
  const compile = (expression: Expression | undefined): CompiledExpression =>
    expression === undefined ? () => null : compileExpression(expression, { tables: new Map() })
  const [game, code, name, releasedOn, total] = [map.game, map.code, map.name, map.released_on, map.declared_total].map(
    compile
  ) as [CompiledExpression, CompiledExpression, CompiledExpression, CompiledExpression, CompiledExpression]
  return scope => {
    try {
      const token = needed('sets.code', code(scope))
      const key = token.toLowerCase()
      const of = needed('sets.game', game(scope))
      const called = word('sets.name', name(scope))
      found.see('', undefined)
      return [
        `${of} ${key}`,
        [source, of, token, key, called, releaseDate(releasedOn(scope)).on, countOf(total(scope))]
      ]
    } catch (error) {
      // A set that cannot be stored is skipped, so that the import of the cards goes on.
      if (!(error instanceof RowProblem)) throw error
      found.see('', error.withheld)
      return undefined
    }
  }
}

/**
 * Replaces the declared sets of a source by those in its files. Of several rows with one game and code the first
 * counts; rows that cannot be stored are skipped. Returns the values that look like something never stored, if so few
 * rows have them that only those are skipped; throws a DataError if more have them.
 */
export async function declareSets(
  transaction: Transaction,
  source: string,
  folder: string,
  { sets, exceptions: declared }: SourceReader
): Promise<readonly LookAlike[]> {
  await transaction.raw('delete from declared_sets where source = ?', [source])
  if (sets === undefined) return []
  const exceptions = new Exceptions(declared)
  const alike = new LookAlikes()
  const mapSet = compileSet(source, sets, exceptions, alike)
  const found = new Map<string, CopyValue[]>()
  for await (const { rows } of rowsOf(folder, placed(sets.files, 'reader', 'sets', 'files'), sets.rows)) {
    for (const { scope, problem } of rows) {
      const set = problem === undefined ? mapSet(scope) : undefined
      if (set !== undefined && !found.has(set[0])) found.set(...set)
    }
  }
  const few = checkLookAlikes(
    alike,
    field => ['reader', 'sets', 'map', ...field.split('.').slice(1)],
    exceptions.problems()
  )
  await copyInto(transaction, 'declared_sets', columns, found.values())
  return few
}
