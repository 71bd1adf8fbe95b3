import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFolder } from '../project.ts'
import { makeTarball, run } from './package.ts'
import { releasedFiles, type ReleasedFile } from './provenance.ts'
import { done, notRun } from './steps.ts'

type Outcome = ReturnType<typeof done>

/** Makes the tarballs again of a copy of the commit in another folder, and returns what differs. */
export function sameBytes(
  commit: string,
  files: readonly ReleasedFile[],
  makeTarballs: (checkout: string, out: string) => void
): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'pantry-release-'))
  try {
    const [copy, out] = [join(folder, 'copy'), join(folder, 'out')]
    mkdirSync(copy)
    run(packageFolder, 'git', ['archive', '--output', join(folder, 'commit.tar'), commit])
    run(copy, 'tar', ['-xf', join(folder, 'commit.tar')])
    symlinkSync(join(packageFolder, 'node_modules'), join(copy, 'node_modules'))
    makeTarballs(copy, out)
    const again = new Map(releasedFiles(out).map(({ name, sha256 }) => [name, sha256]))
    const differing = files.filter(({ name, sha256 }) => again.get(name) !== sha256)
    return differing.length === 0
      ? undefined
      : `A copy of the commit makes other bytes of ${differing.map(({ name }) => name).join(' and ')}.`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes the typed client of the service: a tarball for npm, and for PyPI what its `build` makes, where that is. */
export function makeClient(out: string, registry: 'npm' | 'PyPI'): Outcome {
  const folder = mkdtempSync(join(tmpdir(), 'pantry-client-'))
  const origin = process.env['PANTRY_BASE_URL'] ?? ''
  const asks =
    origin === '' ? 'asks the `base_url` of service.yaml: set PANTRY_BASE_URL to publish it' : `asks ${origin}`
  try {
    const program = join(packageFolder, 'dist', 'bin', 'pantry.js')
    const kind = registry === 'PyPI' ? ['--python'] : []
    run(packageFolder, process.execPath, [program, 'client', folder, ...kind])
    if (registry === 'npm') {
      makeTarball(folder, out)
      return done(asks)
    }
    if (spawnSync('python3', ['-m', 'build', '--version'], { stdio: 'ignore' }).status !== 0)
      return notRun('written, but not built: the Python package `build` is not installed here')
    run(folder, 'python3', ['-m', 'build', '--outdir', out])
    return done(asks)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Builds the image with what its labels say, where a Docker engine answers. */
export function makeImage(version: string, commit: string, isDry: boolean): Outcome {
  const args = [`VERSION=${version}`, `REVISION=${commit}`].flatMap(one => ['--build-arg', one])
  const command = ['build', ...args, '--tag', `pantry:${version}`, '.']
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status !== 0)
    return notRun(`no Docker engine answers here: \`docker ${command.join(' ')}\``)
  if (isDry) return notRun(`dry run: \`docker ${command.join(' ')}\``)
  run(packageFolder, 'docker', command)
  return done(`pantry:${version}`)
}
