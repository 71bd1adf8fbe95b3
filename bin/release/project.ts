import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readRegistry } from '../read-registry.ts'
import { loadRoots, packageFolder } from '../roots.ts'
import type { ChangelogEntry } from './changelog.ts'

/**
 * Returns the entries of the project's changelog, newest first. They have been validated against the schema of the
 * corpus.
 */
export async function readChanges(): Promise<readonly ChangelogEntry[]> {
  const { registry } = readRegistry(await loadRoots([]))
  const corpus = registry?.corpora.get('changelog')
  if (corpus === undefined) throw new Error('The manifests have errors. Run `pantry validate`.')
  return corpus.entries as readonly ChangelogEntry[]
}

export const changelogFile = join(packageFolder, 'CHANGELOG.md')

/** Creates the tarball of a package folder in `target` and returns its path. */
export function makeTarball(folder: string, target: string): string {
  const out = resolve(target)
  mkdirSync(out, { recursive: true })
  return join(
    out,
    execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: folder, encoding: 'utf8' }).trim()
  )
}
