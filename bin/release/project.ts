import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readRegistry } from '../read-registry.ts'
import { loadRoots, packageFolder } from '../roots.ts'
import type { Change } from './changelog.ts'

/** Entries of the project's changelog, newest first. The schema of the corpus has checked their form. */
export async function readChanges(): Promise<readonly Change[]> {
  const { registry } = readRegistry(await loadRoots([]))
  const corpus = registry?.corpora.get('changelog')
  if (corpus === undefined) throw new Error('The manifests have errors. Run `pantry validate`.')
  return corpus.entries as readonly Change[]
}

export const changelogFile = join(packageFolder, 'CHANGELOG.md')

/** Makes the tarball of a package's folder in `target`, and returns its path. */
export function makeTarball(folder: string, target: string): string {
  const out = resolve(target)
  mkdirSync(out, { recursive: true })
  return join(
    out,
    execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: folder, encoding: 'utf8' }).trim()
  )
}
