import t from 'tap'
import { Sentences } from '../../../../surfaces/import/reading/look-alikes.ts'
import type { Mapped } from '../../../../surfaces/import/reading/map-row.ts'

const told = (names: readonly string[], keyword?: string): readonly unknown[] => {
  const sentences = new Sentences()
  names.forEach((name, index) => {
    sentences.see({
      nativeId: String(index),
      sku: '',
      row: { name, attributes: { keywords: keyword === undefined ? null : [keyword] }, set: { name: null } }
    } as unknown as Mapped)
  })
  return sentences.result()
}
const many = (...texts: readonly string[]): readonly string[] =>
  Array.from({ length: 30 }, (_, index) => texts[index % texts.length]!)

t.test('a field of many sentences is told with their number and the first', t => {
  t.same(told(many('Rush', 'Draw two cards, then discard one.')), [{ field: 'name', rows: 15, first: '1' }])
  t.same(told(many('カードを2枚引く。')), [{ field: 'name', rows: 30, first: '0' }])
  t.same(told(many('Rush'), 'Epic Action: If you control 6 or more resources, deploy this leader.'), [
    { field: 'attributes.keywords', rows: 30, first: '0' }
  ])
  t.end()
})

t.test('a name may be a sentence, and few rows prove nothing', t => {
  t.same(told(many('Rush', 'In Two Years!! At the Sabaody Archipelago!!', 'Ex Agente dello S.H.U.S.H.', 'Mr. Who')), [])
  t.same(
    told([
      ...many('Rush'),
      ...many('Blocker'),
      ...many('Tide'),
      "You Can't Take Our King This Early in the Game.",
      'Weakness...Is an Unforgivable Sin.',
      "It's My Student's Farewell. I Want It to Be Proper."
    ]),
    []
  )
  t.same(told(['Draw two cards, then discard one.']), [])
  t.end()
})
