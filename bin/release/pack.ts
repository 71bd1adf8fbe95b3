import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleFramework, bundleProgram, type Bundling } from '../build/bundle.ts'
import type * as Project from '../build/project.ts'
import { bundleRoot } from '../build/project.ts'
import { optionalRoots, packageFolder } from '../project.ts'
import { allBelow } from '../root-modules.ts'
import { packagedGuides } from './guides.ts'
import { makeTarball, packedExports, peerRanges, type Exports } from './package.ts'

/**
 * Creates `pantry-<version>.tgz` in the given folder (default: the working folder): bundles of `core/` and `bin/` with
 * type declarations; and `create-pantry-<version>.tgz`, which `npm create pantry` runs.
 */

type PackageFile = Readonly<{
  name: string
  version: string
  license: string
  type: string
  engines: Readonly<Record<string, string>>
  exports: Exports
  dependencies: Readonly<Record<string, string>>
  /** Needed only where Pantry runs its database server, or reads Parquet or SQLite. */
  optionalDependencies: Readonly<Record<string, string>>
  devDependencies: Readonly<Record<string, string>>
}>

const staged = join(packageFolder, 'dist', 'package')
const own = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as PackageFile

/** Finds packages that files import or require as quoted names. */
function namedIn(files: readonly string[], packages: readonly string[]): readonly string[] {
  const words = new Set(
    files.flatMap(file => [...readFileSync(file, 'utf8').matchAll(/['"]([@\w./-]+)['"]/g)].map(found => found[1] ?? ''))
  )
  return packages.filter(name => [...words].some(word => word === name || word.startsWith(`${name}/`)))
}

/**
 * Returns the packages that code or declarations import, and the `@types` that declarations need, in the versions of
 * the project.
 */
function dependenciesOf(): Record<string, string> {
  const run = namedIn(
    ['.js', '.d.ts'].flatMap(ending => allBelow(staged, ending)),
    Object.keys(own.dependencies)
  )
  const typed = namedIn(
    allBelow(staged, '.d.ts'),
    Object.keys(own.devDependencies).flatMap(name => /^@types\/(.*)/.exec(name)?.[1] ?? [])
  )
  const versions = { ...own.dependencies, ...own.devDependencies }
  return Object.fromEntries(
    [...run, ...typed.map(name => `@types/${name}`), '@types/node'].sort().map(name => [name, versions[name] ?? ''])
  )
}

function packageFile(): object {
  const { name, version, license, type, engines } = own
  // Optional peers: the embedded database server, readers of Parquet and SQLite, the checker for complex patterns, the
  // bundler of `pantry build`, and the type checker.
  const tried = {
    ...own.optionalDependencies,
    ...Object.fromEntries(['recheck', 'esbuild', 'typescript'].map(name => [name, own.devDependencies[name] ?? '']))
  }
  const peers = peerRanges(tried)
  return {
    name,
    version,
    description:
      'A framework for public data services: one YAML manifest in, one served surface and all its discovery documents out.',
    license,
    type,
    engines,
    bin: { pantry: 'bin/pantry.js' },
    exports: packedExports(own.exports),
    dependencies: dependenciesOf(),
    // Managers install none of these with a package: `init` takes from here which version it installs.
    devDependencies: tried,
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map(one => [one, { optional: true }]))
  }
}

/** Packs the program that `npm create pantry` runs, and returns its tarball. */
async function packCreate(): Promise<string> {
  const folder = join(packageFolder, 'dist', 'create-package')
  rmSync(folder, { recursive: true, force: true })
  await bundleProgram(join('create', 'main.ts'), join(folder, 'main.js'))
  const { version, license, type, engines } = own
  const described = {
    name: 'create-pantry',
    version,
    description: 'Begins a service with Pantry: npm create pantry <name>.',
    license,
    type,
    engines,
    bin: { 'create-pantry': 'main.js' },
    files: ['main.js']
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(described, null, 2)}\n`)
  cpSync(join(packageFolder, 'bin', 'create', 'README.md'), join(folder, 'README.md'))
  if (existsSync(join(packageFolder, 'LICENSE'))) cpSync(join(packageFolder, 'LICENSE'), join(folder, 'LICENSE'))
  return makeTarball(folder, process.argv[2] ?? '.')
}

rmSync(staged, { recursive: true, force: true })
// Packages stay outside, so that an install has one copy of each and gets their fixes without a new Pantry.
const how: Bundling = { packages: 'outside', withSources: true }
const standard = join('core', 'standard')
await bundleFramework(join(staged, 'bin'), how)
const roots = [standard, ...[...optionalRoots.values()].map(folder => relative(packageFolder, folder))]
for (const root of roots) await bundleRoot(join(packageFolder, root), join(staged, root, 'bundle'), how)
execFileSync(
  process.execPath,
  [join(packageFolder, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', join(packageFolder, 'tsconfig.package.json')],
  { stdio: 'inherit' }
)
for (const root of roots) cpSync(join(packageFolder, root), join(staged, root), { recursive: true })
for (const [file, text] of packagedGuides(packageFolder, 'bin/door/README.md')) {
  mkdirSync(dirname(join(staged, file)), { recursive: true })
  writeFileSync(join(staged, file), text)
}
if (existsSync(join(packageFolder, 'LICENSE'))) cpSync(join(packageFolder, 'LICENSE'), join(staged, 'LICENSE'))
writeFileSync(join(staged, 'package.json'), `${JSON.stringify(packageFile(), null, 2)}\n`)
// Only the code and the Node.js version that made a compiled registry use it.
const { compileRoots } = (await import(
  pathToFileURL(join(staged, 'bin', 'build', 'project.js')).href
)) as typeof Project
await compileRoots([join(staged, standard)], [join(staged, standard)])
process.stdout.write(`${makeTarball(staged, process.argv[2] ?? '.')}\n${await packCreate()}\n`)
