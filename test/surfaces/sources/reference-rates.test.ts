import t from 'tap'
import { parseReferenceRates } from '../../../surfaces/sources/exchange-rates.ts'

const document = (cubes: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject><Cube>${cubes}</Cube>
</gesmes:Envelope>`
const day = (rates: string, time = '2026-11-19'): string => document(`<Cube time='${time}'>${rates}</Cube>`)

t.test('the day and the rates of its document are read', async t => {
  const { date, perEuro } = parseReferenceRates(
    day('<Cube currency=\'USD\' rate=\'1.0821\'/><Cube currency="GBP" rate="0.8"/>')
  )
  t.equal(date, '2026-11-19')
  t.same(
    [...perEuro],
    [
      ['EUR', 1],
      ['USD', 1.0821],
      ['GBP', 0.8]
    ]
  )
})

t.test('anything else is refused', async t => {
  const usd = "<Cube currency='USD' rate='1.1'/>"
  const refused = {
    'no day': document(usd),
    'two days': document(`<Cube time='2026-11-19'>${usd}</Cube><Cube time='2026-11-18'/>`),
    'a day that is none': day(usd, '2026-02-30'),
    'a rate of zero': day("<Cube currency='USD' rate='0'/>"),
    'a negative rate': day("<Cube currency='USD' rate='-1'/>"),
    'a rate in another notation': day("<Cube currency='USD' rate='1e3'/>"),
    'a rate missing': day("<Cube currency='USD'/>"),
    'a currency twice': day(usd + usd),
    'a document type': `<!DOCTYPE x [<!ENTITY a "b">]>${day(usd).replace(/^.*\n/, '')}`,
    'an end missing': day(usd).replace('</gesmes:Envelope>', ''),
    'no document': '',
    'a page': '<html><p>Sorry</html>'
  }
  for (const [name, text] of Object.entries(refused)) t.throws(() => parseReferenceRates(text), name)
})
