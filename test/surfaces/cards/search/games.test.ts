import t from 'tap'
import { SurfaceError } from '../../../../core/handler/errors.ts'
import { isSafePattern } from '../../../../core/schema/patterns.ts'
import { checkGame } from '../../../../surfaces/cards/games.ts'
import { normaliseSku } from '../../../../surfaces/cards/sku.ts'
import { registryOf } from '../../../support/registry.ts'
import { declaredSources } from '../../import/bundled-sources.ts'
import { declaredGames } from './declared-games.ts'

const games = declaredGames()

t.test('every game of every source is known', t => {
  const tokens = games.all.map(({ token }) => token)
  for (const { id, games: declared } of declaredSources().values())
    for (const token of declared) t.ok(tokens.includes(token), `${id}: ${token}`)
  t.end()
})

t.test('a name names one game', t => {
  const names = games.all.flatMap(({ token, slug, aliases }) => [...new Set([token, slug, ...aliases])])
  t.same(
    names.filter((name, at) => names.indexOf(name) !== at),
    []
  )
  for (const game of games.all)
    for (const name of [game.token, game.slug, ...game.aliases])
      t.equal(games.named(` ${name.toUpperCase()} `), game, name)
  t.end()
})

t.test('every curated game has a price guide, found by slug alone', async t => {
  const curated = [...((await registryOf()).registry.corpora.get('games')?.byKey.values() ?? [])].filter(
    ({ curated }) => curated === true
  )
  t.ok(curated.length >= 13)
  t.strictSame(games.guides, curated.map(({ slug }) => slug).sort())
  t.equal(games.guide('One-Piece')?.token, 'op')
  for (const name of ['op', 'altered', '']) t.equal(games.guide(name), undefined, name)
})

t.test('an unknown game is refused with all that are known', t => {
  const error = (() => {
    try {
      return games.named('chess')
    } catch (thrown) {
      return thrown
    }
  })()
  t.ok(error instanceof SurfaceError)
  t.match(error, { code: 'INVALID_INPUT', status: 400, details: { field: 'game' } })
  const allowed = (error as SurfaceError).details?.['allowed'] as string[]
  for (const { token, slug } of games.all) t.ok(allowed.includes(token) && allowed.includes(slug), token)
  t.end()
})

t.test('legacy prefixes are those that SKUs are normalised by', t => {
  for (const game of games.all as readonly ((typeof games.all)[number] & { legacy_prefixes: string[] })[]) {
    for (const prefix of game.legacy_prefixes)
      t.equal(normaliseSku(`${prefix}-xx01-001-en`), `${game.token}-xx01-001-en`, prefix)
  }
  t.end()
})

t.test('mistakes in a game are told with their place', t => {
  const problems = (...forms: object[]) =>
    checkGame({ printed_numbers: forms } as never, isSafePattern, () => undefined).map(
      ({ pointer, message }) => `${pointer.join('/')}: ${message}`
    )
  const form = (pattern: string, ...examples: string[]) => ({ form: 'plain', pattern, examples })
  t.same(problems(form('^(?<number>[0-9]+)$', '1')), [])
  t.match(problems(form('^(?<number>[0-9]+$', '1')), [/^printed_numbers\/0\/pattern: .*group/])
  t.same(problems(form('^[0-9]+$', '1')), ['printed_numbers/0/pattern: The pattern has no group `number`.'])
  t.same(problems(form('^(?<number>[0-9])(?<prize>[0-9])$', '1')), [
    'printed_numbers/0/pattern: Nothing reads the group `prize`.'
  ])
  t.same(problems(form('(?<number>[0-9]+)$', '1')), [
    'printed_numbers/0/pattern: The pattern does not cover the whole number.'
  ])
  t.match(problems(form('^(?<number>([0-9]+)+)$', '1')), [/^printed_numbers\/0\/pattern: The pattern can backtrack/])
  t.same(problems(form('^(?<number>[0-9]+)$', 'x')), ['printed_numbers/0/examples/0: No form reads the example `x`.'])
  t.same(problems(form('^(?<number>[0-9a-z]+)$', '1'), { ...form('^x(?<number>[0-9]+)$', 'x1'), form: 'narrow' }), [
    'printed_numbers/1/examples/0: The example `x1` is read by the form `plain`.'
  ])
  t.end()
})
