import t from 'tap'
import { surfacesTouched } from '../../../bin/dev/touched.ts'

const imports = new Map([
  ['/a/surfaces/handlers/one.ts', ['/a/surfaces/words.ts', '/a/node_modules/left/index.js']],
  ['/a/surfaces/handlers/deep/two.tsx', ['/a/surfaces/more.ts']],
  ['/a/surfaces/more.ts', ['/a/surfaces/words.ts']],
  ['/a/surfaces/words.ts', []],
  ['/a/surfaces/services.ts', ['/a/surfaces/store.ts']],
  ['/a/surfaces/store.ts', []],
  ['/b/surfaces/handlers/three.js', []]
])

const touched = (...files: string[]): readonly string[] | undefined =>
  surfacesTouched(['/a', '/b'], [imports], files)?.toSorted()

t.test('a surface is touched by each file that its code is made of', async t => {
  t.strictSame(touched('/a/surfaces/handlers/one.ts'), ['one'])
  t.strictSame(touched('/a/surfaces/more.ts'), ['deep/two'])
  t.strictSame(touched('/a/surfaces/words.ts'), ['deep/two', 'one'])
  t.strictSame(touched('/a/surfaces/more.ts', '/b/surfaces/handlers/three.js'), ['deep/two', 'three'])
  t.strictSame(touched('/a/surfaces/notes.md'), [])
})

t.test('services may be in all surfaces', async t => {
  t.equal(touched('/a/surfaces/services.ts'), undefined)
  t.equal(touched('/a/surfaces/store.ts'), undefined)
})

t.test('what was imported before an edit counts too', async t => {
  t.strictSame(
    surfacesTouched(['/a'], [imports, new Map([['/a/surfaces/handlers/one.ts', []]])], ['/a/surfaces/words.ts']),
    ['one', 'deep/two']
  )
})
