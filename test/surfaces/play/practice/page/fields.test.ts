import t from 'tap'
import { toBody } from '../../../../../surfaces/play/practice/page/play.tsx'

t.test('a new match is asked for with what was filled in', t => {
  t.same(
    toBody({
      op: 'new',
      starter_id: 'st-01-red-luffy',
      opponent_starter_id: '',
      level: 'easy',
      goes_first: 'toss',
      seed: ''
    }),
    { op: 'new', starter_id: 'st-01-red-luffy', level: 'easy', goes_first: 'toss' }
  )
  t.same(
    toBody({ op: 'new', seed: 'harbour', game: 'abc' }),
    { op: 'new', seed: 'harbour' },
    'a match that ended is left behind'
  )
  t.end()
})

t.test('a move is the JSON of its button, with the match as it was sealed', t => {
  t.same(
    toBody({
      op: 'move',
      game: 'abc',
      move: '{"type":"attack","attacker":"p1_leader","target":"p2_leader"}',
      level: 'easy'
    }),
    { op: 'move', game: { sealed: 'abc' }, move: { type: 'attack', attacker: 'p1_leader', target: 'p2_leader' } }
  )
  t.same(
    toBody({ op: 'move', game: 'abc', move: '{"type":' }),
    { op: 'move', game: { sealed: 'abc' }, move: '{"type":' },
    'the referee refuses what is no move'
  )
  t.end()
})

t.test('a text that was pasted may have line breaks', t => {
  t.same(toBody({ op: 'look', game: ' ab\r\n c\n' }), { op: 'look', game: { sealed: 'abc' } })
  t.same(toBody({ op: 'look' }), { op: 'look' })
  t.same(toBody({}), { op: '' })
  t.end()
})
