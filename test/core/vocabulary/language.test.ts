import t from 'tap'
import { packageFolder } from '../../../bin/project.ts'
import { english, fill, languageOf, placeholdersIn } from '../../../core/vocabulary/language.ts'
import { fragments, frameworkTexts, sentences, words } from '../../../core/vocabulary/texts.ts'
import { textsMissing, textsRead } from '../../../core/registry/rules/translations.ts'
import { registryOf } from '../../support/registry.ts'
import { Sentences } from '../../support/sentences.ts'

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

/** Functions that are given a message, by the place of the argument. */
const receiving = [
  ['core/handler/errors.ts SurfaceError', 1],
  ['core/handler/errors.ts RateLimited', 1],
  ['core/source/strict-json.ts JsonProblem', 0],
  ['core/kinds/mcp/index.ts problem', 1],
  ['core/kinds/mcp/server.ts invalidParams', 0]
] as const
/** Functions that return messages, and constants that hold some. */
const holding = [
  'core/schema/describe-errors.ts sentence',
  'core/http/arrival.ts refusal',
  'core/http/arrival.ts reason',
  'core/http/server.ts malformed',
  'core/http/server.ts tunnel',
  'core/http/server.ts refusals',
  'core/database/errors.ts operatorFailures',
  'core/kinds/page/source.ts nowhere',
  'core/kinds/mcp/call.ts note',
  'core/kinds/mcp/call.ts unanswered',
  'core/kinds/mcp/tools.ts noneFound'
]
const skeleton = (text: string): string => text.replaceAll(/\{\w*\}/g, '{}')

t.test('every message in the code is listed, and every listed one is in the code', t => {
  const code = new Sentences(packageFolder, ['core'])
  const found = code.find(receiving, holding)
  const [listed, parts] = [new Set(sentences.map(skeleton)), new Set(fragments.map(skeleton))]
  // A part with values, such as `entry of {corpus} with the {key}`, is listed with what is around it.
  const whole = found.filter(({ isPart }) => !isPart).map(({ text }) => text)
  const joined = found
    .filter(({ isPart, text }) => isPart && text.includes('{}'))
    .flatMap(({ text }) => whole.map(around => around.replace('{}', text)))
  const isListed = (text: string): boolean =>
    listed.has(text) || parts.has(text) || joined.some(one => listed.has(one) && one.includes(text))
  t.ok(found.length > 130, String(found.length))
  t.strictSame(
    found.filter(({ text }) => !isListed(text)).map(({ at, text }) => `${at}: ${text}`),
    []
  )
  const used = new Set([...whole, ...joined])
  t.strictSame(
    [...listed].filter(text => !used.has(text)),
    []
  )
  t.end()
})

t.test('every listed word and part of a message is in the code', t => {
  const literals = [...new Sentences(packageFolder, ['core']).literalsOutside('core/vocabulary')]
  const said = new Set(literals)
  t.strictSame(
    words.filter(word => !said.has(word)),
    []
  )
  const pieces = (text: string): readonly string[] => text.split(/`?\{\w+\}`?|^1 /).map(piece => piece.trim())
  t.strictSame(
    fragments.filter(text => !pieces(text).every(piece => literals.some(literal => literal.includes(piece)))),
    []
  )
  t.end()
})
