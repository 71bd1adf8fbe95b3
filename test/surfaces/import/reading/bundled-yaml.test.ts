// test: slow.
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { openBundler } from '../../../../bin/build/bundle.ts'
import type { shapes as Shapes } from '../../../../surfaces/import/reading/shapes.ts'

t.test('a source in YAML is read by bundled code as by code that is not', async t => {
  const folder = t.testdir({ 'cards.yml': 'name: Nami\n' })
  const built = join(folder, 'built')
  const { make, close } = await openBundler(
    built,
    { shapes: resolve('surfaces/import/reading/shapes.ts') },
    { packages: 'inside', withSources: false }
  )
  t.teardown(close)
  await make()
  const { shapes } = (await import(pathToFileURL(join(built, 'shapes.js')).href)) as { shapes: typeof Shapes }
  const found = { path: join(folder, 'cards.yml'), declared: { shape: 'yaml', path: 'cards.yml' }, file: {} } as const
  t.same(await shapes.yaml.whole(found), { name: 'Nami' })
})
