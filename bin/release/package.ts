import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** `exports` of the project's package.json: the source and the compiled file of each entry point. */
export type Exports = Readonly<Record<string, Readonly<{ types: string; default: string }>>>

/** Returns `exports` for the packed package.json: the same entry points, with their compiled files and declarations. */
export const packedExports = (own: Exports): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(
    Object.entries(own).map(([name, { types: source }]) => {
      const file = source.replace(/\.ts$/, '')
      return [name, { types: `${file}.d.ts`, default: `${file}.js` }]
    })
  ),
  './package.json': './package.json'
})

/** Creates the tarball of a package folder in `target` and returns its path. */
export function makeTarball(folder: string, target: string): string {
  const out = resolve(target)
  mkdirSync(out, { recursive: true })
  return join(
    out,
    execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: folder, encoding: 'utf8' }).trim()
  )
}

/**
 * Returns the CycloneDX SBOM of a package: its direct and transitive dependencies in the versions of the lockfile. Uses
 * `packageFile`, not the checkout's package.json, which also lists dependencies of the service and the database. Works
 * offline. Development dependencies are left out, and so is what is optional, because an install does not include it.
 */
export function sbomOf({
  name,
  packageFile,
  lockFile
}: Readonly<{ name: string; packageFile: string; lockFile: string }>): string {
  const folder = mkdtempSync(join(tmpdir(), 'pantry-sbom-'))
  // npm names the top-level component after the folder.
  const cwd = join(folder, name)
  const npm = (...args: readonly string[]): string =>
    execFileSync('npm', args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 * 1024 * 1024
    })
  try {
    mkdirSync(cwd)
    copyFileSync(packageFile, join(cwd, 'package.json'))
    copyFileSync(lockFile, join(cwd, 'package-lock.json'))
    // Reduces the lockfile to the dependencies of this package.
    npm('install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent')
    return npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--omit', 'dev')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
