import { appendFileSync, existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { bundleRoot } from '../../../bin/build/project.ts'
import { libraryIn, pantry } from '../../support/command-line.ts'
import { testDatabase } from '../../support/database.ts'

const migration = (table: string): string => `import type { Knex } from 'knex'
export const up = async (knex: Knex): Promise<void> => { await knex.schema.createTable('${table}', made => { made.increments() }) }
export const down = async (knex: Knex): Promise<void> => { await knex.schema.dropTable('${table}') }
`

const build = (root: string): Promise<void> =>
  bundleRoot(root, join(root, 'dist', 'bundle'), { packages: 'outside', withSources: false })

/** A service with code in TypeScript that was built, and whose files are all older than the build. */
async function builtService(t: Test): Promise<string> {
  const root = libraryIn(
    t.testdir({
      'package.json': '{ "type": "module" }',
      migrations: { '0001_shelves.ts': migration('shelves') },
      surfaces: {
        'services.ts': "import { name } from './views/name.ts'\nexport default () => ({ services: { name } })\n",
        views: { 'name.ts': "export const name: string = 'shelf'\n" }
      }
    })
  )
  await build(root)
  return root
}

t.test('a source that was edited after the build is named, with what builds it again', async t => {
  const root = await builtService(t)
  const env = { DATABASE_URL: (await testDatabase(t, 'empty')).url }
  t.match(await pantry(['validate', '--root', root]), { code: 0, stdout: '' }, 'nothing changed')
  const file = join(root, 'surfaces/views/name.ts')
  utimesSync(file, new Date(), new Date(Date.now() + 5_000))
  t.match(await pantry(['validate', '--root', root]), { code: 0, stdout: '' }, 'only its time changed')

  writeFileSync(file, "export const name: string = 'board'\n")
  utimesSync(file, new Date(), new Date(Date.now() + 5_000))
  const said = new RegExp(`${file}:1:1: warning\\[H115\\]: .*changed after the build[^]*npx pantry build`)
  t.match(await pantry(['validate', '--root', root]), { code: 0, stdout: said })
  t.match(await pantry(['migrate', '--root', root], env), { code: 0, stderr: said })
  t.match(await pantry(['doctor', '--root', root], env), { stdout: /build +failed +H115 .*surfaces\/views\/name\.ts/ })

  await build(root)
  t.match(await pantry(['validate', '--root', root]), { code: 0, stdout: '' }, 'it is built again')
  t.match(await pantry(['doctor', '--root', root], env), { stdout: /build +ok/ })
  appendFileSync(join(root, 'migrations/0001_shelves.ts'), '// later\n')
  utimesSync(join(root, 'migrations/0001_shelves.ts'), new Date(0), new Date(0))
  t.match(
    await pantry(['validate', '--root', root]),
    { stdout: /0001_shelves\.ts.*H115/ },
    'an old file of another size'
  )
  rmSync(join(root, 'surfaces/views/name.ts'))
  t.match(await pantry(['validate', '--root', root]), { stdout: /views\/name\.ts.*H115.*is gone/ })
  rmSync(join(root, 'surfaces'), { recursive: true })
  t.notMatch((await pantry(['validate', '--root', root])).stdout, /surfaces/, 'an image may leave the sources out')
})

t.test('a migration that is not in the build is an error that names it', async t => {
  const root = await builtService(t)
  const env = { DATABASE_URL: (await testDatabase(t, 'empty')).url }
  writeFileSync(join(root, 'migrations/0002_lamps.ts'), migration('lamps'))
  const notBuilt = { code: 3, stderr: /0002_lamps\.ts: .*not compiled yet.*npx pantry build/s }
  t.match(await pantry(['migrate', '--root', root], env), notBuilt)
  t.match(await pantry(['validate', '--root', root]), {
    code: 1,
    stdout: /0002_lamps\.ts:1:1: error\[H106\]: .*compiled/
  })
  t.match(await pantry(['doctor', '--root', root], env), { stdout: /build +failed +H106 .*0002_lamps\.ts/ })
  await build(root)
  t.match(await pantry(['migrate', '--root', root], env), { code: 0, stdout: /0002_lamps/ })

  rmSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, 'migrations/0003_chairs.ts'), migration('chairs'))
  t.match(
    await pantry(['migrate', '--root', root], env),
    { code: 3, stderr: /0003_chairs\.ts: .*not compiled yet/ },
    'nothing is built'
  )
})

t.test('TypeScript beside JavaScript that runs as it is written has to be built', async t => {
  const root = libraryIn(
    t.testdir({
      migrations: { '0001_shelves.js': 'export const up = async () => {}\nexport const down = async () => {}\n' },
      surfaces: { 'checks.js': 'export default {}\n' }
    })
  )
  t.match(await pantry(['validate', '--root', root]), { code: 0 })
  writeFileSync(join(root, 'migrations/0002_lamps.ts'), migration('lamps'))
  writeFileSync(join(root, 'surfaces/services.ts'), 'export default () => ({ services: {} })\n')
  const { code, stdout } = await pantry(['validate', '--root', root])
  t.equal(code, 1)
  t.match(stdout, /migrations\/0002_lamps\.ts:1:1: error\[H106\]: The file is not compiled yet/)
  t.match(stdout, /surfaces\/services\.ts:1:1: error\[H106\]: The file is not compiled yet/)
  t.notOk(existsSync(join(root, 'dist')))
})
