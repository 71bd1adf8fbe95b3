import type { Form } from './design.ts'

type Files = Readonly<Record<string, string>>

const today = new Date().toISOString().slice(0, 10)

const rights = `tags: [trees]
access: public
carries_pii: false
requires_consent: false
freshness: catalog
license: CC0-1.0
sources: [self]
since: ${today}
`

/**
 * A surface that writes a row of the table that `init` makes, a page that shows the rows, and the form of that page.
 */
const manifests: Files = {
  'manifests/notes.post.yaml': `kind: handler
path: /api/v1/notes
method: POST
summary: Adds a note.
${rights}provenance: computed
contract: envelope
formats: [json]
examples:
  - title: A note is added
    body: { text: A note. }
    expect: { shows: { /data/text: A note. } }
  - title: An empty note is refused
    body: { text: '' }
    expect: { status: 400 }
`,
  'manifests/pages/notes.yaml': `kind: page
path: /notes
title: Notes
summary: The notes, newest first.
${rights}provenance: computed
contract: bare
formats: [html]
shows: { newest: /api/v1/notes }
forms:
  add: { sends: /api/v1/notes }
menu: { label: Notes, place: 1 }
`,
  'manifests/survey.yaml': `kind: collection
path: /api/v1/survey
summary: Trees, for agents with a key.
${rights.replace('access: public', 'access: agent')}provenance: static
contract: envelope
formats: [json]
corpus: trees
limit: { default: 20, maximum: 100 }
list: entries
examples:
  - title: Without a key
    expect: { status: 401 }
`
}

const post = (row: string): string => `// @ts-check
import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../services.js'

const Note = Type.Object({ id: Type.Integer(), text: Type.String() }, { additionalProperties: false })

export default defineHandler({
  body: { schema: Type.Object({ text: Type.String({ minLength: 1, maxLength: 500 }) }, { additionalProperties: false }), limitBytes: 4096 },
  reply: Note,
  handle: async ({ body }, { database }) => {
    const [note] = ${row}
    if (note === undefined) throw new Error('The note was not written.')
    return reply(note)
  }
})
`

const written = "await database.knex('notes').insert({ text: body.text }).returning(['id', 'text'])"

const page = (main: string, given: string): string => `// @ts-check
import { defineForm, definePage, ${given} } from 'pantry/page'

const Notes = Type.Object({ notes: Type.Array(Type.Object({ id: Type.Integer(), text: Type.String() })) })

export default definePage({
  shows: { newest: Notes },
  forms: { add: defineForm({ title: 'Notes', fields: Type.Object({ text: Type.String() }), limitBytes: 4096 }) },
  view: ({ shown: { newest } }) => ({ title: 'Notes', main: ${main} })
})
`

/** Code of the two in JavaScript; the types are in comments. */
const javascript: Files = {
  'surfaces/handlers/notes.post.js': post(written),
  'surfaces/handlers/pages/notes.js': page(
    "h('form', { method: 'post' }, h('ul', null, newest.notes.map(note => h('li', null, note.text))), h('input', { name: 'text' }), h('button', null, 'Add'))",
    'h, Type'
  )
}

const typescript: Files = {
  'surfaces/handlers/notes.post.ts': post(`${written} as readonly { id: number, text: string }[]`),
  'surfaces/handlers/pages/notes.tsx': page(
    '<form method="post"><ul>{newest.notes.map(note => <li>{note.text}</li>)}</ul><input name="text" /><button>Add</button></form>',
    'Type'
  )
}

const listening = (address: string): string => `
  const server = app.listen(0, '127.0.0.1', () => { console.log('listening on http://127.0.0.1:' + ${address}.port) })
  process.once('SIGTERM', () => { server.close(); pantry.stop().then(() => process.exit(0)) })
`

const mounted = (address = 'server.address()'): string => `
  const pantry = await mount()
  const app = new Koa()
  app.use(async (ctx, next) => { if (ctx.path === '/own') ctx.body = 'Mine.'; else await next() })
  app.use(pantry.routes())
  app.use(pantry.allowedMethods())
  app.use(pantry.unclaimed())
${listening(address)}`

