import { join, relative } from 'node:path'
import t from 'tap'
import { codeInFiles, codeFiles } from '../../bin/root-modules.ts'
import { migrationsOf } from '../../bin/roots.ts'

/** The handlers of a root with code in a folder, and the file that runs of each. */
const found = (root: string, code: string | undefined, ending: '.ts' | '.js') =>
  codeFiles('handlers', root, code === undefined ? undefined : codeInFiles(code, ending)).map(
    ({ runnable, ...one }) => ({ ...one, runnable: runnable?.file })
  )

const handler = 'export default defineHandler({})\n'

t.test('sources decide: not compiled yet is listed, compiled without a source is not', async t => {
  const root = t.testdir({
    surfaces: {
      'helper.ts': 'export const helper = 1\n',
      handlers: { tools: { 'dice.ts': handler, 'coin.ts': handler } }
    },
    dist: {
      surfaces: {
        'helper.js': 'export const helper = 1\n',
        handlers: { tools: { 'dice.js': handler, 'gone.js': handler } }
      }
    }
  })
  const code = join(root, 'dist', 'surfaces')
  const written = (id: string): string => join(root, 'surfaces', 'handlers', `${id}.ts`)
  t.strictSame(found(root, code, '.js'), [
    { id: 'tools/coin', written: written('tools/coin'), runnable: undefined },
    { id: 'tools/dice', written: written('tools/dice'), runnable: join(code, 'handlers/tools/dice.js') }
  ])
  t.strictSame(
    found(root, undefined, '.js').map(({ runnable }) => runnable),
    [undefined, undefined],
    'nothing is built yet'
  )
})

t.test('a root whose TypeScript is compiled with its plain JavaScript has both', async t => {
  const step = 'export async function up () {}\nexport async function down () {}\n'
  const root = t.testdir({
    manifests: {},
    surfaces: { handlers: { 'dice.ts': handler, 'coin.js': handler } },
    migrations: { '0001_coins.js': step, '0002_dice.ts': step },
    dist: {
      surfaces: { handlers: { 'dice.js': handler, 'coin.js': handler, 'gone.js': handler } },
      migrations: { '0001_coins.js': step, '0002_dice.js': step, '0003_gone.js': step }
    }
  })
  t.strictSame(
    found(root, join(root, 'dist', 'surfaces'), '.js').map(({ id, written }) => [id, relative(root, written)]),
    [
      ['coin', 'surfaces/handlers/coin.js'],
      ['dice', 'surfaces/handlers/dice.ts']
    ]
  )
  t.strictSame(
    migrationsOf([root]).map(({ name }) => name),
    ['pantry/0003_idempotency', '0001_coins', '0002_dice']
  )
})

t.test('compiled code alone, as in a package', async t => {
  const root = t.testdir({ dist: { surfaces: { handlers: { 'dice.js': handler, 'dice.d.ts': handler } } } })
  t.strictSame(
    found(root, join(root, 'dist', 'surfaces'), '.js').map(({ id }) => id),
    ['dice']
  )
  t.strictSame(found(root, undefined, '.js'), [], 'no code at all')
})

t.test('a process that runs TypeScript runs the sources', async t => {
  const root = t.testdir({ surfaces: { handlers: { 'dice.ts': handler } } })
  const file = join(root, 'surfaces', 'handlers', 'dice.ts')
  t.strictSame(found(root, join(root, 'surfaces'), '.ts'), [{ id: 'dice', written: file, runnable: file }])
})
