import type { Entry } from '../../corpus/corpus.ts'
import { quotedList } from '../../diagnostics/diagnostic.ts'
import { streamable } from '../../format/index.ts'
import { SurfaceError } from '../../handler/errors.ts'
import type { Surface } from '../../manifest/surface.ts'
import { changedQuery } from '../../plan/dispatch.ts'
import type { EntryStream, PlanInput, RowPosition, RowQuery, Rows } from '../../plan/kind.ts'
import { invalidIn } from '../../plan/read.ts'
import type { RowsAnswer } from './manifest.ts'

/** Rows that are read by one statement. */
const batchRows = 1_000

/** Throws INVALID_INPUT if a request for all entries also asks for a page. */
export function refuseTogether(query: PlanInput['query']): void {
  const field = ['limit', 'cursor'].find(name => query[name] !== undefined)
  if (field !== undefined)
    throw invalidIn('query', `\`all\` asks for every entry, so there is no \`${field}\` with it.`, { field })
}

/** Returns a function that makes the query for all entries that a query selects; undefined if there is none. */
export function compileAllOf({
  answer,
  formats
}: Surface<RowsAnswer>): (query: PlanInput['query']) => string | undefined {
  const format = streamable.find(name => formats.includes(name))
  if (answer.all === undefined || format === undefined) return () => undefined
  const noPage = { limit: undefined, cursor: undefined, count: undefined }
  return query => changedQuery({ ...query, ...noPage }, { all: 'true', format })
}

function tooMany({ filters, search }: RowsAnswer, maximum: number): SurfaceError {
  const names = [...filters.map(({ name }) => name), ...(search ? ['q'] : [])]
  const narrowed = names.length === 0 ? 'Please' : `Please select fewer with ${quotedList(names)}, or`
  return new SurfaceError(
    'INVALID_INPUT',
    `More than ${maximum} entries are selected, the most of one answer. ${narrowed} read them page by page.`,
    { details: { in: 'query', field: 'all', maximum, filters: names } }
  )
}

/** Compiles a function that reads all rows of a query, in batches, each of which begins where the one before ended. */
export function compileRowStream(
  answer: RowsAnswer,
  table: Rows
): (
  asked: Omit<RowQuery, 'after' | 'limit'>,
  columns: EntryStream['columns'],
  whole: (entry: Entry) => Entry
) => EntryStream {
  const { corpus, all: maximum = 0 } = answer
  return (asked, columns, whole) => ({
    name: corpus,
    columns,
    check: async () => {
      if ((await table.count(asked, maximum + 1)) > maximum) throw tooMany(answer, maximum)
    },
    async *read() {
      let after: RowPosition | undefined
      for (let left = maximum; left > 0; left -= batchRows) {
        const { rows, position } = await table.list({ ...asked, after, limit: Math.min(batchRows, left) })
        yield rows.map(whole)
        if (position === undefined) return
        after = position
      }
      throw new Error(`Rows were added meanwhile: there are more than ${maximum}.`)
    }
  })
}
