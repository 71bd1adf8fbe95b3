import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { libraryIn, pantry } from '../support/command-line.ts'

t.test('a service without mistakes keeps every promise', async t => {
  const { code, stdout, stderr } = await pantry(['test', '--root', libraryIn(join(t.testdir(), 'library'))])
  t.notMatch(stdout, /broken/)
  t.match(stderr, /6 promises kept, 0 broken/)
  t.equal(code, 0)
})

t.test('an example that is not answered as it says is named, with what was answered', async t => {
  const root = libraryIn(join(t.testdir(), 'library'))
  const file = join(root, 'manifests', 'books.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('/data/returned: 2', '/data/returned: 3'))
  const { code, stdout } = await pantry(['test', '--root', root])
  t.equal(code, 1)
  t.match(stdout, /broken {2}Every example[^]*books: "Novels only"[^\n]*shows 2 at \/data\/returned instead of 3/)
})

t.test('mistakes of the manifests come instead', async t => {
  const root = libraryIn(join(t.testdir(), 'library'))
  writeFileSync(join(root, 'manifests', 'books.yaml'), 'kind: nothing\n')
  t.match(await pantry(['test', '--root', root]), { code: 1, stdout: '', stderr: /The manifests have errors:[^]*M201/ })
})
