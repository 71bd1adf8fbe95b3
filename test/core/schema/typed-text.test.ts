import t from 'tap'
import { typedText } from '../../../core/schema/typed-text.ts'

t.test('a text means what its schema declares, and stays text where it cannot', t => {
  const cases: readonly (readonly [type: unknown, text: string, value: unknown])[] = [
    ['integer', '5', 5],
    ['integer', '-5', -5],
    ['integer', '5.0', '5.0'],
    ['integer', '1e3', '1e3'],
    ['integer', '', ''],
    ['integer', ' 5', ' 5'],
    ['number', '5', 5],
    ['number', '2.5', 2.5],
    ['number', '-0.5', -0.5],
    ['number', '.5', '.5'],
    ['number', '5.', '5.'],
    ['number', '1e3', '1e3'],
    ['number', 'Infinity', 'Infinity'],
    ['number', '1234567890123456', '1234567890123456'],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', 'yes', 'yes'],
    ['boolean', '1', '1'],
    ['string', '5', '5'],
    ['string', 'true', 'true'],
    [undefined, '5', '5'],
    [['number', 'null'], '2.5', 2.5],
    [['integer', 'string'], 'x', 'x']
  ]
  for (const [type, text, value] of cases)
    t.equal(typedText({ ...(type === undefined ? {} : { type }) }, text), value, `${String(type)} ${text}`)
  t.end()
})
