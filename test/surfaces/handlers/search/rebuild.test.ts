// test: slow. Some 1,600 requests.
/**
 * Tries to rebuild a game without a name of its sets or cards, as an anonymous client would in half an hour at the pace
 * that is asked for (60 requests a minute): by random cards and suggestions; by queries for letters, pairs of them,
 * beginnings and the commonest words of English, numbers, words of sets and attributes; and by these joined, denied and
 * sorted, with every page. `docs/decisions/2026-11-30-what-selects-cards.md` has the figures.
 */
import t from 'tap'
import { bundledDatabase } from '../../../support/bundled.ts'
import { generationOf, serveGeneration } from '../../../support/serve-root.ts'

const { url: databaseUrl } = await bundledDatabase(t)
const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))

const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
const pairs = letters.flatMap(a => letters.map(b => a + b))
/** The 100 words that are commonest in English. */
const common =
  `the be to of and a in that have I it for not on with he as you do at this but his by from they we say her she or an
  will my one all would there their what so up out if about who get which go me when make can like time no just him know
  take people into year your good some could them see other than then now look only come its over think also back after
  use two how our work first well way even new want because any these give day most us`.split(/\s+/)
/** Words that games of cards like, as a client would guess. */
const guessed = 'dragon fire water dark light king queen master attack energy power black white red blue lord'.split(
  ' '
)
const setWords = 'set deck booster starter promo pack the of and one two box edition series base'.split(' ')
const numbers = Array.from({ length: 150 }, (_, at) => String(at + 1))
const signs = ['-has:cost', 'is:variant', '-is:variant', 'year>=1990', 'cost:0..99', 'has:rarity']
const sorts = ['sort:cost', 'sort:-power', 'sort:-year', 'sort:-number']

/** Returns lists of at most `most` values each. */
const chunks = <T>(all: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))
const either = (terms: readonly string[]): string => `(${terms.join(' OR ')})`

const words = [...common, ...guessed]
const strategies: Readonly<Record<string, readonly string[]>> = {
  letters: [...letters, ...letters.map(letter => `name=${letter}`), either(letters.slice(0, 19))],
  pairs: [...pairs, ...chunks(pairs, 19).map(either)],
  words: [...words, ...chunks(words, 19).map(either)],
  beginnings: [...new Set(words.filter(word => word.length >= 4).map(word => word.slice(0, 4)))],
  numbers: [
    ...numbers.map(number => `number:${number}`),
    ...chunks(numbers, 19).map(part => either(part.map(number => `number:${number}`)))
  ],
  places: numbers.map(number => `number:${number}a`),
  sets: setWords.flatMap(word => [`set:${word}`, `-set:${word}`]),
  attributes: [
    'c:red',
    't:character',
    ...signs,
    ...sorts,
    ...sorts.map(sort => `${sort} -set:x`),
    ...signs.map(sign => `-(a) ${sign}`)
  ],
  joined: words.slice(0, 30).flatMap(word => sorts.map(sort => `${word} -number:1 ${sort}`))
}

type Answer = Readonly<{
  data: {
    matches?: { sku: string }[]
    suggestions?: { sku: string }[]
    card?: { sku: string }
    next?: string | null
    drawn_from?: number
  } | null
}>

for (const game of ['op', 'ptcgp', 'fab'])
  t.test(`without a name of its sets or cards, ${game} is not rebuilt from what a search gives`, async t => {
    const seen = new Set<string>()
    let [asked, refused, total] = [0, 0, 0]
    const ask = async (path: string): Promise<Answer> => {
      const response = await get(path)
      asked++
      if (response.status === 400) refused++
      return (await response.json()) as Answer
    }
    const take = (found: readonly Readonly<{ sku: string }>[] = []): void => {
      for (const { sku } of found) seen.add(sku)
    }
    for (let at = 0; at < 40; at++) {
      const { data } = await ask(`/api/v1/cards/random?game=${game}`)
      if (data?.card) take([data.card])
      total = data?.drawn_from ?? total
    }
    for (const q of [...letters, ...pairs.filter((_, at) => at % 7 === 0)])
      take((await ask(`/api/v1/search/suggest?game=${game}&q=${q}`)).data?.suggestions)
    for (const queries of Object.values(strategies)) {
      for (const q of queries) {
        let next: string | null | undefined =
          `/api/v1/search/query?${String(new URLSearchParams({ q, game, by: 'printing', limit: '100' }))}`
        while (typeof next === 'string') {
          const { data }: Answer = await ask(next)
          take(data?.matches)
          next = data?.next
        }
      }
    }
    t.comment(
      `${game}: ${String(asked)} requests, ${String(refused)} refused: ${String(seen.size)} of ${String(total)} SKUs`
    )
    t.ok(total > 0)
    t.ok(asked > 1500)
    t.ok(
      seen.size < total / 10,
      `${game}: ${String(asked)} requests, ${String(refused)} refused: ${String(seen.size)} of ${String(total)} SKUs`
    )
  })
