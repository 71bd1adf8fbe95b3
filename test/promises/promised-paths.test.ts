import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { readYaml } from '../../core/source/read-yaml.ts'
import { registryOf } from '../support/registry.ts'

const file = 'test/interface/promised.yaml'
const source = readYaml(file, readFileSync(join(packageFolder, file)))
const promised = source.value as unknown as readonly string[]

t.test('every method and path that the interface promises is served', async t => {
  const { registry } = await registryOf()
  const served = new Set(
    registry.surfaces.flatMap(({ route }) => route.methods.map(method => `${method} ${route.path}`))
  )
  t.same(source.diagnostics, [])
  t.ok(promised.length >= 150, `${promised.length} pairs`)
  t.equal(new Set(promised).size, promised.length, 'each pair is listed once')
  t.same(
    promised.filter(pair => !served.has(pair)),
    []
  )
})
