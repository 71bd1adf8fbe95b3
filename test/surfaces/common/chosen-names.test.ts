import t from 'tap'
import { languageNames, languageTags, writtenLanguage } from '../../../surfaces/common/chosen-names.ts'

t.test('a language that a form shows by its name is read as the same language', t => {
  for (const tag of [...languageNames.keys(), 'haw', 'en-GB', 'de-AT', 'zh-Hant-HK', 'fil', 'es-419']) {
    const name = writtenLanguage(tag)
    t.not(name, tag, `${tag} has a name`)
    for (const text of [name, name.toUpperCase(), ` ${name.toLowerCase()}`, tag])
      t.strictSame(languageTags('languages', [text]), [tag], text)
  }
  t.end()
})

t.test('several languages in one field are read, and what names none is refused where it stands', t => {
  t.strictSame(languageTags('languages', ['Dutch; Hawaiian (haw)', '', 'deutsch', 'NL']), ['nl', 'haw', 'de'])
  for (const text of ['Klingonish', 'Dutch (', '(xx)', ')', 'x)', 'Dutch (de)'])
    t.throws(
      () => languageTags('languages', ['Dutch', text]),
      { code: 'INVALID_INPUT', details: { field: 'languages.1' } },
      text
    )
  t.end()
})
