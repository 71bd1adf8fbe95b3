import { join } from 'node:path'
import t, { type Test } from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { runSync } from '../../../core/canonical/work.ts'
import { canonicalTag, splitLanguage } from '../../../core/corpus/entry-files.ts'
import { loadCorpora } from '../../../core/corpus/load.ts'

const museum = join(packageFolder, 'test/fixture/museum')

const corpusOf = (name: string, folder = museum) => {
  const { corpora, diagnostics } = runSync(loadCorpora('museum', folder))
  const found = corpora.find(({ corpus }) => corpus.name === name)
  if (found === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return { ...found, diagnostics }
}

t.test(
  'each language has whole entries: its own members, and those of the default language where it has none',
  async t => {
    const { corpus } = corpusOf('exhibits')
    t.strictSame([...(corpus.translations?.keys() ?? [])], ['en', 'de', 'fr'])
    const french = corpus.translations?.get('fr')
    t.strictSame(
      { ...french?.corpus.byKey.get('compass') },
      { id: 'compass', title: 'La boussole', hall: 'sea', year: 1790, text: 'It still points to the north.' }
    )
    t.strictSame(
      [...(french?.untranslated ?? [])],
      [
        ['compass', ['text']],
        ['comet', ['title', 'text']],
        ['anchor', ['text']]
      ]
    )
    t.strictSame([...(french?.translated ?? [])], ['compass', 'anchor'])
    t.strictSame(
      [...(corpus.translations?.get('de')?.untranslated ?? [])],
      [['anchor', ['text']]],
      'a Markdown entry without words gives none'
    )
    t.strictSame([...(corpus.translations?.get('en')?.untranslated ?? [])], [], 'the default language lacks nothing')
    t.equal(corpus.byKey.get('compass')?.['title'], 'The compass', 'who asks for no language gets the default')
    t.ok(
      [...(corpus.translations?.values() ?? [])].every(({ corpus: { entries } }) =>
        entries.every(one => Object.isFrozen(one))
      ),
      'entries do not change'
    )
  }
)

t.test('every form of entries can be a translation, and each language is sorted by its own words', async t => {
  const { corpus } = corpusOf('rooms')
  const names = (tag: string): unknown => corpus.translations?.get(tag)?.corpus.entries.map(({ name }) => name)
  t.strictSame(names('en'), ['The attic', 'The hall'])
  t.strictSame(names('pt-BR'), ['A mansarda', 'O salão'])
  t.strictSame(names('zh-Hant'), ['The attic', '大廳'])
})

/** A root with one corpus `notes`. */
const withNotes = (t: Test, files: Readonly<Record<string, string>>, declaration = 'languages: [en, de]\n'): string =>
  t.testdir({
    corpora: {
      notes: {
        'corpus.yaml': `title: Notes\nkey: id\norder: [id]\nlicense: CC0-1.0\nsource: Here.\n${declaration}`,
        'schema.yaml':
          'type: object\nadditionalProperties: false\nrequired: [id, text]\nproperties:\n  id: { type: string }\n  text: { type: string }\n  next: { type: string, x-corpus: notes }\n  revision: { type: string }\n',
        ...files
      }
    }
  })

t.test('a translated member may refer to another part of its schema', async t => {
  for (const [place, part] of [
    ['definitions', 'definitions:\n  words: { type: string }\n'],
    ['properties', '']
  ] as const) {
    const schema = `type: object\nadditionalProperties: false\nrequired: [id, text]\n${part}properties:\n  id: { type: string }\n  words: { type: string }\n  text: { $ref: '#/${place}/words' }\n`
    const { corpus } = corpusOf(
      'notes',
      withNotes(t, {
        'schema.yaml': schema,
        'entries.yaml': '- { id: a, text: One }\n',
        'entries.de.yaml': '- { id: a, text: Eins }\n'
      })
    )
    t.equal(corpus.translations?.get('de')?.corpus.byKey.get('a')?.['text'], 'Eins', place)
  }
})

t.test('a computed hash covers the words of each language', async t => {
  const folder = withNotes(
    t,
    {
      'entries.yaml': '- { id: a, text: One }\n- { id: b, text: Two }\n',
      'entries.de.yaml': '- { id: a, text: Eins }\n'
    },
    'languages: [en, de]\nhash: { field: revision, over: [text] }\n'
  )
  const { translations } = corpusOf('notes', folder).corpus
  const revision = (tag: string, key: string) => translations?.get(tag)?.corpus.byKey.get(key)?.['revision']
  t.match(revision('de', 'a'), /^[0-9a-f]{64}$/)
  t.not(revision('de', 'a'), revision('en', 'a'))
  t.equal(revision('de', 'b'), revision('en', 'b'), 'what is not translated is the same')
})

t.test('a reference that a translation changes is looked up too', async t => {
  const folder = withNotes(t, {
    'entries.yaml': '- { id: a, text: One, next: a }\n',
    'entries.de.yaml': '- { id: a, next: c }\n'
  })
  t.strictSame(
    corpusOf('notes', folder).references.map(({ key, file }) => [key, file.split('/').at(-1)]),
    [
      ['a', 'entries.yaml'],
      ['c', 'entries.de.yaml']
    ]
  )
})

t.test('a language without a file is told, and answers with the default one', async t => {
  const { corpus, diagnostics } = corpusOf('notes', withNotes(t, { 'entries.yaml': '- { id: a, text: One }\n' }))
  t.strictSame(
    diagnostics.map(({ code, severity }) => `${severity} ${code}`),
    ['warning C215']
  )
  t.strictSame([...(corpus.translations?.get('de')?.untranslated ?? [])], [['a', ['text']]])
})

t.test('without declared languages a dot may be part of a key', async t => {
  const { corpus } = corpusOf(
    'notes',
    withNotes(t, { entries: { 'a.de.yaml': 'id: a.de\ntext: One\n' } as unknown as string }, '')
  )
  t.strictSame([...corpus.byKey.keys()], ['a.de'])
  t.equal(corpus.translations, undefined)
})

t.test('a tag is canonical and names a known language', async t => {
  for (const tag of ['en', 'de-CH', 'zh-Hant-TW', 'gsw', 'de-1996', 'sr-Latn']) t.equal(canonicalTag(tag), tag, tag)
  for (const [tag, canonical] of [
    ['DE', 'de'],
    ['pt-br', 'pt-BR'],
    ['iw', 'he'],
    ['deu', 'de']
  ] as const)
    t.equal(canonicalTag(tag), canonical, tag)
  for (const tag of ['', 'english', 'pt_BR', 'xx', 'und', 'x-mine', 'a', '-', 'de-', '日本', 'de-aaaaaaaaa'])
    t.equal(canonicalTag(tag), undefined, tag)
  t.strictSame(splitLanguage('entries/comet.zh-Hant.md'), { base: 'entries/comet.md', tag: 'zh-Hant' })
  t.strictSame(splitLanguage('entries/node.js.md'), { base: 'entries/node.js.md', tag: undefined })
  t.strictSame(splitLanguage('entries.yaml'), { base: 'entries.yaml', tag: undefined })
})
