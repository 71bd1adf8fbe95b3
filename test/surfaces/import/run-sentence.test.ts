import t from 'tap'
import { runSentence } from '../../../surfaces/import/open.ts'

t.test('an import is told in one sentence', t => {
  const told = (written: number, unchanged: number, quarantined: number, cards = 0): string =>
    runSentence({ source: 'maps', written, unchanged, quarantined, withdrawals: { cards } })
  t.equal(told(15_590, 0, 1), '15,590 cards of maps; 1 row left out')
  t.equal(told(1, 0, 0), '1 card of maps')
  t.equal(told(3, 4_000, 12), '4,003 cards of maps, 3 of them new or changed; 12 rows left out')
  t.equal(told(0, 7, 0), '7 cards of maps, none of them new or changed')
  t.equal(told(0, 0, 2), '0 cards of maps; 2 rows left out')
  t.equal(told(0, 7, 1, 1_200), '7 cards of maps, none of them new or changed; 1 row left out; 1,200 withdrawn')
  t.end()
})
