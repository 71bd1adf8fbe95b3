import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The source and the compiled file of each entry point, in the package.json of the project. */
export type Exports = Readonly<Record<string, Readonly<{ types: string; default: string }>>>

/** Returns the same entry points, with their compiled files and declarations. */
export const packedExports = (own: Exports): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(
    Object.entries(own).map(([name, { types: source }]) => {
      const file = source.replace(/\.ts$/, '')
      return [name, { types: `${file}.d.ts`, default: `${file}.js` }]
    })
  ),
  './package.json': './package.json'
})

/** Runs a program and returns what it prints. */
export const run = (cwd: string, program: string, args: readonly string[]): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 })

export function makeTarball(folder: string, target: string): string {
  const out = resolve(target)
  mkdirSync(out, { recursive: true })
  return join(out, run(folder, 'npm', ['pack', '--silent', '--pack-destination', out]).trim())
}

/**
 * Returns an SBOM as it is made again of the same release: npm gives each a random number and the time of day.
 * `digest` is the SHA-256 of the tarball, `date` that of the commit.
 */
export function repeatableSbom(sbom: string, digest: string, date: string): string {
  const { metadata, ...rest } = JSON.parse(sbom) as Readonly<{ metadata: object }>
  // A UUID of version 8 (RFC 9562): its bits are those of the digest.
  const serial = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}`
  const serialNumber = `urn:uuid:${serial}-${digest.slice(20, 32)}`
  const repeated = { ...rest, serialNumber, metadata: { ...metadata, timestamp: date } }
  return `${JSON.stringify(repeated, null, 2)}\n`
}

/**
 * Returns the CycloneDX SBOM of the package of `packageFile`: its direct and transitive dependencies in the versions of
 * the lockfile, without those for development and optional ones, which an install does not include. Works offline.
 */
export function sbomOf({
  name,
  packageFile,
  lockFile
}: Readonly<{ name: string; packageFile: string; lockFile: string }>): string {
  const folder = mkdtempSync(join(tmpdir(), 'pantry-sbom-'))
  // npm names the top-level component after the folder.
  const cwd = join(folder, name)
  try {
    mkdirSync(cwd)
    copyFileSync(packageFile, join(cwd, 'package.json'))
    copyFileSync(lockFile, join(cwd, 'package-lock.json'))
    // Reduces the lockfile to the dependencies of this package.
    const reduce = ['install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund']
    run(cwd, 'npm', [...reduce, '--silent'])
    return run(cwd, 'npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--omit', 'dev'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Returns the versions of optional peers that a project may have beside the package, from those that were tried. An
 * exact version would keep the package out of a project with another one. Only the project itself runs the type
 * checker.
 */
export const peerRanges = (tried: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(tried).map(([name, version]) => [
      name,
      name === 'typescript' ? '>=5' : `^${version.replace(/^\^/, '')}`
    ])
  )
