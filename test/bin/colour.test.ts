import t from 'tap'
import { colourSeverity } from '../../bin/io.ts'

const stream = (isTTY: boolean): NodeJS.WriteStream =>
  Object.assign(Object.create(null), { isTTY }) as NodeJS.WriteStream
const text = 'a.yaml:1:2: error[M101]: Not YAML.'

t.test('a terminal gets colour', t => {
  t.equal(colourSeverity(text, stream(true), {}), 'a.yaml:1:2: \u001b[31merror[M101]\u001b[0m: Not YAML.')
  t.end()
})

t.test('FORCE_COLOR gives colour to a pipe and overrules NO_COLOR; 0 and false take it from a terminal', t => {
  t.not(colourSeverity(text, stream(false), { FORCE_COLOR: '1', NO_COLOR: '1' }), text)
  t.equal(colourSeverity(text, stream(false), { FORCE_COLOR: '' }), text, 'an empty value is none')
  for (const value of ['0', 'false']) t.equal(colourSeverity(text, stream(true), { FORCE_COLOR: value }), text)
  t.end()
})

t.test('a pipe does not, nor does a terminal with NO_COLOR', t => {
  t.equal(colourSeverity(text, stream(false), {}), text)
  t.equal(colourSeverity(text, stream(true), { NO_COLOR: '1' }), text)
  t.not(colourSeverity(text, stream(true), { NO_COLOR: '' }), text, 'an empty value is none')
  t.end()
})
