import t from 'tap'
import { differencesOf } from '../../../bin/dev/examples.ts'

const answers = (...of: (readonly [string, ...string[]])[]): ReadonlyMap<string, readonly string[]> =>
  new Map(of.map(([request, ...lines]) => [request, lines]))

t.test('what differs is shown by its lines, and nothing else is', async t => {
  t.strictSame(
    differencesOf(
      answers(['GET /a', 'status 200', '{', '  "name": "Ada"', '}'], ['GET /b', 'status 200', 'same']),
      answers(['GET /a', 'status 200', '{', '  "name": "Grace"', '}'], ['GET /b', 'status 200', 'same'])
    ),
    ['2 examples asked, 1 answers differently', '  GET /a', '    - "name": "Ada"', '    + "name": "Grace"']
  )
  t.strictSame(differencesOf(answers(['GET /a', 'x']), answers(['GET /a', 'x'])), [
    '1 example asked, none answers differently'
  ])
})

t.test('an example that is new, or gone, is a difference', async t => {
  t.strictSame(differencesOf(answers(['GET /a', 'x']), answers(['GET /b', 'y'])), [
    '1 example asked, 2 answer differently',
    '  GET /a',
    '    - x',
    '  GET /b',
    '    + y'
  ])
})

t.test('long differences are cut, and say so', async t => {
  const many = Array.from({ length: 20 }, (_, at) => `line ${at}`)
  const lines = differencesOf(answers(['GET /a']), answers(['GET /a', ...many]))
  t.equal(lines.length, 2 + 12 + 1)
  t.equal(lines.at(-1), '    and 8 lines more')
  const requests = Array.from({ length: 7 }, (_, at): [string, string] => [`GET /${at}`, 'x'])
  t.equal(differencesOf(answers(), answers(...requests)).at(-1), '  and 2 examples more')
})
