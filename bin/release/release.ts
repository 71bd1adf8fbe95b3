import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf, print, printAs } from '../io.ts'
import { packageFolder, packageVersion } from '../project.ts'
import { tableOf } from '../table.ts'
import { benchRecordFile, staleRecord } from './bench-record.ts'
import { changelogFile, changelogText, readChanges } from './changelog.ts'
import { makeClient, makeImage, sameBytes } from './make.ts'
import { repeatableSbom, run, sbomOf } from './package.ts'
import { provenanceOf, releasedFiles, sha256Of } from './provenance.ts'
import { doSteps, done, exitCodeOf, isReady, notRun, unless, type ReleaseStep } from './steps.ts'
import { notNew, overdue, wrongVersion } from './version.ts'

const help = `Usage: npm run release [-- --dry-run] [-- --json]

Makes one release of the commit that is checked out: tarballs, SBOM, clients, image, checksums, provenance and, last,
the tag. Files go to dist/release/. Nothing is published or pushed: the table names the steps that run elsewhere.

  --dry-run   does everything but the tag and the image, and goes on after a step that a release would end with
  --json      prints the table as JSON
  --help      prints this help

Exit codes: 0 fine; 1 something is wrong, or no release was made; 2 wrong usage.
`

const out = join(packageFolder, 'dist', 'release')
const lockFile = join(packageFolder, 'package-lock.json')
const git = (...args: readonly string[]): string => run(packageFolder, 'git', args).trim()

const staleBench = (): string | undefined =>
  staleRecord(JSON.parse(readFileSync(benchRecordFile, 'utf8')) as Parameters<typeof staleRecord>[0])

/** Makes the tarballs of the framework and of `npm create pantry` from a checkout. */
const makeTarballs = (checkout: string, folder: string): void => {
  run(checkout, 'npm', ['run', '--silent', 'pack', '--', folder])
}

const isChanged = (): boolean => git('status', '--porcelain') !== ''

/** What is wrong with the changelog: it has another version than the package, or `CHANGELOG.md` is an older one. */
async function wrongChangelog(version: string): Promise<string | undefined> {
  const changes = await readChanges()
  const locked = JSON.parse(readFileSync(lockFile, 'utf8')) as Readonly<{ version: string }>
  if (readFileSync(changelogFile, 'utf8') !== changelogText(changes))
    return 'CHANGELOG.md is not up to date. Run `npm run changelog`.'
  return wrongVersion(version, changes, locked.version)
}

/** The steps that are done or refused here, in their order. */
function stepsHere(version: string, commit: string, isDry: boolean): readonly ReleaseStep[] {
  const tarball = join(out, `pantry-${version}.tgz`)
  const started = new Date()
  return [
    {
      step: 'clean tree',
      work: () => unless('refused', isChanged() ? 'There are uncommitted changes.' : undefined, commit)
    },
    {
      step: 'new version',
      work: () => unless('refused', notNew(version, git('tag', '--list').split('\n')), `no tag is v${version} or newer`)
    },
    { step: 'changelog', work: async () => unless('failed', await wrongChangelog(version), `says ${version}`) },
    { step: 'deprecations', work: () => unless('failed', overdue(version), 'none should have ended') },
    { step: 'bench record', work: () => unless('refused', staleBench(), 'is of this code') },
    {
      step: 'tarballs',
      work: () => {
        rmSync(out, { recursive: true, force: true })
        mkdirSync(out, { recursive: true })
        makeTarballs(packageFolder, out)
        return done(
          releasedFiles(out)
            .map(({ name }) => name)
            .join(', ')
        )
      }
    },
    {
      step: 'same bytes',
      work: () =>
        unless(
          isChanged() ? 'refused' : 'failed',
          sameBytes(commit, releasedFiles(out), makeTarballs),
          'a copy of the commit in another folder makes the same tarballs'
        )
    },
    {
      step: 'SBOM',
      work: () => {
        const packageFile = join(packageFolder, 'dist', 'package', 'package.json')
        const sbom = sbomOf({ name: 'pantry', packageFile, lockFile })
        const name = `pantry-${version}.cdx.json`
        const date = new Date(git('show', '--no-patch', '--format=%cI', commit)).toISOString()
        writeFileSync(join(out, name), repeatableSbom(sbom, sha256Of(tarball), date))
        return done(`${name} (CycloneDX)`)
      }
    },
    { step: 'client for npm', work: () => makeClient(out, 'npm') },
    { step: 'client for PyPI', work: () => makeClient(out, 'PyPI') },
    { step: 'image', work: () => makeImage(version, commit, isDry) },
    {
      step: 'provenance',
      work: () => {
        const name = `pantry-${version}.provenance.json`
        const lock = { name: 'package-lock.json', sha256: sha256Of(lockFile) }
        const files = releasedFiles(out)
        const built = { version, commit, isChanged: isChanged(), lockFile: lock, files, started, finished: new Date() }
        writeFileSync(join(out, name), `${JSON.stringify(provenanceOf(built), null, 2)}\n`)
        return done(`${name} (SLSA v1 in an in-toto statement, not signed)`)
      }
    },
    {
      step: 'checksums',
      work: () => {
        const lines = releasedFiles(out).map(({ name, sha256 }) => `${sha256}  ${name}\n`)
        writeFileSync(join(out, 'SHA256SUMS'), lines.join(''))
        return done('SHA256SUMS')
      }
    },
    {
      step: 'tag',
      work: () => {
        if (isDry) return notRun('dry run')
        git('tag', '--annotate', `v${version}`, '--message', `Pantry ${version}`)
        return done(`v${version}`)
      }
    }
  ]
}

/** The steps that need an account, a key or a build server. */
const stepsElsewhere = (version: string): readonly ReleaseStep[] =>
  Object.entries({
    'push of the tag': `\`git push origin v${version}\`, by who may`,
    'signed provenance': `\`npm publish --provenance dist/release/pantry-${version}.tgz\`, in a build server that npm trusts (OpenID Connect)`,
    'npm registry': `\`npm publish\` of each .tgz of dist/release/, with an account`,
    PyPI: '`python3 -m twine upload` of what `python3 -m build` makes of the client, with an account',
    'image registry': `\`docker push\` of pantry:${version}, with an account`
  }).map(([step, detail]) => ({ step, work: () => notRun(detail) }))

async function release(isDry: boolean, format: string): Promise<0 | 1> {
  const version = packageVersion()
  const commit = git('rev-parse', 'HEAD')
  const steps = [...stepsHere(version, commit, isDry), ...stepsElsewhere(version)]
  const ended = await doSteps(steps, isDry, step => {
    print(process.stderr, `${step} ...`)
  })
  const summary = { version, commit, dryRun: isDry, ready: isReady(ended), steps: ended }
  printAs(process.stdout, format, { ...summary, files: releasedFiles(out) }, () => {
    const verdict = summary.ready ? 'ready' : 'not ready: see "refused" and "failed"'
    return `${tableOf(['step', 'ending', 'detail'], ended)}\n\n${version} is ${verdict}. Files are in dist/release/.`
  })
  return exitCodeOf(ended, isDry)
}

try {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean' } }
  })
  if (values.help) print(process.stdout, help)
  else process.exitCode = await release(values['dry-run'] ?? false, values.json ? 'json' : 'text')
} catch (error) {
  print(process.stderr, `error: ${messageOf(error)}`)
  process.exitCode = 2
}
