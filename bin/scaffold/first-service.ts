import type { Files } from '../../core/kinds/scaffold.ts'

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

/** Name of the surface with a table: `notes`, unless the service itself is called that. */
export const tableOf = (name: string): string => (name === 'notes' ? 'remarks' : 'notes')

const service = (
  name: string
): string => `# Which service this is. Words for rights and freshness, links and limits have defaults; what you declare here replaces them.
id: ${name}
name: ${titleOf(name)}
summary: What this service holds, in one sentence.
# Public origin of links; the environment may override it with PANTRY_BASE_URL.
base_url: http://127.0.0.1:8080
contact: { email: you@example.org, response_hours: 48 }
`

const rights = (today: string): string => `access: public
carries_pii: false
requires_consent: false
freshness: catalog
license: CC0-1.0
sources: [self]
since: ${today}
contract: envelope
formats: [json, md, txt]
`

const collection = (name: string, today: string): string => `# A list, read from corpora/${name}. No code.
kind: collection
path: /api/v1/${name}
summary: ${titleOf(name)}, one by one.
tags: [${name}]
provenance: static
${rights(today)}corpus: ${name}
filters: [group]
limit: { default: 20, maximum: 100 }
list: entries
`

const corpus = (name: string): string => `title: ${titleOf(name)}
key: id
order: [title]
license: CC0-1.0
source: Written for this service.
roles: { title: title, text: text }
`

const schema = `# JSON Schema of one entry.
type: object
additionalProperties: false
required: [id, title, group, text]
properties:
  id: { type: string, pattern: '^[a-z0-9-]{1,60}$', description: Name of the entry. }
  title: { type: string, minLength: 1, maxLength: 120, description: Heading. }
  group: { type: string, enum: [large, small], description: A word to filter by. }
  text: { type: string, minLength: 1, maxLength: 2000, description: The entry itself. }
`

const entries = `# Replace these with your own.
- { id: first, title: The first entry, group: large, text: Something to read. }
- { id: second, title: The second entry, group: small, text: Something else to read. }
`

const handlerManifest = (
  table: string,
  name: string,
  today: string
): string => `# Answered by code: surfaces/handlers/${table}.js
kind: handler
path: /api/v1/${table}
summary: Notes on ${name}, newest first.
tags: [${name}]
provenance: computed
${rights(today)}examples:
  - title: The newest note
    query: { limit: 1 }
    expect: { shows: { /data/notes/0/text: The table works. } }
  - title: A limit that is too high is refused
    query: { limit: 1000 }
    expect: { status: 400 }
`

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

const test = `import { promises } from 'pantry/testing'

// Examples, envelope, links, discovery documents, OpenAPI and bad input, over every surface there is.
await promises()
`

/** The files of a first service: a collection, a handler with a table of its own, and a test. Valid as they are. */
export function firstServiceFiles(name: string, today: string): Files {
  const table = tableOf(name)
  return {
    'manifests/service.yaml': service(name),
    [`manifests/${name}.yaml`]: collection(name, today),
    [`manifests/${table}.yaml`]: handlerManifest(table, name, today),
    [`corpora/${name}/corpus.yaml`]: corpus(name),
    [`corpora/${name}/schema.yaml`]: schema,
    [`corpora/${name}/entries.yaml`]: entries,
    'surfaces/services.js': services,
    [`surfaces/handlers/${table}.js`]: handler(table),
    [`migrations/0001_${table}.js`]: migration(table),
    'test/service.test.js': test,
    '.gitignore': 'node_modules/\n.pantry/\n'
  }
}

type PackageFile = Readonly<Record<string, unknown>> &
  Readonly<{ type?: unknown; scripts?: Readonly<Record<string, string>> }>

/** What `npm init` writes by default. */
const isPlaceholder = (script: string | undefined): boolean =>
  script === undefined || script.includes('no test specified')

/** The package.json of a first service: modules, three scripts, and its roots. Scripts of one's own stay. */
export function firstPackageFile(given: PackageFile, name: string): PackageFile {
  const scripts = { start: 'pantry serve', test: 'node --test', validate: 'pantry validate' }
  const own = Object.entries(given.scripts ?? {}).filter(
    ([script, line]) => !(script in scripts) || !isPlaceholder(line)
  )
  return {
    name,
    version: '0.1.0',
    private: true,
    ...given,
    type: 'module',
    scripts: { ...scripts, ...Object.fromEntries(own) },
    pantry: { roots: ['.'] }
  }
}
