import type { Files } from '../../core/kinds/scaffold.ts'
import { firstCode, type Language } from './first-code.ts'

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

/** Returns the name of the surface with a table: `notes`, unless the service itself has that name. */
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

const test = `import { promises } from 'pantry/testing'

// Examples, envelope, links, discovery documents, OpenAPI and bad input, over every surface there is.
await promises()
`

/**
 * Generates the files of a first service: a collection, a handler with a table, and a test. They are valid as
 * generated.
 */
export function firstServiceFiles(name: string, today: string, language: Language): Files {
  const table = tableOf(name)
  return {
    'manifests/service.yaml': service(name),
    [`manifests/${name}.yaml`]: collection(name, today),
    [`manifests/${table}.yaml`]: handlerManifest(table, name, today),
    [`corpora/${name}/corpus.yaml`]: corpus(name),
    [`corpora/${name}/schema.yaml`]: schema,
    [`corpora/${name}/entries.yaml`]: entries,
    ...firstCode(language, table),
    'test/service.test.js': test,
    '.gitignore': 'node_modules/\n.pantry/\ndist/\n'
  }
}

type PackageFile = Readonly<Record<string, unknown>> &
  Readonly<{ type?: unknown; scripts?: Readonly<Record<string, string>> }>

/** Whether a script is missing or the placeholder that `npm init` writes. */
const isPlaceholder = (script: string | undefined): boolean =>
  script === undefined || script.includes('no test specified')

/** Additional scripts of a service in TypeScript, which is built before it runs. */
const building = {
  build: 'pantry build',
  dev: 'pantry dev',
  prestart: 'pantry build',
  pretest: 'pantry build',
  prevalidate: 'pantry build',
  typecheck: 'tsc'
}

/** Returns the package.json of a first service: module type, scripts and roots. Existing scripts are kept. */
export function firstPackageFile(given: PackageFile, name: string, language: Language): PackageFile {
  const scripts = {
    start: 'pantry serve',
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
    pantry: { roots: ['.'] }
  }
}
