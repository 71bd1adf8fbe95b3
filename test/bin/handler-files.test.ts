import { join } from 'node:path'
import t from 'tap'
import { handlerFiles } from '../../bin/handler-files.ts'

const handler = 'export default defineHandler({})\n'

t.test('sources decide: not compiled yet is listed, compiled without a source is not', async t => {
  const root = t.testdir({
    surfaces: { tools: { 'dice.ts': handler, 'coin.ts': handler, 'helper.ts': 'export const helper = 1\n' } },
    dist: { surfaces: { tools: { 'dice.js': handler, 'gone.js': handler, 'helper.js': 'export const helper = 1\n' } } }
  })
  const code = join(root, 'dist', 'surfaces')
  const written = (id: string): string => join(root, 'surfaces', `${id}.ts`)
  t.strictSame(handlerFiles(root, code, '.js'), [
    { id: 'tools/coin', written: written('tools/coin'), runnable: undefined },
    { id: 'tools/dice', written: written('tools/dice'), runnable: join(code, 'tools/dice.js') }
  ])
  t.strictSame(handlerFiles(root, undefined, '.js').map(({ runnable }) => runnable), [undefined, undefined], 'nothing is built yet')
})

t.test('compiled code alone, as in a package', async t => {
  const root = t.testdir({ dist: { surfaces: { 'dice.js': handler, 'dice.d.ts': handler } } })
  t.strictSame(handlerFiles(root, join(root, 'dist', 'surfaces'), '.js').map(({ id }) => id), ['dice'])
  t.strictSame(handlerFiles(root, undefined, '.js'), [], 'no code at all')
})

t.test('a process that runs TypeScript runs the sources', async t => {
  const root = t.testdir({ surfaces: { 'dice.ts': handler } })
  const file = join(root, 'surfaces', 'dice.ts')
  t.strictSame(handlerFiles(root, join(root, 'surfaces'), '.ts'), [{ id: 'dice', written: file, runnable: file }])
})
