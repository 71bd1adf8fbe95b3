import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { bundleRoot } from '../../../bin/build/project.ts'
import { bundleList } from '../../../bin/root-modules.ts'
import { joinTables, loadRoots, packageFolder } from '../../../bin/roots.ts'

const handler = (body: string): string => `import { defineHandler, Type } from 'pantry/handler'
${body}
export default defineHandler({ reply: Type.Object({ count: Type.Integer() }), handle: () => ({ body: { count: next() } }) })
`

/** A root with handlers of every kind of source, of which one throws when it runs, and a module that all share. */
async function bundled(t: Test): Promise<Readonly<{ root: string; folder: string }>> {
  const root = t.testdir({
    manifests: {},
    surfaces: {
      'counter.ts': 'let count = 0\nexport const next = (): number => ++count\nexport class Refused extends Error {}\n',
      'services.ts':
        "import { next, Refused } from './counter.ts'\nexport default () => ({ services: { next, Refused } })\n",
      handlers: {
        'one.ts': handler(
          "import { next, Refused } from '../counter.ts'\nexport const again = { reply: { Refused }, handle: () => ({ body: { count: next() } }) }"
        ),
        deep: {
          'two.tsx': handler(
            "import { next } from '../../counter.ts'\nconst element = <p>two</p>\nexport const likewise = { reply: element, handle: () => ({}) }"
          )
        },
        'plain.js': handler("import { next } from '../counter.ts'"),
        'throws.ts': handler("import { next } from '../counter.ts'\nthrow new Error('no such harbour')"),
        'notes.md': 'no code'
      },
      commands: { 'count.ts': "import { next } from '../counter.ts'\nexport default { name: 'count', run: next }\n" }
    },
    migrations: {
      '0001_trees.ts':
        'export async function up (): Promise<void> {}\nexport async function down (): Promise<void> {}\n'
    }
  })
  const folder = join(root, 'dist', 'bundle')
  await bundleRoot(root, folder, { packages: 'outside', withSources: false })
  return { root, folder }
}

t.test('a bundled root is loaded as its files are', async t => {
  const { root } = await bundled(t)
  const loaded = (await loadRoots([root]))[1]!
  t.strictSame([...loaded.table.keys()], ['deep/two', 'deep/two/likewise', 'one', 'one/again', 'plain'])
  t.strictSame(
    loaded.problems.map(({ code, file, message }) => [code, file.endsWith('surfaces/handlers/throws.ts'), message]),
    [['H106', true, 'The file cannot be imported: no such harbour']],
    'one that throws takes no other down'
  )
  t.strictSame(
    loaded.migrations.map(({ name }) => name),
    ['0001_trees']
  )
  t.type((await loaded.migrations[0]!.load()).up, 'function')

  const { services } = (await loaded.openServices!(
    {} as Parameters<NonNullable<typeof loaded.openServices>>[0]
  )) as unknown as { services: { next: () => number } }
  const count = (id: string): unknown =>
    (joinTables([loaded]).get(id) as unknown as { handle: () => { body: unknown } }).handle().body
  t.strictSame(
    [count('one'), count('deep/two'), services.next(), count('plain'), count('one/again')],
    [{ count: 1 }, { count: 2 }, 3, { count: 4 }, { count: 5 }],
    'all share one module'
  )
})

t.test('sources decide beside bundles too, and a new build removes what the old one left', async t => {
  const { root, folder } = await bundled(t)
  rmSync(join(root, 'surfaces', 'handlers', 'plain.js'))
  writeFileSync(join(root, 'surfaces', 'handlers', 'later.ts'), handler('const next = () => 0'))
  const loaded = (await loadRoots([root]))[1]!
  t.strictSame([...loaded.table.keys()], ['deep/two', 'deep/two/likewise', 'one', 'one/again'])
  t.match(
    loaded.problems.map(({ message }) => message),
    ['The file is not compiled yet.', 'The file cannot be imported: no such harbour']
  )

  writeFileSync(join(folder, 'parts', 'left.js'), '')
  rmSync(join(root, 'surfaces', 'commands'), { recursive: true })
  await bundleRoot(root, folder, { packages: 'outside', withSources: false })
  t.notOk(existsSync(join(folder, 'parts', 'left.js')))
  t.strictSame(
    readdirSync(folder).filter(name => name.endsWith('.js')),
    ['handlers.js', 'migrations.js', 'services.js']
  )
})

t.test('two files with one handler are an error that names both', async t => {
  const one = 'export const plain = { reply: {}, handle: () => ({}) }\n'
  const file = one.replace('const plain =', 'default')
  const root = t.testdir({
    manifests: {},
    surfaces: { handlers: { 'deep.ts': one, deep: { 'plain.js': file, 'plain.ts': file, 'other.ts': file } } }
  })
  await bundleRoot(root, join(root, 'dist', 'bundle'), { packages: 'outside', withSources: false })
  const { table, problems } = (await loadRoots([root]))[1]!
  t.strictSame([...table.keys()], ['deep/other', 'deep/plain'])
  t.match(
    problems.map(({ code, file, message }) => [code, file, message]),
    ['deep/plain.js', 'deep/plain.ts'].map(path => [
      'M424',
      new RegExp(`/handlers/${path}$`),
      /^The handler `deep\/plain` is already declared in .*\/handlers\/deep\.ts\.$/
    ])
  )
})

t.test('a bundle has each module that the framework asks a root for', async t => {
  const asked = readFileSync(join(packageFolder, 'bin', 'roots.ts'), 'utf8').matchAll(
    /defaultExportOf(?:<[^(]+>)?\(code, '(\w+)'|modules\.get\('(\w+)'\)|for \(const name of \[([^\]]+)\]/g
  )
  const names = new Set(
    [...asked].flatMap(([, part, module, list]) => (part ?? module ?? list ?? '').match(/\w+/g) ?? [])
  )
  t.ok(names.size >= 6, [...names].join(' '))
  const root = t.testdir({
    surfaces: Object.fromEntries([...names].map(name => [`${name}.ts`, 'export default {}\n']))
  })
  await bundleRoot(root, join(root, 'dist', 'bundle'), { packages: 'outside', withSources: false })
  const listed = JSON.parse(readFileSync(join(root, 'dist', 'bundle', bundleList), 'utf8')) as Record<string, string>
  t.strictSame(Object.keys(listed).sort(), [...names].map(name => `surfaces/${name}.ts`).sort())
})
