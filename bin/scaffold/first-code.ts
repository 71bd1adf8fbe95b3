import type { Files } from '../../core/kinds/scaffold.ts'

const services = `// @ts-check
import { defineHandlerFor } from 'pantry/handler'

/** @typedef {{ database: import('pantry/database').Database }} Services */

/** Opens what handlers work with. The database is Pantry's own, or the one DATABASE_URL names. */
export default /** @type {import('pantry/handler').OpenServices<Services>} */ (async ({ database }) => ({ services: { database: await database() } }))

/** Writes a handler that is given these services. */
export const defineHandler = /** @type {typeof defineHandlerFor<Services>} */ (defineHandlerFor)()
`

const handler = (table: string): string => `// @ts-check
import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../services.js'

const Note = Type.Object({ id: Type.Integer(), text: Type.String(), written: Type.String() }, { additionalProperties: false })

export default defineHandler({
  // What is allowed is declared: anything else is refused before this code runs.
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Most notes to show.' })) }),
  // The schema of the reply is published, and replies are checked against it.
  reply: Type.Object({ notes: Type.Array(Note) }, { additionalProperties: false }),
  handle: async ({ query }, { database }) => {
    const notes = await database.reading('${table}').select('id', 'text', 'written').orderBy('id', 'desc').limit(query.limit ?? 10)
    return reply({ notes })
  }
})
`

const migration = (table: string): string => `// @ts-check
/** Runs once, at the next start. Its name is permanent; a change of the table is another file. */

/** @param {import('pantry/database').Knex} knex */
export async function up (knex) {
  await knex.schema.createTable('${table}', table => {
    table.increments('id')
    table.text('text').notNullable()
    table.timestamp('written', { useTz: true }).notNullable().defaultTo(knex.fn.now())
  })
  await knex('${table}').insert({ text: 'The table works.' })
}

/** @param {import('pantry/database').Knex} knex */
export async function down (knex) {
  await knex.schema.dropTable('${table}')
}
`

const typedServices = `import type { Database } from 'pantry/database'
import { defineHandlerFor, type OpenServices } from 'pantry/handler'

type Services = Readonly<{ database: Database }>

/** Opens what handlers work with. The database is Pantry's own, or the one DATABASE_URL names. */
const open: OpenServices<Services> = async ({ database }) => ({ services: { database: await database() } })
export default open

/** Writes a handler that is given these services. */
export const defineHandler = defineHandlerFor<Services>()
`

const typedHandler = (table: string): string => `import type { Static } from 'pantry/data'
import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../services.ts'

const Note = Type.Object({ id: Type.Integer(), text: Type.String(), written: Type.String() }, { additionalProperties: false })

export default defineHandler({
  // What is allowed is declared: anything else is refused before this code runs.
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Most notes to show.' })) }),
  // The schema of the reply is published, and replies are checked against it.
  reply: Type.Object({ notes: Type.Array(Note) }, { additionalProperties: false }),
  handle: async ({ query }, { database }) => {
    const notes = await database.reading('${table}').select<Static<typeof Note>[]>('id', 'text', 'written').orderBy('id', 'desc').limit(query.limit ?? 10)
    return reply({ notes })
  }
})
`

const typedMigration = (table: string): string => `import type { Knex } from 'pantry/database'

/** Runs once, at the next start. Its name is permanent; a change of the table is another file. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('${table}', table => {
    table.increments('id')
    table.text('text').notNullable()
    table.timestamp('written', { useTz: true }).notNullable().defaultTo(knex.fn.now())
  })
  await knex('${table}').insert({ text: 'The table works.' })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('${table}')
}
`

/** Configures type checks only: the code is bundled by \`pantry build\`, or Node.js strips its types. */
const tsconfig = `{
  "compilerOptions": {
    "strict": true,
    "noEmit": true,
    "module": "nodenext",
    "target": "es2022",
    "types": ["node"],
    "allowImportingTsExtensions": true,
    "verbatimModuleSyntax": true,
    "jsx": "react-jsx",
    "jsxImportSource": "preact"
  },
  "include": ["surfaces", "migrations"]
}
`

/** Languages in which a first service can be generated. */
export type Language = 'javascript' | 'typescript'

/** Generates the code of a first service: its services with the database, a handler with a table, and the migration. */
export const firstCode = (language: Language, table: string): Files =>
  language === 'javascript'
    ? {
        'surfaces/services.js': services,
        [`surfaces/handlers/${table}.js`]: handler(table),
        [`migrations/0001_${table}.js`]: migration(table)
      }
    : {
        'surfaces/services.ts': typedServices,
        [`surfaces/handlers/${table}.ts`]: typedHandler(table),
        [`migrations/0001_${table}.ts`]: typedMigration(table),
        'tsconfig.json': tsconfig
      }
