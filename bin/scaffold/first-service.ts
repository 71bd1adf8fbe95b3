import type { Files } from '../../core/kinds/scaffold.ts'
import { templateTexts } from '../../core/vocabulary/template-texts.ts'

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

/** Returns the name of the surface with a table: `notes`, unless the service itself has that name. */
export const tableOf = (name: string): string => (name === 'notes' ? 'remarks' : 'notes')

/** Returns the beginning of the service.yaml of a new service. */
export const serviceHead = (
  name: string
): string => `# Which service this is. Words for rights and freshness, links and limits have defaults; what you declare here replaces them.
id: ${name}
name: ${titleOf(name)}
summary: ${templateTexts.service}
# Public origin of links; the environment may override it with PANTRY_BASE_URL.
base_url: http://127.0.0.1:8080
contact: { email: ${templateTexts.email}, response_hours: 48 }
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
): string => `# Answered by code in surfaces/handlers/.
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

/** The test of a new service. */
export const firstTest = `import { promises } from 'pantry/testing'

// Examples, envelope, links, discovery documents, OpenAPI and bad input, over every surface there is.
await promises()
`

/** The `.gitignore` of a new service. */
export const ignoredFiles = 'node_modules/\n.pantry/\ndist/\n'

/**
 * Generates the files of a first service: a collection, a handler with a table, and a test. They are valid as
 * generated.
 */
export function firstServiceFiles(name: string, today: string, language: Language): Files {
  const table = tableOf(name)
  return {
    'manifests/service.yaml': serviceHead(name),
    [`manifests/${name}.yaml`]: collection(name, today),
    [`manifests/${table}.yaml`]: handlerManifest(table, name, today),
    [`corpora/${name}/corpus.yaml`]: corpus(name),
    [`corpora/${name}/schema.yaml`]: schema,
    [`corpora/${name}/entries.yaml`]: entries,
    ...firstCode(language, table),
    'test/service.test.js': firstTest,
    '.gitignore': ignoredFiles
  }
}

type PackageFile = Readonly<Record<string, unknown>> &
  Readonly<{
    type?: unknown
    scripts?: Readonly<Record<string, string>>
    dependencies?: Readonly<Record<string, string>>
    devDependencies?: Readonly<Record<string, string>>
    pantry?: Readonly<{ roots?: readonly string[] }>
  }>

/** Whether a script is missing or the placeholder that `npm init` writes. */
const isPlaceholder = (script: string | undefined): boolean =>
  script === undefined || script.includes('no test specified')

/** Additional scripts of a service in TypeScript, which is built before it runs. */
const building = {
  build: 'pantry build',
  prestart: 'pantry build',
  pretest: 'pantry build',
  prevalidate: 'pantry build',
  typecheck: 'tsc'
}

/** Whether a package.json has `pantry`, which its scripts run, among its dependencies. */
export const dependsOnPantry = ({ dependencies = {}, devDependencies = {} }: PackageFile): boolean =>
  'pantry' in dependencies || 'pantry' in devDependencies

/**
 * Returns the package.json of a first service: module type, scripts and roots. Existing scripts and roots are kept,
 * except the placeholder for `test` that `npm init` writes.
 */
export function firstPackageFile(
  given: PackageFile,
  { name, language }: Readonly<{ name: string; language: Language }>
): PackageFile {
  const scripts = {
    start: 'pantry serve',
    dev: 'pantry dev',
    test: 'node --test',
    validate: 'pantry validate',
    ...(language === 'typescript' ? building : {})
  }
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
    pantry: { roots: [...new Set(['.', ...(given.pantry?.roots ?? [])])] }
  }
}

const services = `// @ts-check
import { defineHandlerFor } from 'pantry/handler'

/** @typedef {{ database: import('pantry/database').Database }} Services */

/** Opens what handlers work with. The database is Pantry's own, or the one DATABASE_URL names. */
export default /** @type {import('pantry/handler').OpenServices<Services>} */ (async ({ database }) => ({ services: { database: await database() } }))

/** Writes a handler that is given these services. */
export const defineHandler = /** @type {typeof defineHandlerFor<Services>} */ (defineHandlerFor)()
`

const handler = (table: string, language: Language): string => {
  const isTyped = language === 'typescript'
  return `${isTyped ? "import type { Static } from 'pantry/data'" : '// @ts-check'}
import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../services.${isTyped ? 'ts' : 'js'}'

const Note = Type.Object({ id: Type.Integer(), text: Type.String(), written: Type.String() }, { additionalProperties: false })

export default defineHandler({
  // What is allowed is declared: anything else is refused before this code runs.
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Most notes to show.' })) }),
  // The schema of the reply is published; \`pantry test\` and \`pantry dev\` compare replies with it.
  reply: Type.Object({ notes: Type.Array(Note) }, { additionalProperties: false }),
  handle: async ({ query }, { database }) => {
    const notes = await database.reading('${table}').select${isTyped ? '<Static<typeof Note>[]>' : ''}('id', 'text', 'written').orderBy('id', 'desc').limit(query.limit ?? 10)
    return reply({ notes })
  }
})
`
}

const once = '/** Runs once, at the next start. Its name is permanent; a change of the table is another file. */\n'

const migration = (table: string, language: Language): string => {
  const [head, between, signature] =
    language === 'typescript'
      ? [`import type { Knex } from 'pantry/database'\n\n${once}`, '', '(knex: Knex): Promise<void>']
      : [`// @ts-check\n${once}\n${knexParameter}`, knexParameter, ' (knex)']
  return `${head}export async function up${signature} {
  await knex.schema.createTable('${table}', table => {
    table.increments('id')
    table.text('text').notNullable()
    table.timestamp('written', { useTz: true }).notNullable().defaultTo(knex.fn.now())
  })
  await knex('${table}').insert({ text: 'The table works.' })
}

${between}export async function down${signature} {
  await knex.schema.dropTable('${table}')
}
`
}

const knexParameter = "/** @param {import('pantry/database').Knex} knex */\n"

const typedServices = `import type { Database } from 'pantry/database'
import { defineHandlerFor, type OpenServices } from 'pantry/handler'

type Services = Readonly<{ database: Database }>

/** Opens what handlers work with. The database is Pantry's own, or the one DATABASE_URL names. */
const open: OpenServices<Services> = async ({ database }) => ({ services: { database: await database() } })
export default open

/** Writes a handler that is given these services. */
export const defineHandler = defineHandlerFor<Services>()
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

type Language = 'javascript' | 'typescript'

/** Generates the code: the services with the database, a handler with a table, and the migration. */
function firstCode(language: Language, table: string): Files {
  const isTyped = language === 'typescript'
  const ending = isTyped ? 'ts' : 'js'
  return {
    [`surfaces/services.${ending}`]: isTyped ? typedServices : services,
    [`surfaces/handlers/${table}.${ending}`]: handler(table, language),
    [`migrations/0001_${table}.${ending}`]: migration(table, language),
    ...(isTyped ? { 'tsconfig.json': tsconfig } : {})
  }
}
