import t from 'tap'
import { membersOf, xmlDocument } from '../../../../surfaces/import/reading/xml-document.ts'

t.test('elements are objects of their attributes and children; one with text alone is that text', t => {
  t.same(
    xmlDocument('<?xml version="1.0"?><set code="AB1"><card no="1"><name> Tide &amp; Ebb </name><cost/></card></set>'),
    { set: { code: 'AB1', card: { no: '1', name: 'Tide & Ebb', cost: null } } }
  )
  t.same(xmlDocument('<a><b>1</b><b>2</b><b x="3">4</b></a>'), { a: { b: ['1', '2', { x: '3', b: '4' }] } })
  t.same(
    xmlDocument(`<a>${'<b>1</b>'.repeat(300_000)}</a>`),
    { a: { b: Array(300_000).fill('1') } },
    'many children of one name'
  )
  t.same(xmlDocument('<a><b><![CDATA[<i>]]></b></a>', ['b']), { a: { b: ['<i>'] } })
  t.end()
})

t.test('rows are what is at a path; one element is a list of one', t => {
  const document = xmlDocument('<cards><set><card no="1"/></set></cards>')
  t.same(membersOf(document, 'cards.set.card'), [{ no: '1' }])
  t.equal(membersOf(document, undefined), document)
  t.throws(() => membersOf(document, 'cards.sets'), { message: 'The document has no `sets`.' })
  t.end()
})

t.test('what is not well-formed, defines entities or is deeper than any data is refused, and quoted nowhere', t => {
  t.throws(() => xmlDocument('<a><secret></a>'), {
    message: 'The XML cannot be read (line 1, column 15): it is not well-formed.'
  })
  t.throws(() => xmlDocument('<!DOCTYPE a [<!ENTITY b "secret">]><a>&b;</a>'), {
    message: 'The XML cannot be read (line 1, column 35): a document type is not expected.'
  })
  t.throws(() => xmlDocument('<a>'.repeat(200)), { message: /more than 100 elements deep/ })
  t.equal((xmlDocument('<a><__proto__><x>1</x></__proto__><b>1</b></a>')['a'] as { x?: string }).x, undefined)
  t.end()
})
