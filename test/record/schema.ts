import { testDatabase } from '../support/database.ts'
import { schemaOf } from '../support/schema-of.ts'
import type { Part, Recording, Row } from './rows.ts'

async function* rows({ t }: Recording): AsyncGenerator<Row> {
  const { url } = await testDatabase(t)
  for (const { what, of, name, definition } of await schemaOf(url))
    yield { key: [what, of, name].filter(word => word !== '').join(' '), facts: { definition } }
}

export const schema: Part = {
  name: 'schema',
  about: 'tables, columns, indexes, constraints, triggers, functions',
  rows
}
