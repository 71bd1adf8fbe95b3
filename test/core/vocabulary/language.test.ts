import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/project.ts'
import { english, fill, languageOf, placeholdersIn } from '../../../core/vocabulary/language.ts'
import { frameworkTexts, sentences } from '../../../core/vocabulary/texts.ts'
import { textsMissing, textsRead } from '../../../core/registry/rules/translations.ts'
import { registryOf } from '../../support/registry.ts'
import { everyFile } from '../../support/source-code.ts'

const german = languageOf(
  'de',
  new Map([
    ['There is no {what} `{name}` here.', 'Nicht gefunden: {what} `{name}`.'],
    ['{place} must be {type}, but this is {given}.', '{place} muss {type} sein, ist aber {given}.'],
    ['{one} or {other}', '{one} oder {other}'],
    ['a text', 'ein Text'],
    ['a number', 'eine Zahl'],
    ['book', 'Buch'],
    ['There is no room on {day}.', 'Am {day} ist kein Zimmer frei.']
  ])
)

t.test('a message is found by its words, and the parts of it are translated as well', t => {
  const cases: [message: string, translated: string][] = [
    ['There is no book `dune` here.', 'Nicht gefunden: Buch `dune`.'],
    // What a caller sent is nobody's language, also where it looks like a text.
    ['There is no book `book` here.', 'Nicht gefunden: Buch `book`.'],
    ['There is no film `a text` here.', 'Nicht gefunden: film `a text`.'],
    [
      '`title` must be a text or `null`, but this is a number.',
      '`title` muss ein Text oder `null` sein, ist aber eine Zahl.'
    ],
    ['There is no room on {day}.', 'Am {day} ist kein Zimmer frei.'],
    ['There is no room on 1 May.', 'Am 1 May ist kein Zimmer frei.'],
    // A part of messages is no message.
    ['Ask on Monday or Tuesday', 'Ask on Monday or Tuesday'],
    ['Something else.', 'Something else.'],
    ['', '']
  ]
  for (const [message, translated] of cases) t.equal(german.messageOf(message), translated)
  for (const [message] of cases) t.equal(english.messageOf(message), message)
  t.end()
})

t.test('a value keeps what looks like a placeholder, or like a pattern of a replacement', t => {
  t.equal(fill('{a} and {b}, {c}', { a: '{b}', b: '$1' }), '{b} and $1, {c}')
  t.strictSame(placeholdersIn('{b} {a} {b} {} { c }'), ['a', 'b'])
  t.end()
})

t.test('the framework has all its texts in German, and no German text of nothing', async t => {
  const { registry } = await registryOf(['examples/library'])
  const dictionary = registry.dictionaries.get('de') ?? new Map<string, string>()
  const texts = textsRead(registry)
  const ofFramework = texts.filter(({ isOfFramework }) => isOfFramework)
  t.strictSame(
    textsMissing(ofFramework, 'de', ['en', 'de'], dictionary).map(({ text }) => text),
    []
  )
  const known = new Set(texts.map(({ text }) => text))
  t.strictSame(
    [...dictionary.keys()].filter(text => !known.has(text)),
    []
  )
  t.equal(new Set(frameworkTexts).size, frameworkTexts.length, 'none is listed twice')
})

t.test('each listed message is in the code, letter for letter between its values', t => {
  const code = everyFile(packageFolder, 'core')
    .filter(file => /\.tsx?$/.test(file) && !file.startsWith(join('core', 'vocabulary')))
    .map(file => readFileSync(join(packageFolder, file), 'utf8').replaceAll('\\`', '`'))
    .join('\n')
  // Two messages are put together of parts that other messages have as well.
  const joint = /(?=is not valid percent-encoded)|(?=entry of )/
  const pieces = (text: string): readonly string[] =>
    text
      .split(/`?\{\w+\}`?/)
      .flatMap(piece => piece.split(joint))
      .filter(piece => /[a-z]{4}/.test(piece))
  t.strictSame(
    sentences.filter(text => !pieces(text).every(piece => code.includes(piece.trim()))),
    []
  )
  t.end()
})
