import t from 'tap'
import type { ChangelogEntry } from '../../../bin/release/changelog.ts'
import { notNew, overdue, wrongVersion } from '../../../bin/release/version.ts'

const change = (version: string, impact: string): ChangelogEntry => ({
  version,
  impact,
  date: '2026-01-02',
  kind: 'endpoint-modified',
  summary: `${version} is ${impact}.`,
  detail: 'A detail.',
  surface: '/a'
})

t.test('a version is that of the changelog and of the lockfile', t => {
  const changes = [change('0.2.0', 'additive'), change('0.1.0', 'additive')]
  t.equal(wrongVersion('0.2.0', changes, '0.2.0'), undefined)
  t.match(wrongVersion('0.3.0', changes, '0.3.0'), 'the newest version in corpora/changelog is 0.2.0')
  t.match(wrongVersion('0.2.0', changes, '0.1.0'), 'package-lock.json says 0.1.0')
  t.match(wrongVersion('0.2', changes, '0.2'), 'not a version')
  t.end()
})

t.test('only the version that may break has breaking changes', t => {
  const between = (version: string, before: string, impact = 'breaking'): string | undefined =>
    wrongVersion(version, [change(version, impact), change(before, 'additive')], version)
  t.equal(between('0.3.0', '0.2.4'), undefined, 'a minor version, while the major one is 0')
  t.match(
    between('0.2.5', '0.2.4'),
    '0.2.5 may not break what 0.2.4 promised, but a change is breaking: 0.2.5 is breaking.'
  )
  t.equal(between('0.2.5', '0.2.4', 'additive'), undefined)
  t.match(between('1.3.0', '1.2.0'), 'may not break')
  t.equal(between('2.0.0', '1.2.0'), undefined)
  t.equal(between('1.0.0', '0.9.0'), undefined)
  t.end()
})

t.test('a version is new: it is greater than that of every tag', t => {
  t.equal(notNew('0.10.0', ['v0.9.0', 'v0.2.0', 'draft', '']), undefined)
  t.match(notNew('0.9.0', ['v0.9.0']), 'The tag v0.9.0 exists already.')
  t.match(notNew('0.9.0', ['v0.8.0', 'v0.10.0']), 'The tag v0.10.0 is of a newer version than 0.9.0.')
  t.end()
})

t.test('a release is refused that should have ended what is deprecated', t => {
  const ends = { H114: '0.3.0' }
  t.equal(overdue('0.2.9', ends), undefined)
  t.match(overdue('0.3.0', ends), 'What H114 warns of ends with 0.3.0')
  t.match(overdue('0.10.0', ends), 'H114')
  t.end()
})
