import t from 'tap'
import { hasFewWays } from '../../../core/schema/few-ways-pattern.ts'

t.test('patterns of few ways, anchored or not', t => {
  for (const pattern of [
    '\\S',
    '\\.(gif|jpe?g)($|[?#])',
    'a|b',
    '^(?:[0-9]{1,6}|[A-Z*∞]{1,3}|[0-9]{0,3}[+-][0-9A-Z]{0,3})$',
    '^a?a?$',
    '^(a$|b)'
  ])
    t.ok(hasFewWays(pattern), pattern)
  t.end()
})

t.test('patterns without an end, or of too many ways', t => {
  for (const pattern of [
    'a+',
    '^a*$',
    'a{2,}',
    '(a*){0}',
    '^(?:a?){30}$',
    '^(?:[a-z]{1,10}){4}$',
    '(a|b){0,12}',
    '^a{9999}$',
    '(?!b)a',
    '^a|b',
    ''
  ])
    t.equal(hasFewWays(pattern), pattern === '', pattern)
  t.end()
})
