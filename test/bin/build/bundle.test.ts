// test: slow.
import t from 'tap'
import { bundleFramework } from '../../../bin/build/bundle.ts'

t.test('each module of the framework is in one file, so that programs and doors share it', async t => {
  for (const packages of ['inside', 'outside'] as const) {
    const { inputs, outputs } = await bundleFramework(t.testdir(), { packages, withSources: false })
    const homes = new Map(Object.keys(inputs).map(input => [input, 0]))
    for (const { inputs: held } of Object.values(outputs))
      for (const input of Object.keys(held)) homes.set(input, (homes.get(input) ?? 0) + 1)
    t.strictSame(
      [...homes].filter(([, count]) => count > 1),
      [],
      packages
    )
    t.equal(
      Object.keys(inputs).some(input => input.includes('node_modules/')),
      packages === 'inside'
    )
    t.ok(Object.values(outputs).some(({ entryPoint }) => entryPoint?.endsWith('bin/door/handler.ts')))
  }
})
