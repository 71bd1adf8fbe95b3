import t from 'tap'
import { surfacesTouched } from '../../../bin/dev/dev.ts'
import type { Touched } from '../../../bin/dev/relay.ts'

const imports = new Map([
  ['/a/surfaces/handlers/one.ts', ['/a/surfaces/words.ts', '/a/node_modules/left/index.js']],
  ['/a/surfaces/handlers/deep/two.tsx', ['/a/surfaces/more.ts']],
  ['/a/surfaces/more.ts', ['/a/surfaces/words.ts']],
  ['/a/surfaces/words.ts', []],
  ['/a/surfaces/services.ts', ['/a/surfaces/store.ts']],
  ['/a/surfaces/store.ts', []],
  ['/b/surfaces/handlers/three.js', []]
])

const sorted = (found: Touched): Touched => (typeof found === 'string' ? found : [...found].sort())
const touched = (...files: string[]): Touched => sorted(surfacesTouched(['/a', '/b'], imports, imports, files))

t.test('a surface is touched by each file that its code is made of', async t => {
  t.strictSame(touched('/a/surfaces/handlers/one.ts'), ['one'])
  t.strictSame(touched('/a/surfaces/more.ts'), ['deep/two'])
  t.strictSame(touched('/a/surfaces/words.ts'), ['deep/two', 'one'])
  t.strictSame(touched('/a/surfaces/more.ts', '/b/surfaces/handlers/three.js'), ['deep/two', 'three'])
  t.strictSame(touched('/a/surfaces/notes.md'), [])
})

t.test('services may be in all surfaces', async t => {
  t.equal(touched('/a/surfaces/services.ts'), 'coded')
  t.equal(touched('/a/surfaces/store.ts'), 'coded')
  t.equal(touched('/b/migrations/0001_trees.js'), 'coded')
})

t.test('what was imported before an edit counts too', async t => {
  const after = new Map([...imports, ['/a/surfaces/handlers/one.ts', []]])
  t.strictSame(sorted(surfacesTouched(['/a'], imports, after, ['/a/surfaces/words.ts'])), ['deep/two', 'one'])
  const moved = new Map([...imports].filter(([file]) => file !== '/b/surfaces/handlers/three.js'))
  t.strictSame(sorted(surfacesTouched(['/a', '/b'], imports, moved, ['/b/surfaces/handlers'])), ['three'])
})