/** A Koa application around the surfaces, which loads every name of the package first. */
const application = (names: readonly string[]): Readonly<Record<Form, Files>> => {
  const typed = {
    'application.ts': `import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { load, mount, serve, validate } from 'pantry'
import type { Database } from 'pantry/database'
import { defineHandlerFor, reply, Type } from 'pantry/handler'
${names.map((name, at) => `import * as door${at} from '${name}'`).join('\n')}

export const doors: readonly object[] = [${names.map((_name, at) => `door${at}`).join(', ')}]
export const used = [load, serve, validate]
export const counted = defineHandlerFor<{ database: Database }>()({ reply: Type.Object({ rows: Type.Integer() }), handle: async (_request, { database }) => reply({ rows: (await database.knex('notes')).length }) })

async function start (): Promise<void> {${mounted('(server.address() as AddressInfo)')}}
await start()
`
  }
  return {
    ESM: {
      'application.js': `import Koa from 'koa'\nimport { mount } from 'pantry'\nfor (const name of ${JSON.stringify(names)}) await import(name)\n\nasync function start () {${mounted()}}\nawait start()\n`
    },
    CommonJS: {
      'application.cjs': `const Koa = require('koa')\nconst { mount } = require('pantry')\nfor (const name of ${JSON.stringify(names)}) require(name)\n\nasync function start () {${mounted()}}\nvoid start()\n`
    },
    'TypeScript nodenext': {
      ...typed,
      // Compiled to CommonJS, which requires the package.
      'required.cts': `import { mount } from 'pantry'\nimport { Type } from 'pantry/page'\nif (typeof mount !== 'function' || typeof Type.String !== 'function') throw new Error('It is not the package.')\n`
    },
    'TypeScript bundler': typed
  }
}

/**
 * The strictest that a project asks for: its own code, what `init` wrote, and all declarations that they reach are
 * checked.
 */
const tsconfig = (resolution: object): string =>
  JSON.stringify({
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      allowJs: true,
      checkJs: true,
      isolatedModules: true,
      target: 'es2022',
      lib: ['es2023'],
      types: ['node'],
      jsx: 'react-jsx',
      jsxImportSource: 'preact',
      rootDir: '.',
      outDir: 'dist',
      ...resolution
    },
    include: ['surfaces', 'migrations', 'application.ts', 'required.cts']
  })

const settings: Readonly<Partial<Record<Form, string>>> = {
  'TypeScript nodenext': tsconfig({ module: 'nodenext' }),
  'TypeScript bundler': tsconfig({ module: 'esnext', moduleResolution: 'bundler' })
}

export const isTypeScript = (form: Form): boolean => settings[form] !== undefined

/** How the application is started. */
export const programOf = (form: Form): string =>
  isTypeScript(form) ? 'dist/application.js' : form === 'CommonJS' ? 'application.cjs' : 'application.js'

/** What a person adds to what `init` wrote. `names` are those that the package exports. */
export const ownFiles = (form: Form, names: readonly string[]): Files => ({
  ...manifests,
  ...(isTypeScript(form) ? { 'tsconfig.json': settings[form] ?? '', ...typescript } : javascript),
  ...application(names)[form]
})

/** A program that asks the service by its typed client, in a project that knows neither browsers nor Node. */
export const clientFiles: Files = {
  'consumer.ts': `import { createClient, ServiceError, type Client } from 'trees-client'

export async function answersOf (baseUrl: string): Promise<string> {
  const client = createClient({ baseUrl })
  const { data: { entries: [first] } } = await client.get_trees({ group: 'large' })
  const { data: { text } } = await client.post_notes({ body: { text: 'Written by the client.' } })
  const refused: unknown = await client.post_notes({ body: { text: '' } }).catch((error: unknown) => error)
  return [first?.title, text, refused instanceof ServiceError ? refused.status : 'not refused'].join('; ')
}

export const wrongCalls = (client: Client): readonly unknown[] => [
  // @ts-expect-error A note needs its text.
  client.post_notes({ body: {} }),
  // @ts-expect-error There is no such operation.
  client.get_soup()
]
`,
  'call.mjs': "import { answersOf } from './consumer.js'\nprocess.stdout.write(await answersOf(process.argv[2]))\n",
  ...Object.fromEntries(
    Object.entries({
      nodenext: { module: 'nodenext' },
      bundler: { module: 'esnext', moduleResolution: 'bundler' }
    }).map(([name, resolution]) => [
      `tsconfig.${name}.json`,
      JSON.stringify({
        compilerOptions: {
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          skipLibCheck: false,
          target: 'es2022',
          lib: ['es2022'],
          types: [],
          ...resolution
        },
        files: ['consumer.ts']
      })
    ])
  )
}
