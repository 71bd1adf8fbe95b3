import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readableCorpus, requireCorpus, showProblems } from '../../bin/read-registry.ts'
import { capture } from '../support/command-line.ts'
import { scratchFolder } from '../support/scratch.ts'

/** A root with one corpus of two words, or with another text for one of its files. */
function rootWith(t: Test, changed: Readonly<Record<string, string>> = {}): string {
  const root = scratchFolder(t)
  const folder = join(root, 'corpora', 'words')
  mkdirSync(join(folder, 'entries'), { recursive: true })
  mkdirSync(join(root, 'manifests'))
  const files = {
    'corpus.yaml': 'title: Words\nkey: id\norder: [id]\nlicense: CC0-1.0\nsource: self\n',
    'schema.yaml':
      'type: object\nadditionalProperties: false\nrequired: [id, word]\nproperties:\n  id: { type: string }\n  word: { type: string }\n',
    'entries/a.yaml': 'id: a\nword: apple\n',
    'entries/b.yaml': 'id: b\nword: pear\n',
    ...changed
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return root
}

t.test('entries without mistakes are read beside others, which are shown', async t => {
  const root = rootWith(t, { 'entries/b.yaml': 'id: b\nwrod: pear\n' })
  const { io, stderr } = capture()
  t.match(await readableCorpus([root], 'words', io), { entries: [{ id: 'a' }], broken: ['b'] })
  t.match(stderr(), /b\.yaml:2:1: error[^]*wrod/)
  await t.rejects(requireCorpus([root], 'words', capture().io), { message: /has errors/ })
})

t.test('a corpus that is wrong itself is none', async t => {
  await t.rejects(readableCorpus([rootWith(t, { 'schema.yaml': 'type: 1\n' })], 'words', capture().io), {
    message: /has errors/
  })
})

t.test('problems of entries are shown at their places', async t => {
  const { io, stderr } = capture()
  await showProblems(
    [rootWith(t)],
    'words',
    ({ id }) => (id === 'b' ? [{ pointer: ['word'], message: 'This is odd.' }] : []),
    io
  )
  t.match(stderr(), /b\.yaml:2:7: error\[C208\]: This is odd\.\n[^]*word: pear/)
  t.notMatch(stderr(), /a\.yaml/)
})
