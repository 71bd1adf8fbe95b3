import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { loadRootCommands } from '../bin/commands/run.ts'
import { commands } from '../bin/commands/index.ts'
import { variables } from '../bin/config.ts'
import { variablesOf } from '../bin/settings.ts'
import keysCommand from '../core/keys/surfaces/commands/keys.ts'
import keySettings from '../core/keys/surfaces/settings.ts'
import settings from '../surfaces/settings.ts'
import { filesBelow } from '../bin/root-modules.ts'
import { packageFolder } from '../bin/roots.ts'
import { isDiagnosticCode } from '../core/diagnostics/catalog.ts'
import { errorCodesOf } from '../core/manifest/service-defaults.ts'
import { documents } from './journeys/with-documents.ts'
import { declared, routes } from './support/path-to.ts'
import { registryOf } from './support/registry.ts'

const read = (file: string): string => readFileSync(join(packageFolder, file), 'utf8')

/** Every file of the project, and every folder, without what is made or installed. */
const ignored = [
  '.git',
  ...read('.gitignore')
    .split('\n')
    .map(line => line.replace(/\/$/, ''))
]
const files = readdirSync(packageFolder, { withFileTypes: true })
  .filter(({ name }) => !ignored.includes(name))
  .flatMap(entry =>
    entry.isDirectory()
      ? filesBelow(join(packageFolder, entry.name), '').map(file => relative(packageFolder, file))
      : [entry.name]
  )
  .filter(file => !file.includes('node_modules/'))
const folders = new Set(
  files.flatMap(file =>
    file
      .split('/')
      .slice(0, -1)
      .map((_, at, parts) => parts.slice(0, at + 1).join('/'))
  )
)
const tops = [...folders].filter(folder => !folder.includes('/'))
const paths = [...files, ...folders]

type Text = readonly [file: string, text: string]
/** Documents without what they change in an earlier service, which `test/upgrading.test.ts` does. */
const markdown = files
  .filter(file => file.endsWith('.md') && !file.startsWith('test/fixture/') && file !== 'CHANGELOG.md')
  .map((file): Text => [file, read(file).replaceAll(/^```diff\n[^]*?^```$/gm, '')])

/**
 * Texts of the project that people read beside documents: manifests, corpora, and comments of code. The changelog tells
 * what was, and sources name files of others.
 */
