import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of a release with its SHA-256 in hexadecimal digits. */
export type ReleasedFile = Readonly<{ name: string; sha256: string }>

export const sha256Of = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Returns the files of a folder by name, without folders. */
export const releasedFiles = (folder: string): readonly ReleasedFile[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => ({ name, sha256: sha256Of(join(folder, name)) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

export type Built = Readonly<{
  version: string
  commit: string
  /** Whether the checkout had changes that the commit does not have. */
  isChanged: boolean
  lockFile: ReleasedFile
  files: readonly ReleasedFile[]
  started: Date
  finished: Date
}>

/**
 * Returns an in-toto statement with the SLSA v1 predicate: which commit and lockfile the files were made of. It is not
 * signed, and its builder is whoever ran the command, so it proves nothing to a stranger (SLSA build level 1 at most).
 */
export const provenanceOf = ({ version, commit, isChanged, lockFile, files, started, finished }: Built): object => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'urn:x-pantry:build:npm-run-release',
      externalParameters: { version },
      internalParameters: { node: process.version, platform: process.platform, architecture: process.arch },
      resolvedDependencies: [
        { name: 'source', digest: { gitCommit: commit }, annotations: { uncommittedChanges: isChanged } },
        { name: lockFile.name, digest: { sha256: lockFile.sha256 } }
      ]
    },
    runDetails: {
      builder: { id: 'urn:x-pantry:builder:unverified' },
      metadata: { startedOn: started.toISOString(), finishedOn: finished.toISOString() }
    }
  }
})
