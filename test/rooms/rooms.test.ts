import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { readSource } from '../support/source-code.ts'
import { commentList, commentsOf, drawComments } from './comments.ts'
import { filesOf, startCoverage } from './coverage.ts'
import { figuresOf, textOf, type Figures } from './figures.ts'
import { filesOver, linesOf, tops } from './sizes.ts'

const tree = t.testdir({
  core: {
    'top.ts': "import { a } from './first/a.ts'\nexport const top = a\n",
    first: {
      'a.ts': "import { b } from './b.ts'\nimport type { C } from '../second/c.ts'\nexport const a: C = b\n",
      'b.ts': `export const b = '${'x'.repeat(300)}'\n`,
      'notes.md': 'no code'
    },
    second: {
      'c.ts': "export type C = string\nexport const later = async () => await import('./deep/d.ts')\n",
      deep: { 'd.ts': "export { later } from '../c.ts'\n" },
      node_modules: { 'installed.ts': '' }
    }
  },
  surfaces: { near: { 'e.tsx': "import { door } from 'pantry/door'\nexport const e = door\n" } },
  bin: { door: { 'door.ts': "export type { e } from '../../surfaces/near/e.tsx'\nexport const door = 1\n" } }
})
const files = readSource(tree, tops)
const now = (figures: Figures, what: string): number | undefined =>
  figures.totals.find(total => total.what === what)?.now

t.test('lines count by their width', async t => {
  t.equal(linesOf('a\nb\n'), 2)
  t.equal(linesOf('a\n\nb'), 3)
  t.equal(linesOf('x'.repeat(120)), 1)
  t.equal(linesOf(`${'x'.repeat(121)}\ny\n`), 3)
})

t.test('each folder is counted whole, then those directly below it', async t => {
  const { rooms } = figuresOf(files)
  t.strictSame(
    rooms.map(({ room, files }) => [room, files]),
    [
      ['core', 5],
      ['core/first', 2],
      ['core/second', 2],
      ['surfaces', 1],
      ['surfaces/near', 1],
      ['bin', 1],
      ['bin/door', 1]
    ]
  )
  t.equal(rooms.find(({ room }) => room === 'core/first')?.lines, 3 + 3)
  t.equal(now(figuresOf(files), 'lines of core'), 2 + 3 + 3 + 2 + 1)
  t.equal(
    now(figuresOf(files), 'bytes of source'),
    files.reduce((sum, { text }) => sum + text.length, 0)
  )
})

t.test('circles are those of files and those of folders, with types and without', async t => {
  const { circles, circlesOfTypes } = figuresOf(files)
  t.strictSame(circles.files, [['core/second/c.ts', 'core/second/deep/d.ts']])
  t.strictSame(circles.folders, [])
  t.strictSame(circlesOfTypes.files, [
    ['bin/door/door.ts', 'surfaces/near/e.tsx'],
    ['core/second/c.ts', 'core/second/deep/d.ts']
  ])
  t.strictSame(circlesOfTypes.folders, [['bin/door', 'surfaces/near']])
  const backwards = { file: 'core/second/back.ts', text: '', imports: [{ name: '../first/a.ts', isType: false }] }
  const more = figuresOf([...files, backwards])
  t.strictSame(more.circles.folders, [])
  t.strictSame(more.circlesOfTypes.folders, [
    ['bin/door', 'surfaces/near'],
    ['core/first', 'core/second']
  ])
})

t.test('the text says what is too large, and names large files', async t => {
  const large = { file: 'bin/large.ts', text: 'x\n'.repeat(20_481), imports: [] }
  t.strictSame(filesOver([large, ...files], 20), [{ file: 'bin/large.ts', bytes: 40_962 }])
  const text = textOf(figuresOf([large, ...files]))
  t.match(text, /^lines of bin +20483 +3700 +no$/m)
  t.match(text, /^lines of core +11 +15000 +yes$/m)
  t.match(text, /^files over 40 KB +1$/m)
  t.match(text, 'over 20 KB: bin/large.ts, 40962 bytes')
})

const commented = `// One,
// two.
const text = '// none' /* three */
/**
 * Four.
 */
const view = (
  <p>
    // none either
    {text /* five */}
  </p>
)
// Six, apart.

// Seven.
`

t.test('comments are whole, and nothing else is one', async t => {
  t.strictSame(
    commentsOf({ file: 'core/x.tsx', text: commented }).map(({ line, text }) => [line, text]),
    [
      [1, '// One,\n// two.'],
      [3, '/* three */'],
      [4, '/**\n * Four.\n */'],
      [10, '/* five */'],
      [13, '// Six, apart.'],
      [15, '// Seven.']
    ]
  )
})

t.test('a seed draws the same comments, half of them from core', async t => {
  const many = (file: string) => ({
    file,
    text: Array.from({ length: 50 }, (_, at) => `/** ${at} */\nconst a${at} = 1\n`).join(''),
    imports: []
  })
  const source = ['core/x.ts', 'bin/y.ts'].map(many)
  const drawn = drawComments(source, 9, 7)
  t.equal(new Set(drawn.map(({ file, line }) => `${file}:${line}`)).size, 9)
  t.equal(drawn.filter(({ file }) => file.startsWith('core/')).length, 5)
  t.strictSame(drawComments(source, 9, 7), drawn)
  t.notSame(drawComments(source, 9, 8), drawn)
  const [first] = drawn
  t.match(commentList(drawn, 7), `# 9 comments, drawn by the seed 7\n\n1. \`${first?.file ?? ''}:${first?.line ?? 0}\``)
})

t.test('a walk lists the files whose functions ran, and not what was only loaded or ran by chance', async t => {
  const project = t.testdir({
    core: { 'called.ts': '', 'loaded.ts': '', 'view.tsx': '', 'now-and-then.ts': '' },
    made: {
      'package.json': '{ "type": "module" }',
      core: {
        'called.js': "import './loaded.js'\nexport const call = () => 1\n",
        'loaded.js': 'export const never = () => 1\n',
        'view.js': 'export class View { show() { return 1 } }\n',
        'now-and-then.js': 'export const tick = () => 1\n',
        'without-source.js': 'export const call = () => 1\n'
      }
    }
  })
  const load = async (name: string) =>
    (await import(pathToFileURL(join(project, 'made/core', `${name}.js`)).href)) as Record<string, () => unknown> & {
      View: new () => { show: () => unknown }
    }
  const coverage = await startCoverage(join(project, 'made'), project)
  t.teardown(coverage.stop)
  const [{ call }, { View }, { tick }, other] = [
    await load('called'),
    await load('view'),
    await load('now-and-then'),
    await load('without-source')
  ]
  const request = async (): Promise<void> => {
    call?.()
    other['call']?.()
    new View().show()
  }
  const busy = async (): Promise<void> => {
    await request()
    tick?.()
  }
  t.strictSame(await filesOf(coverage, [request]), ['core/called.ts', 'core/view.tsx'])
  t.strictSame(await filesOf(coverage, [busy]), ['core/called.ts', 'core/now-and-then.ts', 'core/view.tsx'])
  t.strictSame(await filesOf(coverage, [busy, request, busy]), ['core/called.ts', 'core/view.tsx'])
})
