import t from 'tap'
import { foldName } from '../../../../surfaces/cards/search/fold-name.ts'
import { completeName, findMistaken, findNames } from '../../../../surfaces/cards/search/match-names.ts'
import type { FoundName, NameIndex } from '../../../../surfaces/cards/search/name-index.ts'

/**
 * Words with one mistake between them and `pace`, more than are looked up, and the one that was meant after them all.
 */
const near = [
  'ace',
  'dace',
  'face',
  'lace',
  'mace',
  'pack',
  'pact',
  'page',
  'pale',
  'pane',
  'pare',
  'pave',
  'race',
  'space'
]
const names = [...near.slice(0, -1).map(word => `${word} of Spades`), 'Space Camp', 'Jinbe']
const nearWords: Readonly<Record<string, readonly string[]>> = { pace: near, jinbei: ['jinbe'] }
const found = names.map((name, id): FoundName => ({
  id,
  name,
  game: 'x',
  printings: 1,
  numbers: 1,
  sources: [],
  sku: `x-x-${id}-en`
}))

const index = {
  startingWith: async (text: string) =>
    await Promise.resolve(found.filter(({ name }) => ` ${foldName(name)}`.includes(` ${text}`))),
  nearTo: async (word: string) => await Promise.resolve(nearWords[word] ?? []),
  suggested: async () => await Promise.resolve([]),
  setsWith: async () => await Promise.resolve([])
} as unknown as NameIndex

t.test('a mistake in one word is found by the other, however many words are like it', async t => {
  const { matches, words } = await findNames(index, 'pace camp')
  t.same(matches, [])
  const mistaken = await findMistaken(index, 'pace camp', words)
  t.match(mistaken.matches, [{ found: { name: 'Space Camp' }, confidence: 'fuzzy' }])
})

t.test(
  'a name in the older form of Hepburn is suggested in the form of its publisher, also with a mistake',
  async t => {
    const mistaken = await completeName(index, 'jimbei')
    t.match(mistaken, [{ found: { name: 'Jinbe' }, confidence: 'fuzzy' }])
  }
)
