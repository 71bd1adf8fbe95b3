import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../roots.ts'
import { benchRecordFile, staleRecord } from './bench-record.ts'
import { changelogFile, changelogText, readChanges, versionsOf } from './changelog.ts'
import { packageVersion } from '../project.ts'
import { run, sbomOf } from './package.ts'

const help = `Usage: npm run release [-- --dry-run]

Makes one release from the checked-out commit: tarball, its SBOM (CycloneDX), container image and tag, in that order.
Files go to dist/release/. The tag comes last, so a failed release leaves none. Nothing is pushed.

  --dry-run   makes everything except the tag, and does not ask for a clean tree
`

/** Thrown before anything is built, if a release cannot be made. */
class NotReady extends Error {}

const dryRun = process.argv.includes('--dry-run')
const out = join(packageFolder, 'dist', 'release')
const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

async function checkReady(version: string): Promise<void> {
  const changes = await readChanges()
  if (versionsOf(changes)[0] !== version)
    throw new NotReady(
      `package.json says ${version}, but the newest version in corpora/changelog is ${versionsOf(changes)[0] ?? 'none'}.`
    )
  if (readFileSync(changelogFile, 'utf8') !== changelogText(changes))
    throw new NotReady('CHANGELOG.md is not up to date. Run `npm run changelog`.')
  const stale = staleRecord(JSON.parse(readFileSync(benchRecordFile, 'utf8')) as Parameters<typeof staleRecord>[0])
  if (stale !== undefined && dryRun) say(`a release would be refused: ${stale}`)
  if (dryRun) return
  if (stale !== undefined) throw new NotReady(stale)
  if (run(packageFolder, 'git', ['status', '--porcelain']) !== '') throw new NotReady('There are uncommitted changes.')
  if (run(packageFolder, 'git', ['tag', '--list', `v${version}`]) !== '')
    throw new NotReady(`The tag v${version} exists already.`)
}

/** Builds the container image; `false` if no Docker engine runs. */
function makeImage(version: string): boolean {
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status !== 0) return false
  run(packageFolder, 'docker', ['build', '--tag', `pantry:${version}`, '.'])
  return true
}

async function release(): Promise<void> {
  const version = packageVersion()
  await checkReady(version)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  run(packageFolder, 'npm', ['run', '--silent', 'pack', '--', out])
  const sbom = `pantry-${version}.cdx.json`
  writeFileSync(
    join(out, sbom),
    sbomOf({
      name: 'pantry',
      packageFile: join(packageFolder, 'dist', 'package', 'package.json'),
      lockFile: join(packageFolder, 'package-lock.json')
    })
  )
  for (const file of readdirSync(out).sort())
    say(
      `${createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex')}  ${file}`
    )
  say(
    makeImage(version)
      ? `image pantry:${version}`
      : 'no image: no Docker engine answers here. Build it with `docker build --tag pantry:' + version + ' .`'
  )
  if (dryRun) say('dry run: no tag')
  else {
    run(packageFolder, 'git', ['tag', '--annotate', `v${version}`, '--message', `Pantry ${version}`])
    say(`tag v${version}: push it with \`git push origin v${version}\``)
  }
}

if (process.argv.includes('--help')) say(help)
else {
  try {
    if (!existsSync(join(packageFolder, '.git')) && !dryRun)
      throw new NotReady('A release is made from a git checkout.')
    await release()
  } catch (error) {
    if (!(error instanceof NotReady)) throw error
    process.stderr.write(`error: ${error.message}\n`)
    process.exitCode = 1
  }
}
