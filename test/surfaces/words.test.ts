import fc from 'fast-check'
import t from 'tap'
import { formatCount, languageName, formatMinute, spoken, wrap } from '../../surfaces/common/words.ts'

t.test('numbers, names and times as people read them', async t => {
  t.same(
    [formatCount(0), formatCount(15777), spoken('community_observations'), formatMinute('2026-11-23T18:42:09.123Z')],
    ['0', '15,777', 'community observations', '2026-11-23 18:42 UTC']
  )
  t.same(
    [languageName('ja'), languageName('zh-hans'), languageName('no tag!')],
    ['Japanese', 'Simplified Chinese', 'no tag!']
  )
})

t.test('lines hold all of a text that fits, and say where it is cut', async t => {
  t.same(wrap('Gum-Gum Fire-Fist Pistol Red Hawk', 14, 5), ['Gum-Gum', 'Fire-Fist', 'Pistol Red', 'Hawk'])
  t.same(wrap('Donaudampfschifffahrt', 10, 5), ['Donaudampf', 'schifffahr', 't'])
  t.same(wrap('モンキー・D・ルフィ', 5, 2), ['モンキー・', 'D・ルフィ'])
  t.same(wrap('モンキー・D・ルフィ', 5, 1), ['モンキー…'])
  const unit = fc.string({ unit: 'grapheme', maxLength: 60 })
  fc.assert(
    fc.property(unit, fc.integer({ min: 2, max: 20 }), fc.integer({ min: 1, max: 6 }), (text, width, most) => {
      const lines = wrap(text, width, most)
      const whole = wrap(text, width, 1000)
      return (
        lines.length <= most &&
        lines.every(line => (line.match(/./gsu) ?? []).length <= width) &&
        whole.join('').replaceAll(/\s/g, '') === text.replaceAll(/\s/g, '') &&
        (whole.length <= most || lines.at(-1)?.endsWith('…') === true)
      )
    })
  )
})
