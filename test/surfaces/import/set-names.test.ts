import t from 'tap'
import { declaredSources } from './bundled-sources.ts'
import { rowsOf } from './rows-on-disk.ts'

t.test('a set of a source that writes names for a program has a name for people, and its code stays', async t => {
  const lines = ['Name\tSet\tType', 'Auron (1-001H)\tOpus_I\tForward', 'Mog (B-001)\tBoss_Deck_FFVII\tForward']
  const rows = await rowsOf(t, declaredSources().get('fftcg-lackey')!, { 'sets/carddata.txt': lines.join('\n') })
  t.match(rows, [
    { set_code: 'Opus_I', set: { name: 'Opus I' } },
    { set_code: 'Boss_Deck_FFVII', set: { name: 'Boss Deck FFVII' } }
  ])
})

t.test('a set of one work has its name, and one of many has none', async t => {
  const card = (set: string, work: string) => ({
    url: `x?card_no=${set}/A-1-00${work.length}`,
    name: 'One',
    set: { name: work }
  })
  const cards = [card('UE01BT', 'Tide'), card('UEPR', 'Tides'), card('UEPR', 'Shores')]
  const rows = await rowsOf(t, declaredSources().get('apitcg-union-arena')!, { 'cards/en/general.json': cards })
  t.same(
    rows.map(({ set }) => set.name),
    ['Tide', null, null]
  )
})
