import t from 'tap'
import ts from 'typescript'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageFolder } from '../../bin/roots.ts'
import { readClaims, textsIn } from '../../core/registry/claims.ts'
import { registryOf } from '../support/registry.ts'
import { everyFile } from '../support/source-code.ts'

/** Sentences about the service without a claim, by their texts, and why. `file` is the test that holds them. */
type Read = Readonly<{ reason: string; file?: string; texts: Readonly<Record<string, readonly string[]>> }>
const data = 'test/corpora/data/sentences.yaml'
const ofCode = 'test/corpora/data/sentences-of-code.yaml'
const dataIn = (file: string): unknown => parse(readFileSync(join(packageFolder, file), 'utf8'))
const { words, reasons, ...texted } = dataIn(data) as Readonly<{
  words: readonly string[]
  reasons: readonly string[]
  read: readonly Read[]
}>
const read = [...texted.read, ...(dataIn(ofCode) as Pick<typeof texted, 'read'>).read]
const held = 'another test holds it'

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
const sentencesIn = (text: string): readonly string[] => oneLine(text).split(/(?<=[.!?]["')]?) (?=\S)/)
const ofTheService = new RegExp(`\\b(?:${words.join('|')})\\b`, 'i')
/** A value such as `paused` is no sentence. */
const isAboutService = (sentence: string): boolean => /[ .]/.test(sentence) && ofTheService.test(sentence)

/** A sentence has a claim whose words are in it, or which has the sentence in its words. */
const isClaimed = (sentence: string, text: string, claims: readonly string[]): boolean =>
  claims.some(says => text.includes(says) && (sentence.includes(says) || says.includes(sentence)))

const { registry } = await registryOf()
const claimed = new Map(
  readClaims(registry, [{ folder: packageFolder }]).texts.map(({ id, claims }) => [
    id,
    claims.flatMap(({ says }) => (says === undefined ? [] : oneLine(says)))
  ])
)

/** The literal texts of a file of code, with `{}` for each value. */
function* literalsIn(node: ts.Node): Generator<string> {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
  if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) yield node.text
  if (ts.isTemplateExpression(node))
    yield [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('{}')
  const children: ts.Node[] = []
  ts.forEachChild(node, child => {
    children.push(child)
  })
  for (const child of children) yield* literalsIn(child)
}
const isWhole = (sentence: string): boolean => /^["({A-Z].* .*[.!?]["')]?$/.test(sentence)
/** Of a template every literal is shown, of other code what is a whole sentence: refusals, mails, descriptions. */
const code = ['surfaces', 'core/standard']
  .flatMap(folder => everyFile(packageFolder, folder))
  .filter(file => /\.tsx?$/.test(file))
  .flatMap(file => {
    const text = readFileSync(join(packageFolder, file), 'utf8')
    if (!ofTheService.test(text)) return []
    const literals = [...literalsIn(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext))]
    return [[file, file.endsWith('.tsx') ? literals : literals.flatMap(sentencesIn).filter(isWhole)] as const]
  })

/** Every text that speaks for the service; the changelog tells what was. */
const texts: readonly (readonly [id: string, value: unknown])[] = [
  ['manifests/service', registry.service],
  ...[...registry.byId].map(
    ([id, { summary, description, doesNotInclude }]) =>
      [`manifests/${id}`, { summary, description, doesNotInclude }] as const
  ),
  ...[...registry.documents].map(([name, { value }]) => [`corpora/documents/${name}`, value] as const),
  ...[...registry.corpora.values()]
    .filter(({ name }) => name !== 'changelog')
    .flatMap(({ name, byKey }) => [...byKey].map(([key, entry]) => [`corpora/${name}/${key}`, entry] as const)),
  ...code
]

const found = texts.flatMap(([id, value]) =>
  textsIn(value).flatMap(text =>
    sentencesIn(text)
      .filter(isAboutService)
      .map(sentence => ({ id, sentence, isClaimed: isClaimed(sentence, oneLine(text), claimed.get(id) ?? []) }))
  )
)
const said = new Set(found.filter(one => !one.isClaimed).map(({ id, sentence }) => `${id}: ${sentence}`))
const listed = read.flatMap(({ texts }) =>
  Object.entries(texts).flatMap(([id, sentences]) => sentences.map(sentence => `${id}: ${sentence}`))
)

t.test('a sentence about the service is found by its words', t => {
  const about = (text: string): readonly string[] => sentencesIn(text).filter(isAboutService)
  t.same(about('Cards have numbers. Nothing is sold here.\nA card is a card!'), ['Nothing is sold here.'])
  t.same(about('An event channel is planned. (Nobody is asked.) Where?'), [
    'An event channel is planned.',
    '(Nobody is asked.)'
  ])
  t.same(['paused', 'Paused.'].flatMap(about), ['Paused.'])
  t.notOk(isClaimed('Nobody can sign in.', 'Nobody can sign in.', ['Nobody can leave']))
  t.end()
})

t.test('every sentence about the service has a claim, or was read and has a reason', t => {
  t.same(
    [...said].filter(one => !listed.includes(one)),
    [],
    `read each: correct it, give it a claim below claims/, or list it with its reason in ${data} or ${ofCode}`
  )
  t.ok(found.length > said.size + 100, 'claims show a good part of them')
  t.end()
})

t.test('what was read is still said, once, and no claim shows it', t => {
  t.same(
    listed.filter(one => !said.has(one)),
    []
  )
  t.same(
    listed.filter((one, at) => listed.indexOf(one) !== at),
    []
  )
  t.end()
})

t.test('a reason is one of a few, and a test that it names is there', t => {
  for (const { reason, file } of read) {
    t.ok(reasons.includes(reason), reason)
    t.equal(file !== undefined, reason === held, `${reason}: ${file ?? 'no file'}`)
    if (file !== undefined) t.ok(/^test\/.*\.test\.ts$/.test(file) && existsSync(join(packageFolder, file)), file)
  }
  t.end()
})
