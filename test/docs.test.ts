import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { variables as own } from '../bin/config.ts'
import { variablesOf } from '../bin/settings.ts'
import { loadRootCommands } from '../bin/commands/run.ts'
import { commands } from '../bin/commands/index.ts'
import { packageFolder } from '../bin/roots.ts'
import { kindNames } from '../core/kinds/list.ts'
import settings from '../surfaces/settings.ts'

const read = (file: string): string => readFileSync(join(packageFolder, file), 'utf8')
const codes = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(found => found[1] ?? '')
/** Rows of the table whose first column has this head. */
const rows = (file: string, head: string): string[][] =>
  (read(file).split(`\n| ${head} |`)[1]?.split('\n\n')[0] ?? '')
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim())
    )
const guides = readdirSync(join(packageFolder, 'docs')).filter(name => name.endsWith('.md') && name !== 'README.md')

/** Variables of Pantry, then those of the service. */
const variables = [...own, ...variablesOf(settings)]

t.test('the environment table is the list of variables the program reads', t => {
  t.strictSame(
    rows('docs/operating.md', 'variable').map(([name, , meaning]) => [codes(name ?? '')[0], meaning]),
    variables.map(({ name, meaning }) => [name, meaning])
  )
  t.strictSame(
    rows('docs/operating.md', 'variable').map(([, fallback]) => fallback?.replaceAll('`', '')),
    variables.map(({ fallback }) => fallback)
  )
  t.end()
})

t.test('the guides name every command, and the kinds as they are called', async t => {
  const named = rows('docs/commands.md', 'command')
    .flatMap(([cell]) => codes(cell ?? ''))
    .map(text => text.replace(/^pantry /, '').split(' ')[0])
  t.strictSame(
    [...new Set(named)].sort(),
    [...commands, ...(await loadRootCommands()).brought].map(({ name }) => name).sort()
  )
  const kinds = rows('docs/surfaces.md', 'kind').map(([cell]) => codes(cell ?? '')[0] ?? '')
  t.ok(kinds.length > 5)
  t.strictSame(
    kinds.filter(name => !kindNames.includes(name)),
    [],
    'and no kind that there is not'
  )
})

t.test('the code map names every folder of core', t => {
  const map = read('core/README.md')
  for (const folder of readdirSync(join(packageFolder, 'core'), { withFileTypes: true }).filter(entry =>
    entry.isDirectory()
  ))
    t.match(map, `\`${folder.name}/\``)
  t.end()
})

t.test('the table of folders is the top level', t => {
  const shown = rows('README.md', 'folder').map(([cell]) => codes(cell ?? '')[0])
  const hidden = new Set(['node_modules', 'dist'])
  const real = readdirSync(packageFolder, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && !hidden.has(entry.name))
    .map(entry => `${entry.name}/`)
  t.strictSame([...shown].sort(), real.sort())
  t.end()
})

t.test('the manifest in the README is the one that is served', t => {
  const shown = /```yaml\n([^]*?)```/.exec(read('README.md'))?.[1] ?? ''
  t.strictSame(parse(shown), parse(read('test/fixture/library/manifests/book.yaml')))
  t.end()
})

t.test('a reader of the README finds every guide', t => {
  for (const file of ['docs/README.md', 'docs/tutorial.md']) t.match(read('README.md'), `](${file})`)
  t.strictSame(
    guides.filter(file => !read('docs/README.md').includes(`](${file})`)),
    []
  )
  t.end()
})

t.test('what the operator copies says what the code says', t => {
  const nginx = read('bin/deploy/nginx.conf')
  const block = /^    location \/ \{\n(.*?)^    \}/ms.exec(read('docs/operating.md'))?.[1]?.trim().split('\n') ?? []
  t.ok(block.length >= 4)
  t.same(
    block.filter(line => !nginx.includes(line.trim())),
    [],
    'the lines for nginx are those of its settings'
  )
  const composed = ['compose.yaml', 'bin/deploy/compose.replicas.yaml'].map(
    file => parse(read(file), { merge: true }) as { services: { pantry: { environment: Record<string, string> } } }
  )
  const unit = [...read('bin/deploy/pantry.service').matchAll(/^Environment=(.*)$/gm)].flatMap(
    ([, text]) => text?.split(' ').map(pair => pair.split('=')[0]) ?? []
  )
  const image = [...read('Dockerfile').matchAll(/^ENV (.*)$/gm)].flatMap(
    ([, text]) => text?.split(' ').map(pair => pair.split('=')[0]) ?? []
  )
  const known = new Set(['NODE_ENV', 'TMPDIR', ...variables.map(({ name }) => name)])
  t.strictSame(
    [...composed.flatMap(({ services }) => Object.keys(services.pantry.environment)), ...unit, ...image].filter(
      // Settings of glibc.
      name => !known.has(name ?? '') && name?.startsWith('MALLOC_') !== true
    ),
    []
  )
  const allocator = (file: string): readonly string[] => read(file).match(/MALLOC_\w+=\d+/g) ?? []
  t.ok(allocator('Dockerfile').length > 0)
  t.strictSame(allocator('bin/deploy/pantry.service'), allocator('Dockerfile'))
  const outside = read('.dockerignore').split('\n')
  for (const name of ['test', '.git', '**/node_modules', '.pantry', 'dist']) t.ok(outside.includes(name), name)
  // The service reads the Markdown of these.
  for (const name of ['docs', '.github']) t.notOk(outside.includes(name), name)
  t.end()
})

t.test('editors find the schema of every manifest of the package: its first line names it', t => {
  const schema = join(packageFolder, 'manifests/schema.json')
  for (const folder of ['manifests', 'core/standard/manifests']) {
    const files = readdirSync(join(packageFolder, folder), { recursive: true, encoding: 'utf8' }).filter(
      name => name.endsWith('.yaml') && name !== 'service.yaml'
    )
    const wanted = (name: string): string =>
      `# yaml-language-server: $schema=${relative(dirname(join(packageFolder, folder, name)), schema)}`
    t.strictSame(
      files.filter(name => read(join(folder, name)).split('\n', 1)[0] !== wanted(name)),
      [],
      folder
    )
  }
  t.end()
})
