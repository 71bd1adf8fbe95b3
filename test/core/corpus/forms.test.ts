import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { runSync } from '../../../core/canonical/work.ts'
import { loadCorpora } from '../../../core/corpus/load.ts'

const archive = join(packageFolder, 'test/fixture/archive')

t.test(
  'entries may be written as Markdown, a table, JSON or JSON Lines, and are the same to whoever reads them',
  async t => {
    const { corpora, diagnostics } = runSync(loadCorpora('archive', archive))
    t.same(diagnostics, [])
    const of = (name: string): readonly object[] =>
      corpora.find(({ corpus }) => corpus.name === name)?.corpus.entries ?? []
    t.strictSame(
      of('letters').map(one => ({ ...one })),
      [
        {
          id: 'lamp',
          title: 'A new lamp',
          writer: 'jon-reed',
          written: '1898-02-14',
          body: 'The lamp is lit. It is seen from the islands.'
        },
        {
          id: 'storm',
          title: 'The night of the storm',
          writer: 'ada-brook',
          written: '1901-11-03',
          body: 'The *Hope* came in at four, without her mast.\n\nWe counted everybody twice.'
        }
      ]
    )
    t.strictSame(
      of('persons').map(one => ({ ...one })),
      [
        {
          id: 'ada-brook',
          name: 'Ada Brook',
          born: 1874,
          keeper: false,
          trades: ['teacher', 'diver'],
          note: 'Called "the seal", never to her face'
        },
        { id: 'jon-reed', name: 'Jon Reed', born: 1860, keeper: true },
        { id: 'mary-reed', name: 'Reed, Mary', born: 1863, keeper: true, trades: ['net maker'] }
      ]
    )
    t.same(
      of('events').map(one => (one as { id: string }).id),
      ['light', 'storm', 'school', 'quay']
    )
    t.strictSame(of('places')[0], { id: 'light', name: 'The light', at: { latitude: 54.1, longitude: 7.9 } })
    t.ok(
      [...of('persons'), ...of('events'), ...of('places'), ...of('letters')].every(one => Object.isFrozen(one)),
      'entries do not change'
    )
    t.same(
      corpora.find(({ corpus }) => corpus.name === 'events')?.references.map(({ key }) => key),
      ['jon-reed', 'mary-reed', 'ada-brook']
    )
  }
)
