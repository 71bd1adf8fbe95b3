import t from 'tap'
import { findMistaken, findNames } from '../../../../surfaces/cards/search/match-names.ts'
import { deriveNames, refreshNames } from '../../../../surfaces/cards/search/derive-names.ts'
import { foldName } from '../../../../surfaces/cards/search/fold-name.ts'
import { bundledDatabase } from '../../../support/bundled.ts'
import { down, up } from '../../../../migrations/0041_sources_of_names.ts'
import { searchOver } from './ask-search.ts'

const { url } = await bundledDatabase(t)
const {
  database,
  services: { names }
} = await searchOver(t, url)
const { bulk } = database

const find = async (q: string): Promise<string[]> => {
  const { matches, words } = await findNames(names, foldName(q), 'op')
  const found = matches.length > 0 ? matches : (await findMistaken(names, foldName(q), words, 'op')).matches
  return found.map(({ found: { name }, reason }) => `${name}: ${reason}`)
}
const derive = () => bulk.transaction(transaction => deriveNames(transaction, ['op']))
const rename = (sku: string, name: string, translations: object | null) =>
  bulk('cards')
    .where({ sku })
    .update({ name, name_translations: translations === null ? null : JSON.stringify(translations) })

const printingsOf = async (name: string): Promise<string[]> =>
  (
    await bulk('name_numbers')
      .join('card_names', 'card_names.id', 'name_numbers.name_id')
      .where({ name })
      .orderBy('set_id')
      .pluck<string[][]>('skus')
  )
    .flat()
    .sort()

/** All that is derived, without the ids that the order of writing gives. */
async function index(): Promise<unknown> {
  const { rows: starts } = await bulk.raw<{ rows: object[] }>(
    'select s.game, s.start, s.printings, n.name from name_starts s join card_names n on n.id = s.name_id order by 1, 2, 3, 4'
  )
  return [
    await bulk('card_names')
      .select('game', 'name', 'printings', 'numbers', 'sku', 'digest', 'sources')
      .orderBy(['game', 'name']),
    await bulk('name_numbers').select('game', 'words', 'skus').orderBy(['game', 'words', 'skus']),
    await bulk('set_words').select('game', 'word', 'is_code').orderBy(['game', 'word', 'set_id']),
    starts,
    await bulk('name_words').select('word', 'marks').orderBy('word')
  ]
}

t.test('names in another script are found by their words, by characters within, and with one left out', async t => {
  await rename('op-op01-003-en', 'モンキー・D・ルフィ', {
    ja: 'モンキー・D・ルフィ',
    zh: '蒙其·D·路飞',
    ko: '몽키 D. 루피'
  })
  await derive()
  for (const q of ['モンキー・D・ルフィ', 'ﾓﾝｷｰ D ﾙﾌｨ']) t.same(await find(q), ['モンキー・D・ルフィ: name matched'], q)
  t.same(await find('モンキー'), ['モンキー・D・ルフィ: name starts with the text'])
  for (const q of ['ルフィ', 'フィ'])
    t.same(await find(q), ['モンキー・D・ルフィ: a word of the name starts with the text'], q)
  t.same(await find('モキー・D・ルフィ'), ['モンキー・D・ルフィ: words of the name matched but for a mistake'])
  t.same(await find('路飞'), ['蒙其·D·路飞: a word of the name starts with the text'])
  t.same(await find('몽키'), ['몽키 D. 루피: name starts with the text'])
})

t.test('what changes of cards is what changes of the index, whatever was before', async t => {
  const skus = await bulk('cards').where({ game: 'op' }).orderBy('sku').limit(3).pluck<string[]>('sku')
  const [one = '', two = '', three = ''] = skus
  await derive()
  for (const [sku, name] of [
    [one, 'Quincelbrax of Yore'],
    [two, 'Quincelbrax of Yore'],
    [three, 'Zyxquart']
  ] as const)
    await rename(sku, name, null)
  await derive()
  t.same(await find('quincelbrax'), ['Quincelbrax of Yore: name starts with the text'])
  t.same(await find('zyxqart'), ['Zyxquart: words of the name matched but for a mistake'])
  t.same(await printingsOf('Quincelbrax of Yore'), [one, two])
  await rename(one, 'Nobody', null)
  await bulk('cards').where({ sku: three }).delete()
  await derive()
  t.same(await printingsOf('Quincelbrax of Yore'), [two])
  t.same(await find('zyxquart'), [])
  const kept = await index()
  await bulk.raw('truncate card_names, name_starts, name_words, name_numbers, set_words')
  await refreshNames(database)
  t.same(await index(), kept, 'as if it had always been so')
})

t.test('a name has the sources of all its printings, also when only they change', async t => {
  const [one, two] = ['op-op01-001-en', 'op-op01-002-en']
  for (const [sku, sources] of [
    [one, ['b', 'a']],
    [two, ['c', 'a']]
  ] as const) {
    await rename(sku, 'Trelvane', null)
    await bulk('cards').where({ sku }).update({ sources })
  }
  await derive()
  const sources = async (): Promise<unknown> => (await names.suggested('trelvane', 'op')).map(({ sources }) => sources)
  t.same(await sources(), [['a', 'b', 'c']])
  await bulk('cards')
    .where({ sku: two })
    .update({ sources: ['a'] })
  await derive()
  t.same(await sources(), [['a', 'b']])
})

t.test('an index that is there is left as it is', async t => {
  const before = await bulk('card_names').max('id')
  await refreshNames(database)
  await derive()
  t.same(await bulk('card_names').max('id'), before)
})

t.test('the migration that adds the sources of names finds those that an import writes', async t => {
  const sources = () => bulk('card_names').select('game', 'name', 'sources').orderBy(['game', 'name'])
  const before = await sources()
  t.ok(before.some(({ sources: [first] }) => first !== undefined))
  await bulk.transaction(down)
  await bulk.transaction(up)
  t.same(await sources(), before)
})
