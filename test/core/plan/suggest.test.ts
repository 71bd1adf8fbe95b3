import fc from 'fast-check'
import t from 'tap'
import { compileNearestPaths, compilePathsByWord } from '../../../core/plan/suggest.ts'
import { readFolder } from '../../../core/source/read-folder.ts'
import { exhaustiveNearestPaths } from './exhaustive-nearest-paths.ts'

const nearestPaths = (path: string, declared: readonly string[]): string[] => compileNearestPaths(declared)(path)

const declared = [
  '/api/v1/',
  '/api/v1/cards/{sku}/evidence',
  '/api/v1/cards/{sku}/history',
  '/api/v1/changelog',
  '/api/v1/health',
  '/api/v1/koan',
  '/api/v1/status',
  '/api/v1/time',
  '/api/v1/universal/card/{sku}',
  '/api/v1/universal/games',
  '/api/v1/wake',
  '/api/v1/welcome',
  '/api/v1/welcomes'
]

t.test('names what was probably meant, nearest first', t => {
  t.same(nearestPaths('/api/v1/chnagelog', declared), ['/api/v1/changelog'])
  t.same(nearestPaths('/api/v1/welcom', declared), ['/api/v1/welcome', '/api/v1/welcomes'])
  t.same(nearestPaths('/api/v1/universal/cards/op-op01-001-en', declared), ['/api/v1/universal/card/{sku}'])
  t.same(nearestPaths('/api/v1/card/X-1/histroy', declared), ['/api/v1/cards/{sku}/history'])
  t.same(nearestPaths('/api/v2/time', declared), ['/api/v1/time'])
  t.end()
})

t.test('letter case and a slash at the end do not count', t => {
  t.same(nearestPaths('/API/V1/Time', declared), ['/api/v1/time'])
  t.same(nearestPaths('/api/v1/time/', declared), ['/api/v1/time'])
  t.same(nearestPaths('/api/v1', declared), ['/api/v1/'])
  t.end()
})

t.test('a segment that was left out is found: a folder before a word, or the placeholder at the end', t => {
  t.same(nearestPaths('/api/v1/games', declared), ['/api/v1/universal/games'])
  t.same(nearestPaths('/api/v1/card/op-op01-001-en', declared), ['/api/v1/universal/card/{sku}'])
  t.same(nearestPaths('/api/v1/universal/card/', declared), ['/api/v1/universal/card/{sku}'])
  t.same(nearestPaths('/v1/time', declared), ['/api/v1/time'])
  t.same(nearestPaths('/anything', ['/kinds/{kind}']), [], 'what a placeholder alone would take is not a suggestion')
  t.end()
})

t.test('gives no suggestion rather than a distant one', t => {
  for (const path of [
    '/',
    '/api/v1/zebra',
    '/api/v1/k',
    '/wp-admin/setup.php',
    '/api/v1/time/more',
    '/qqq/v1/time',
    '*',
    '',
    '/%ff'
  ]) {
    t.same(nearestPaths(path, declared), [], path)
  }
  t.end()
})

t.test('at most three answers, among however many declared paths', t => {
  const many = Array.from({ length: 500 }, (_, index) => `/list/entry-${String(index).padStart(3, '0')}`)
  t.equal(nearestPaths('/list/entry-00', many).length, 3)
  t.equal(nearestPaths('/list/entry-399', many)[0], '/list/entry-399')
  t.equal(nearestPaths('/list/entry-400', many)[0], '/list/entry-400')
  t.same(nearestPaths(`/list/entry-001${'/'.repeat(100_000)}`, many), [])
  t.end()
})

t.test('one letter left out, doubled or changed in a long word is found', t => {
  const word = fc.stringMatching(/^[a-z]{6,20}$/)
  fc.assert(
    fc.property(word, fc.nat(), fc.constantFrom('out', 'doubled', 'changed'), (name, number, how) => {
      const at = number % name.length
      const middle = { out: '', doubled: name.charAt(at).repeat(2), changed: '0' }[how]
      const misspelt = `${name.slice(0, at)}${middle}${name.slice(at + 1)}`
      return nearestPaths(`/a/${misspelt}/x`, ['/b/other/x', `/a/${name}/{id}`])[0] === `/a/${name}/{id}`
    }),
    { numRuns: 1000 }
  )
  t.end()
})

t.test('the index finds what a look at every declared path finds', t => {
  const paths = ['manifests', 'core/standard/manifests']
    .flatMap(folder => readFolder('.', folder).files)
    .flatMap(({ bytes }) => /^path: (\S+)$/m.exec(new TextDecoder().decode(bytes))?.[1] ?? [])
  t.ok(paths.length > 100)
  const nearest = compileNearestPaths(paths)
  const segment = fc.oneof(
    fc.constantFrom(...new Set(paths.flatMap(path => path.split('/')))),
    fc.stringMatching(/^[a-zA-Z0-9_.{}-]{0,12}$/)
  )
  const misspelt = fc
    .tuple(
      fc.constantFrom(...paths),
      fc.array(fc.tuple(fc.nat({ max: 60 }), fc.constantFrom('', 'x', '/', 'ee', 'A')), { maxLength: 5 })
    )
    .map(([path, changes]) =>
      changes.reduce(
        (text, [at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1),
        path
      )
    )
  const anything = fc.array(segment, { maxLength: 7 }).map(segments => `/${segments.join('/')}`)
  fc.assert(
    fc.property(fc.oneof(misspelt, anything, fc.constantFrom(...paths)), path => {
      return nearest(path).join() === exhaustiveNearestPaths(path, paths).join()
    }),
    { numRuns: 3000 }
  )
  t.end()
})

const byWord = compilePathsByWord([
  '/api/guides',
  '/api/guides/{slug}',
  '/api/dear-agents',
  '/api/time',
  '/api/agents/notes',
  '/api/agent-guide-notes',
  '/'
])

t.test('a last segment that shares a word leads to its neighbours, those with the most words first', t => {
  t.same(byWord('/api/agent-guide'), ['/api/agent-guide-notes', '/api/guides', '/api/dear-agents'])
  t.same(byWord('/API/Guide_Book/'), ['/api/guides', '/api/agent-guide-notes'])
  t.end()
})

t.test('what shares no word, or stands elsewhere, is not suggested', t => {
  for (const path of [
    '/api/zebra',
    '/other/guides',
    '/api/guides/x',
    '/',
    '',
    '/api/{slug}',
    `/api/${'guide-'.repeat(10_000)}`.slice(0, 9)
  ])
    t.same(byWord(path), [], path.slice(0, 40))
  t.end()
})
