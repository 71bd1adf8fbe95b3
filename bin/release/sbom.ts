import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * What is in an install of a package, as CycloneDX: its dependencies in the versions of our lockfile, and what they
 * depend on. The package is that of `packageFile`, not the checkout, which has a service and a database besides. Asks
 * no registry. What is optional is not listed: an install has none of it.
 */
export function sbomOf({
  name,
  packageFile,
  lockFile
}: Readonly<{ name: string; packageFile: string; lockFile: string }>): string {
  const folder = mkdtempSync(join(tmpdir(), 'pantry-sbom-'))
  // npm calls the whole thing as its folder is called.
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
    // Leaves of the lockfile what this package needs.
    npm('install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent')
    return npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--omit', 'dev')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
