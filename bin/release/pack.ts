import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../project.ts'
import { packedExports, type Exports } from './exports.ts'
import { makeTarball } from './project.ts'

/**
 * Makes the tarball of the framework, `pantry-<version>.tgz`, in the named folder or the working one: `core/` and
 * `bin/`, compiled, with declarations.
 */

type PackageFile = Readonly<{
  name: string
  version: string
  license: string
  type: string
  engines: Readonly<Record<string, string>>
  exports: Exports
  dependencies: Readonly<Record<string, string>>
  /** What a service needs only when Pantry runs its database. */
  optionalDependencies: Readonly<Record<string, string>>
  devDependencies: Readonly<Record<string, string>>
}>

const staged = join(packageFolder, 'dist', 'package')
const own = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as PackageFile

const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile() && file.name.endsWith(ending))
    .map(file => join(file.parentPath, file.name))

/** Names of the packages that files import or require: words in quotes that are names of packages. */
function namedIn(files: readonly string[], packages: readonly string[]): readonly string[] {
  const words = new Set(
    files.flatMap(file => [...readFileSync(file, 'utf8').matchAll(/['"]([@\w./-]+)['"]/g)].map(found => found[1] ?? ''))
  )
  return packages.filter(name => [...words].some(word => word === name || word.startsWith(`${name}/`)))
}

/**
 * The dependencies of what was compiled, in the versions of the project: packages that code or declarations name, and
 * the types that declarations name.
 */
function dependenciesOf(): Record<string, string> {
  const run = namedIn(
    ['.js', '.d.ts'].flatMap(ending => filesBelow(staged, ending)),
    Object.keys(own.dependencies)
  )
  const typed = namedIn(
    filesBelow(staged, '.d.ts'),
    Object.keys(own.devDependencies)
      .filter(name => name.startsWith('@types/'))
      .map(name => name.slice('@types/'.length))
  )
  const versions = { ...own.dependencies, ...own.devDependencies }
  return Object.fromEntries(
    [...run, ...typed.map(name => `@types/${name}`), '@types/node'].sort().map(name => [name, versions[name] ?? ''])
  )
}

function packageFile(): object {
  const { name, version, license, type, engines } = own
  // What a service works without: its own database server, and the checker of patterns that are not plain.
  const peers = { ...own.optionalDependencies, recheck: own.devDependencies['recheck'] ?? '' }
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
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map(one => [one, { optional: true }]))
  }
}

rmSync(staged, { recursive: true, force: true })
execFileSync(
  process.execPath,
  [join(packageFolder, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', join(packageFolder, 'tsconfig.package.json')],
  { stdio: 'inherit' }
)
cpSync(join(packageFolder, 'core', 'standard'), join(staged, 'core', 'standard'), { recursive: true })
cpSync(join(packageFolder, 'bin', 'door', 'README.md'), join(staged, 'README.md'))
if (existsSync(join(packageFolder, 'LICENSE'))) cpSync(join(packageFolder, 'LICENSE'), join(staged, 'LICENSE'))
writeFileSync(join(staged, 'package.json'), `${JSON.stringify(packageFile(), null, 2)}\n`)
process.stdout.write(`${makeTarball(staged, process.argv[2] ?? '.')}\n`)
