// test: long. A copy of the framework is extended, compiled, type-checked and used.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../bin/roots.ts'
import { scratchFolder } from './support/scratch.ts'

type Addition = Readonly<{
  /** How many files of the framework or the service change: the number in the table of `core/README.md`. */
  count: number
  /** New files by path. */
  added?: Readonly<Record<string, string>>
  /** Changed files by path: what is replaced, by what. */
  changed?: Readonly<Record<string, readonly (readonly [string, string])[]>>
  /** Surfaces of the library that use the new thing, by file name. They are the use, and are not counted. */
  uses: Readonly<Record<string, string>>
  /** A request, and what the answer shows. */
  asked: readonly (readonly [request: readonly string[], shows: RegExp])[]
}>

const library = 'test/fixture/library'

const surface = (
  path: string,
  fields: string,
  { access = 'public', provenance = 'static' } = {}
): string => `kind: ${fields}
path: /api/v1/library/${path}
summary: A surface that uses something new.
tags: [library]
access: ${access}
freshness: catalog
license: CC0-1.0
sources: [self]
provenance: ${provenance}
carries_pii: false
requires_consent: false
since: 2026-11-22
contract: envelope
`

const additions: Readonly<Record<string, Addition>> = {
  kind: {
    count: 2,
    added: {
      'core/kinds/tally/index.ts': `import type { ManifestWith } from '../../manifest/manifest.ts'
import { declaredContracts } from '../fields.ts'
import { CorpusField, corpusReference } from '../fields.ts'
import { corpusFiles } from '../scaffold.ts'
import { defineKind } from '../kind.ts'
import { defaultPath } from '../scaffold.ts'
import { exactly } from '../fields.ts'

const fields = { corpus: CorpusField }

export const tally = defineKind<ManifestWith<typeof fields>, Readonly<{ corpus: string }>, 'corpora'>({
  name: 'tally',
  meaning: 'How many entries a corpus has.',
  reaches: ['corpora'],
  fields,
  holds: ['value', 'words', 'object'],
  contracts: declaredContracts,
  refersTo: ({ manifest }) => [corpusReference(manifest.corpus)],
  answer: ({ manifest: { corpus } }) => ({ corpus }),
  output: () => exactly({ entry_count: { type: 'integer', minimum: 0 } }),
  compile: ({ answer: { corpus } }, { corpora }) => ({ when: 'pure', answer: () => ({ status: 200, data: { entry_count: corpora.get(corpus)?.byKey.size ?? 0 } }) }),
  scaffold: ({ id, path = defaultPath(id), corpus = 'things' }) => ({ path, provenance: 'static', fields: { corpus }, files: corpusFiles(corpus, 'CC0-1.0') })
})
`
    },
    changed: {
      'core/kinds/list.ts': [
        ['  witness:', "  tally: async () => (await import('./tally/index.ts')).tally,\n  witness:"]
      ]
    },
    uses: { 'count.yaml': `${surface('count', 'tally')}corpus: books\n` },
    asked: [[['/api/v1/library/count'], /"entry_count":4/]]
  },
  'filter operator': {
    count: 2,
    added: {
      'core/kinds/collection/operators/begins.ts': `import { askedTypes, shortText } from './operator.ts'
import type { Operator } from './operator.ts'

export const begins: Operator = {
  name: 'begins-with',
  meaning: 'the value begins with this text',
  needs: 'a text',
  fits: value => askedTypes(value).join() === 'string',
  parameter: field => ({ ...shortText, description: \`Entries whose \\\`\${field}\\\` begins with this text.\` }),
  meets: (value, wanted) => typeof value === 'string' && value.startsWith(String(wanted)),
  sql: () => 'starts_with(:field:, :wanted)',
  index: 'values'
}
`
    },
    changed: {
      'core/kinds/collection/operators/list.ts': [
        ['import type { Operator }', "import { begins } from './begins.ts'\nimport type { Operator }"],
        ['= [equals,', '= [begins, equals,']
      ]
    },
    uses: {
      'titles.yaml': `${surface('titles', 'collection')}corpus: books\nlist: books\nfilters:\n  - { name: part, field: title, operation: begins-with }\n`
    },
    asked: [[['/api/v1/library/titles?part=A%20Room'], /"returned":1,[^]*A Room of One's Own/]]
  },
  format: {
    count: 2,
    added: {
      'core/format/tsv.ts': `import { textOf, type FormatModule, type View } from './format.ts'

const quoted = (text: string): string => \`"\${text.replaceAll('"', '""')}"\`

/** One line for each entry. */
const renderTable = ({ list }: View): string => (list?.entries ?? []).map(entry => \`\${Object.values(entry).map(value => quoted(textOf(value))).join(',')}\\r\\n\`).join('')

export const tsv: FormatModule = { mediaType: 'text/tab-separated-values; charset=utf-8', accepts: ['text/tab-separated-values'], of: ['list'], render: renderTable }
`
    },
    changed: {
      'core/format/index.ts': [
        ['import type { Content', "import { tsv } from './tsv.ts'\nimport type { Content"],
        ['const modules = { json,', 'const modules = { json, tsv,']
      ]
    },
    uses: { 'table.yaml': `${surface('table', 'collection')}corpus: books\nlist: books\nformats: [json, tsv]\n` },
    asked: [
      [
        ['/api/v1/library/table', '--include', '--header', 'Accept: text/tab-separated-values'],
        /Content-Type: text\/tab-separated-values; charset=utf-8\r\n[^]*"9780141439518","Pride and Prejudice"/
      ],
      [['/api/v1/library/table', '--include'], /Content-Type: application\/json/]
    ]
  },
  'discovery document': {
    count: 2,
    added: {
      'core/discovery/tiers.ts': `import Type from 'typebox'
import { Closed, defineDocument, Text } from './define.ts'

export const tiers = defineDocument(Closed({ '@kind': Type.Literal('tiers'), tiers: Type.Record(Type.String(), Text) }))({
  build: ({ service }) => ({ '@kind': 'tiers', tiers: Object.fromEntries(Object.entries(service.tiers).map(([name, { meaning }]) => [name, meaning])) })
})
`
    },
    changed: {
      'core/discovery/index.ts': [
        ['import { tools }', "import { tiers } from './tiers.ts'\nimport { tools }"],
        ['  assets,\n', '  assets,\n  tiers,\n']
      ]
    },
    uses: { 'tiers.yaml': `${surface('tiers', 'discovery', { provenance: 'computed' })}serves: tiers\n` },
    asked: [
      [['/api/v1/library/tiers'], /"@kind":"tiers",[^]*"CC0-1\.0":"Dedicated/],
      [['/api/v1/manifest'], /"id":"tiers"/]
    ]
  },
  'error code': {
    count: 1,
    changed: {
      [`${library}/manifests/service.yaml`]: [
        ['errors:\n', 'errors:\n  BOOK_SOLD: { status: 410, meaning: The book was sold and does not come back. }\n']
      ]
    },
    uses: {
      'sold.yaml': `${surface('sold', 'status-only')}status: 410\ncode: BOOK_SOLD\nmessage: Sold last spring.\n`
    },
    asked: [
      [['/api/v1/library/sold', '--include'], /^HTTP\/1\.1 410 [^]*"code":"BOOK_SOLD"/],
      [['/api/v1/diagnostic'], /BOOK_SOLD/]
    ]
  },
  'access kind': {
    count: 2,
    added: {
      'core/access/reader.ts': `import type { AccessModule } from './access.ts'

export const reader: AccessModule = {
  meaning: 'a reader with a card',
  credential: { name: 'readerCard', challenge: 'ReaderCard', scheme: { type: 'apiKey', in: 'header', name: 'Reader-Card', description: 'Number of the card.' } }
}
`
    },
    changed: {
      'core/access/index.ts': [
        ['import { memoize }', "import { reader } from './reader.ts'\nimport { memoize }"],
        ['{ public: everyone,', '{ public: everyone, reader,']
      ]
    },
    uses: {
      'shelf.yaml': `${surface('shelf', 'collection', { access: 'reader' })}corpus: books\nlist: books\nexamples:\n  - { title: Without a card, expect: { status: 401 } }\n`
    },
    asked: [
      [
        ['/api/v1/library/shelf', '--include'],
        /^HTTP\/1\.1 401 [^]*WWW-Authenticate: ReaderCard [^]*"access":"reader"/
      ],
      [['/api/openapi.json'], /"readerCard":\{[^}]*"Reader-Card"/]
    ]
  }
}

const parts = [
  'core',
  'bin',
  'test/run',
  library,
  'package.json',
  'package-lock.json',
  'manifests/schema.json',
  ...['core', 'bin'].map(name => `.test/${name}`),
  '.test/compiled-by'
]

t.test('what is added to the framework touches as few files as its code map says, and works', async t => {
  const copy = scratchFolder(t)
  for (const part of parts.filter(part => existsSync(join(packageFolder, part))))
    cpSync(join(packageFolder, part), join(copy, part), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(packageFolder, 'node_modules'), join(copy, 'node_modules'))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), text)
  }
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [...process.execArgv, ...args], { cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 28 })
  const succeeds = (...args: readonly string[]): void => {
    const { status, stdout, stderr } = run(...args)
    t.equal(status === 0 ? '' : (stdout + stderr).slice(-4000), '', args.slice(0, 2).join(' '))
  }
  const pantry = '.test/bin/commands/pantry.js'
  const map = readFileSync(join(packageFolder, 'core', 'README.md'), 'utf8')

  for (const [thing, { count, added = {}, changed = {}, uses }] of Object.entries(additions)) {
    t.equal(Object.keys(added).length + Object.keys(changed).length, count, thing)
    t.equal(map.split(`\n| ${thing} | ${count} |`).length, 2, `the code map gives the files of ${thing}`)
    for (const [path, text] of Object.entries(added)) {
      t.notOk(existsSync(join(copy, path)), `${path} is new`)
      write(path, text)
    }
    for (const [path, edits] of Object.entries(changed)) {
      const before = readFileSync(join(copy, path), 'utf8')
      for (const [from] of edits) t.equal(before.split(from).length, 2, `${path} has one \`${from.trim()}\``)
      write(
        path,
        edits.reduce((text, [from, to]) => text.replace(from, () => to), before)
      )
    }
    for (const [name, text] of Object.entries(uses)) write(`${library}/manifests/${name}`, text)
  }

  write(
    'tsconfig.json',
    JSON.stringify({
      ...(JSON.parse(readFileSync(join(packageFolder, 'tsconfig.json'), 'utf8')) as object),
      include: ['core', 'bin']
    })
  )
  const types = spawnSync(join(copy, 'node_modules', '.bin', 'tsc'), ['--noEmit', '-p', 'tsconfig.json'], {
    cwd: copy,
    encoding: 'utf8'
  })
  t.equal(types.status === 0 ? '' : types.stdout.slice(0, 4000), '', 'every type holds')
  succeeds('test/run/compile.mjs')
  succeeds(pantry, 'validate', '--root', library)
  succeeds(pantry, 'test', '--root', library)
  for (const { asked } of Object.values(additions)) {
    for (const [request, shows] of asked)
      t.match(run(pantry, 'get', ...request, '--root', library).stdout, shows, request.join(' '))
  }
})
