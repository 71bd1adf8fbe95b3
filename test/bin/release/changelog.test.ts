import { readFileSync } from 'node:fs'
import t from 'tap'
import {
  changelogFile,
  changelogText,
  readChanges,
  versionsOf,
  type ChangelogEntry
} from '../../../bin/release/changelog.ts'
import { packageVersion } from '../../../bin/project.ts'

const change = (given: Partial<ChangelogEntry>): ChangelogEntry => ({
  date: '2026-01-02',
  kind: 'endpoint-modified',
  impact: 'additive',
  summary: 'A summary.',
  detail: 'A detail.',
  surface: '/a',
  ...given
})

t.test('CHANGELOG.md is what the corpus says', async t => {
  t.equal(readFileSync(changelogFile, 'utf8'), changelogText(await readChanges()), 'run `npm run changelog`')
})

t.test('the newest version of the changelog is the version of the package', async t => {
  t.equal(versionsOf(await readChanges())[0], packageVersion())
})

t.test('versions are ordered by number, not by text', t => {
  t.strictSame(
    versionsOf([change({ version: '0.9.0' }), change({}), change({ version: '0.10.0' }), change({ version: '0.9.1' })]),
    ['0.10.0', '0.9.1', '0.9.0', '0.1.0']
  )
  t.end()
})

t.test('a change is printed once, below the first heading that fits it', t => {
  const text = changelogText([
    change({ version: '0.2.0', summary: 'Gone.', kind: 'endpoint-added', impact: 'breaking' }),
    change({ version: '0.2.0', summary: 'New.', kind: 'endpoint-added' }),
    change({ version: '0.2.0', summary: 'Old.', date: '2026-03-04', kind: 'endpoint-deprecated' })
  ])
  t.match(
    text,
    /## 0\.2\.0 \(2026-03-04\)\n\n### Breaking\n\n- \*\*Gone\.\*\* A detail\. \(`\/a`\)\n\n### Deprecated\n\n- \*\*Old\.\*\*[^#]*### Added\n\n- \*\*New\.\*\*/
  )
  t.equal(text.split('Gone.').length, 2)
  t.end()
})
