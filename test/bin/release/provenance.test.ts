import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { repeatableSbom } from '../../../bin/release/package.ts'
import { provenanceOf, releasedFiles } from '../../../bin/release/provenance.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

t.test('the statement names each file by its SHA-256, the commit and the lockfile', t => {
  const out = t.testdir({ 'pantry-1.0.0.tgz': 'a tarball', 'pantry-1.0.0.cdx.json': '{}' })
  mkdirSync(join(out, 'folder'))
  const files = releasedFiles(out)
  t.strictSame(files, [
    { name: 'pantry-1.0.0.cdx.json', sha256: hash('{}') },
    { name: 'pantry-1.0.0.tgz', sha256: hash('a tarball') }
  ])
  const commit = '0123456789abcdef0123456789abcdef01234567'
  t.match(
    provenanceOf({
      version: '1.0.0',
      commit,
      isChanged: true,
      lockFile: { name: 'package-lock.json', sha256: hash('lock') },
      files,
      started: new Date(0),
      finished: new Date(1000)
    }),
    {
      _type: 'https://in-toto.io/Statement/v1',
      subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          externalParameters: { version: '1.0.0' },
          resolvedDependencies: [
            { digest: { gitCommit: commit }, annotations: { uncommittedChanges: true } },
            { name: 'package-lock.json', digest: { sha256: hash('lock') } }
          ]
        },
        runDetails: {
          builder: { id: /unverified$/ },
          metadata: { startedOn: '1970-01-01T00:00:00.000Z', finishedOn: '1970-01-01T00:00:01.000Z' }
        }
      }
    }
  )
  t.end()
})

t.test('an SBOM of the same release is the same bytes', t => {
  const made = (serialNumber: string, timestamp: string): string =>
    JSON.stringify({ bomFormat: 'CycloneDX', serialNumber, metadata: { timestamp, tools: [] }, components: [] })
  const [first, second] = [made('urn:uuid:1', '2026-01-01T00:00:00Z'), made('urn:uuid:2', '2026-01-02T00:00:00Z')]
  const sbom = repeatableSbom(first, hash('a tarball'), '2026-01-03T00:00:00.000Z')
  t.equal(repeatableSbom(second, hash('a tarball'), '2026-01-03T00:00:00.000Z'), sbom)
  t.match(JSON.parse(sbom), {
    bomFormat: 'CycloneDX',
    serialNumber: /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    metadata: { timestamp: '2026-01-03T00:00:00.000Z', tools: [] }
  })
  t.not(repeatableSbom(first, hash('another tarball'), '2026-01-03T00:00:00.000Z'), sbom)
  t.end()
})
