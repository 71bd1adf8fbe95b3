import t from 'tap'
import { compilePathsByWord } from '../../../core/plan/paths-by-word.ts'

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
