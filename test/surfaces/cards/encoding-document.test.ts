import t from 'tap'
import { finishMirror } from '../../../core/contract/math-mirror.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { encodingDocument } from '../../../surfaces/cards/documents/encoding.ts'
import { buildSku, parseSku } from '../../../surfaces/cards/sku.ts'
import { encoding as encodingHandler } from '../../../surfaces/handlers/universal.ts'
import { contentHash, selfHash, type Document } from './recompute.ts'

type Named = { name: string }
const document = JSON.parse(finishMirror(encodingDocument('pantry-cards/universal/v1'), new Date())) as Document & {
  preamble: Named[]
  body_fields: (Named & { property_kind: string; kinds: string[] })[]
  property_kinds: Named[]
  kinds: Named[]
  sku_grammar: { examples: string[] }
}
const names = (list: readonly Named[]) => list.map(({ name }) => name)

t.test('the encoding document describes itself', t => {
  t.equal(document['@kind'], 'encoding_spec')
  t.same(
    Object.keys(document).filter(name => name.startsWith('@')),
    names(document.preamble),
    'its preamble is its own list of preamble fields'
  )
  t.same(
    Object.keys(document)
      .filter(name => !name.startsWith('@'))
      .sort(),
    names(document.body_fields.filter(({ kinds }) => kinds.includes('encoding_spec'))).sort(),
    'its members are those it lists for its kind'
  )
  t.equal(document['@content_hash'], contentHash(document, document), 'its content hash covers its body')
  t.equal(document['@self_hash'], selfHash(document))
  t.same(compileSchema(encodingHandler.reply)(document), [])
  t.end()
})

t.test('its words are closed: every kind that is used is described', t => {
  for (const { name, property_kind: kind, kinds } of document.body_fields) {
    t.ok(names(document.property_kinds).includes(kind), `${name}: ${kind}`)
    for (const of of kinds) t.ok(names(document.kinds).includes(of), `${name}: ${of}`)
  }
  t.same(document['counts'], {
    kinds: document.kinds.length,
    preamble: document.preamble.length,
    body_fields: document.body_fields.length,
    property_kinds: document.property_kinds.length
  })
  t.end()
})

t.test('the example identifiers follow the grammar it states', t => {
  for (const sku of document.sku_grammar.examples) t.ok(parseSku(sku), sku)
  t.equal(
    buildSku({ game: 'g', set: 'A B-1', number: 'É_.~', lang: 'zh-Hans', variant: '' }),
    'g-a.b_1-~c3~a9~5f~2e~7e-zh_hans'
  )
  t.end()
})