const others = files
  .filter(
    file => !/^(?:test\/(?:fixture|interface|tools|.*\/data)|corpora\/(?:changelog|sources)\/entries)\//.test(file)
  )
  .flatMap((file): Text[] => {
    if (file.endsWith('.yaml')) return [[file, read(file).replace(/^# yaml-language-server.*\n/, '')]]
    return /\.(?:tsx?|mjs)$/.test(file)
      ? [[file, [...read(file).matchAll(/(?:^|\s)\/\/ .*$|\/\*\*[^]*?\*\//gm)].join('\n')]]
      : []
  })
const prose = [...markdown, ...others]

/** What stands as code in Markdown: spans, and blocks that are fenced or indented. */
const code = markdown.map(([file, text]): Text => [
  file,
  [...text.matchAll(/```[^\n]*\n([^]*?)```|`([^`\n]+)`|^ {4}(\S.*)$/gm)]
    .map(([, fenced, span, indented]) => fenced ?? span ?? indented)
    .join('\n')
])

/** Everything that a pattern finds, as `file: word`. */
const words = (texts: readonly Text[], pattern: RegExp): readonly Text[] =>
  texts.flatMap(([file, text]) => [...text.matchAll(pattern)].map(([all, word = all]): Text => [file, word]))
const told = (found: readonly Text[]): string[] => [...new Set(found.map(([file, word]) => `${file}: ${word}`))]

/** What prose names and is no file, path or code here, each with its reason. */
const elsewhere: readonly Readonly<{ is: RegExp; why: string }>[] = [
  { is: /^(?:OTEL_\w+|PG_VERSION|POSTGRES_PASSWORD|SCHED_NONE|SO_REUSEPORT)$|^PGDATA\//, why: 'of another program' },
  { is: /^(?:SERVER|CLIENT)_SEED$|^ORIGIN\//, why: 'filled in by who copies the line' },
  { is: /^dist\/(?:bundle|edit|site)\//, why: 'made by `pantry build`, `pantry dev` and a script' },
  { is: /^places\.csv$/, why: 'a file of who copies the line' },
  { is: /^sql\.js$/, why: 'the name of a package' },
  { is: /^PANTRY_READ_LAG$/, why: 'a variable of an earlier version' },
  { is: /^PANTRY_BODIES$/, why: 'the code of a warning of Node' },
  { is: /^PANTRY_MOST_LOANS$/, why: 'an example of a setting' },
  {
    is: /^SHELF_CLOSED$|^\/api\/v1\/(?:about|search|survey|works|how-to\/\{slug\}|library\/(?:guides|loans)\/\{\w+\})$/,
    why: 'an example of a key of a manifest'
  },
  { is: /^(?:registry|request)\.service$/, why: 'a member in code' },
  {
    is: /^(?:\.\/)?(?:manifests|corpora)\/(?:tips|guides\/entries)\b|^entries(?:\.de\.yaml|\/(?:dune|start)(?:\.de)?\.md)$/,
    why: 'an example of a name'
  },
  {
    is: /^(?:manifests|surfaces\/handlers)\/(?:pages\/books\/|loans[/.]|(?:survey|works)\.yaml)|^surfaces\/handlers\/(?:hello|sign-in)\.ts$|^books\.ts$|^0001_trees\.js$/,
    why: "an example of a service of one's own"
  },
  {
    is: /(?:^|\/)(?:elements|masses|0002_rows)(?:\/\w+)?(?:\.\w+)?$|^(?:\.\/)?client\/index\.js$|^ask\.mjs$/,
    why: 'the service of the tutorial'
  },
  {
    is: /^surfaces\/(?:jobs(?:\/|$)|webhooks\.ts$)|^\.\.\/services\.ts$|^(?:LEASE_LOST|WEBHOOK_KEY)$/,
    why: 'jobs and webhooks of a root, as ours has none'
  },
  {
    is: /^surfaces\/commands\/squares\.js$|^\.\.\/services\.js$/,
    why: 'code that fills a table: test/bin/load/from-code.test.ts runs it'
  },
  { is: /^(?:journal\/endings\.ndjson|rows\.json|data\.svg)$/, why: 'made while it runs' },
  {
    is: /^(?:dist\/(?:rarities|pullRates)|data\/formats|translations\/fr\/cards|cards\.fr|cards\/index)\.json$|^vtessets\.csv$/,
    why: 'a file of an upstream'
  },
  { is: /^dist\/bin\/pantry\.js$/, why: 'the bundle of bin/commands/pantry.ts' },
  { is: /^(?:Node\.js|x|test\/x\/y|style\.css|nothing\.css)$/, why: 'a word for any, or what is missing on purpose' }
]

/**
 * `<name>`, `{name}` and `*` are any part of a name; an ending may be left out; what is compiled has the path of its
 * source below `dist/`.
 */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `(?:^|/)${path
      .replace(/^dist\/|\/$/g, '')
      .replace(/\.js$/, path.startsWith('dist/') ? '.ts' : '.js')
      .replace(/[.+]/g, '\\$&')
      .replace(/\*+|<[^>]*>|\{\w+\}/g, '[^ ]*')}(?:\\.\\w+)?$`
  )
const served = [
  ...routes.values(),
  ...[
    ...['archive', 'library', 'museum', 'trees'].map(name => `test/fixture/${name}`),
    ...readdirSync(join(packageFolder, 'examples')).map(name => `examples/${name}`)
  ].flatMap(root => declared(`${root}/manifests`).map(([, one]) => one))
].map(({ route: { path } }) => path)
const isThere = (path: string): boolean =>
  paths.some(known => patternOf(path).test(known)) || served.some(known => known.endsWith(`/${path}`))

const used = new Set<RegExp>()
/** What is nowhere, of what is not there. */
const nowhere = (missing: readonly Text[]): string[] =>
  told(
    missing.filter(([, word]) => {
      const found = elsewhere.filter(({ is }) => is.test(word))
      for (const { is } of found) used.add(is)
      return found.length === 0
    })
  )

t.test('every document is among those whose commands are tried', t => {
  // `test/examples.test.ts` tries those of the examples.
  const tried = markdown.map(([file]) => file).filter(file => !file.startsWith('examples/'))
  t.strictSame([...documents].sort(), tried.sort())
  t.end()
})

t.test('every path of the project that prose names is there', t => {
  const endings = [...new Set(files.flatMap(file => /\.(\w+)$/.exec(file)?.[1] ?? []))].join('|')
  const name = '[\\w.@<>{}*-]+'
  const named = words(
    prose,
    new RegExp(
      `(?<![\\w/.:=@<>{}-])((?:(?:${tops.map(top => top.replace('.', '\\.')).join('|')}|dist)/(?:${name}/)*(?:${name})?|(?:${name}/)*[\\w<>{}*-]${name}\\.(?:${endings}))(?![\\w/(]))`,
      'g'
    )
  ).map(([file, path]): Text => [file, path.replace(/[.,;:]+$/, '')])
  t.ok(named.length > 500, `${named.length} names`)
  // Beside the file that names it, or anywhere where the end of a path is enough.
  t.strictSame(
    nowhere(named.filter(([file, path]) => !isThere(path) && !paths.includes(join(dirname(file), path)))),
    []
  )
  t.end()
})

const slugOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

t.test('every link of a document leads to a file and a heading', t => {
  for (const [file, link] of words(markdown, /\]\((?!https?:)([^)\s]+)\)/g)) {
    const [path = '', heading] = link.split('#')
    const target = path === '' ? file : join(dirname(file), path)
    t.ok(paths.includes(target.replace(/\/$/, '')), `${file}: ${link}`)
    if (heading !== undefined)
      t.ok(
        [...read(target).matchAll(/^#+ (.*)$/gm)].some(([, text = '']) => slugOf(text) === heading),
        `${file}: ${link}`
      )
  }
  t.end()
})

t.test('every path of the service that a document names is served', t => {
  const known = served.map(path => new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`))
  const named = words(code, /(?<![\w.}/>*-])(\/(?:api|account|auctions|\.well-known)(?:\/[\w.{}-]*)*)/g).map(
    ([file, path]): Text => [file, path.replace(/\.+$/, '')]
  )
  t.ok(named.length > 100, `${named.length} paths`)
  t.strictSame(nowhere(named.filter(([, path]) => !known.some(one => one.test(path)))), [])
  t.end()
})

const codeFiles = files.filter(file => /\.(?:tsx?|mjs)$/.test(file)).map((file): Text => [file, read(file)])
const variablesRead = [
  ...[...variables, ...variablesOf(settings), ...variablesOf(keySettings)].map(({ name }) => name),
  ...words(codeFiles, /\benv(?:\.|\[')(PANTRY_\w+)/g).map(([, name]) => name)
]

t.test('every code is one of the closed lists', async t => {
  const { registry } = await registryOf()
  const diagnostics = words(prose, /\b([MCDHX]\d{3})\b/g)
  t.ok(diagnostics.length > 100, `${diagnostics.length} codes`)
  t.strictSame(told(diagnostics.filter(([, word]) => !isDiagnosticCode(word))), [])
  const known = new Set([...Object.keys(errorCodesOf(registry.service)), ...variablesRead])
  t.strictSame(nowhere(words(code, /\b([A-Z]+(?:_[A-Z]+)+)\b/g).filter(([, word]) => !known.has(word))), [])
})

t.test('every script of npm and every command with its options is there', async t => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> }
  t.strictSame(
    nowhere(
      words(prose, /\bnpm (?:run (?:-s |--silent )?|(?=(?:test|start)\b))([\w:-]+)/g).filter(
        ([, name]) => !(name in scripts)
      )
    ),
    []
  )
  const known = new Map([...commands, ...(await loadRootCommands()).brought].map(one => [one.name, one]))
  const lines = code.flatMap(([file, text]) =>
    text.split('\n').map((line): Text => [file, line.replace(/\s# .*$/, '')])
  )
  for (const [file, line] of words(lines, /(?:^(?:\$ )?|&& |npx |exec |\| )pantry ([a-z][a-z-]*(?: [^|&;]*)?)/gm)) {
    const [name = '', ...rest] = line.split(' ')
    const command = known.get(`${name}-${rest[0] ?? ''}`) ?? known.get(name)
    t.ok(command !== undefined || name === 'help', `${file}: pantry ${line}`)
    // The root that services of one's own may take has a command of the name of one of this service.
    const others = name === keysCommand.name ? keysCommand.options : []
    const options = [...[...(command?.options ?? []), ...others].map(({ long }) => long), '--help']
    t.strictSame(
      rest
        .join(' ')
        .match(/--[a-z-]+/g)
        ?.filter(option => !options.includes(option)) ?? [],
      [],
      `${file}: pantry ${line}`
    )
  }
})

t.test('every environment variable is one that is read', t => {
  t.strictSame(nowhere(words(prose, /\b(PANTRY_[A-Z_]+)\b/g).filter(([, name]) => !variablesRead.includes(name))), [])
  t.end()
})

t.test('no exception is out of date', t => {
  t.strictSame(
    elsewhere.filter(({ is }) => !used.has(is)),
    []
  )
  t.end()
})
