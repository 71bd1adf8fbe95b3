import t from 'tap'
import { surveyText } from '../../../surfaces/import/command.ts'
import { doubtOf, maxValues } from '../../../surfaces/import/survey.ts'

const field = { field: 'name', filled: 60_000, share: 1, samples: ['Tide'], doubt: null }
const survey = { files: 1, rows: 60_000, passed_over: 0, lost: [], mapped: 60_000, unused: [], examples: [] }

t.test('different values that are not all counted are said to be more', t => {
  const text = (distinct: number): string =>
    surveyText({ source: 'a', refusals: [], survey: { ...survey, fields: [{ ...field, distinct }] } })
  t.match(text(maxValues - 1), new RegExp(` ${maxValues - 1} +Tide`))
  t.match(text(maxValues), new RegExp(` ${maxValues}\\+ +Tide`))
  t.end()
})

t.test('a doubt shows the place that raises it', t => {
  const doubt = (...values: string[]): string | null =>
    doubtOf({ field: 'name', filled: 9, rows: 9, distinct: values.length, isConstant: false, values: new Set(values) })
  t.equal(
    doubt('Tide', 'Tide of the <b>Deep</b>, and of all that is below it'),
    'looks like markup, as in "Tide of the <b>Deep</b>, and …"'
  )
  t.equal(doubt('Tide', 'Land &amp; Sea'), 'has entities: `unescape` makes characters of them, as in "Land &amp; Sea"')
  t.equal(doubt('Tide', 'Land'), null)
  t.end()
})
