import fc from 'fast-check'
import t from 'tap'
import type { JsonObject } from '../../../core/canonical/json.ts'
import { writeCrumbs, writeSharing } from '../../../core/format/head.ts'
import { site } from '../../support/site.ts'

const page = { title: 'Emma', description: 'A novel.', path: '/books/emma' }

/** Returns the nodes of schema.org that are written. */
const graphOf = (head: string): readonly JsonObject[] => {
  const [, text = '{"@graph":[]}'] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(head) ?? []
  return (JSON.parse(text) as { '@graph': JsonObject[] })['@graph']
}

t.test('a page names its canonical URL, its preview and the feeds', async t => {
  const head = writeSharing(site, page, {})
  t.match(head, '<link rel="canonical" href="https://library.example/books/emma">')
  t.match(head, '<meta property="og:title" content="Emma">')
  t.match(head, '<meta name="twitter:card" content="summary">')
  t.match(head, '<link rel="alternate" type="application/atom+xml" title="News &amp; notes" href="/news?format=atom">')
  t.notMatch(head, /og:image|ld\+json|robots/)
  t.match(writeSharing(site, page, { isIndexed: false }), '<meta name="robots" content="noindex">')
  const drawn = writeSharing(site, page, { canonical: '/b/1', picture: { path: '/p.png', text: 'A cover' } })
  t.match(drawn, 'href="https://library.example/b/1"')
  t.match(drawn, '<meta property="og:image" content="https://library.example/p.png">')
  t.match(drawn, 'summary_large_image')
})

t.test('a service under a path says whole addresses', async t => {
  const under = { base: '/pantry', place: (target: string) => `/pantry${target}` }
  const crumbs = [{ label: 'Books', path: '/books' }]
  const head = writeSharing({ ...site, under }, { ...page, path: '/pantry/books/emma', crumbs }, {})
  t.match(head, 'href="https://library.example/pantry/books/emma"')
  t.match(head, '"item":"https://library.example/pantry/books"')
})

t.test('the pages above it are links, and a list of schema.org', async t => {
  const crumbs = [{ label: 'Books', path: '/books' }]
  t.match(writeCrumbs(crumbs, 'Where this is'), '<li><a href="/books">Books</a></li>')
  t.equal(writeCrumbs([], 'Where this is'), '')
  const [list] = graphOf(writeSharing(site, { ...page, crumbs }, {}))
  t.same(list?.['itemListElement'], [
    { '@type': 'ListItem', position: 1, name: 'Books', item: 'https://library.example/books' },
    { '@type': 'ListItem', position: 2, name: 'Emma' }
  ])
})

t.test('no text can end the element that it is in', async t => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('</script><script>alert(1)</script>', '<!--<script>', '"><x-evil>', "'")
  )
  fc.assert(
    fc.property(texts, texts, (title, name) => {
      const head = writeSharing(
        site,
        { ...page, title, description: title, crumbs: [{ label: name, path: '/books' }] },
        { about: { '@type': 'Book', name } }
      )
      const [list, about] = graphOf(head)
      const items = list?.['itemListElement'] as readonly JsonObject[]
      t.same([about?.['name'], items[0]?.['name'], items[1]?.['name']], [name, name, title])
      t.equal(head.match(/<script/g)?.length, 1)
      t.notMatch(head, /<x-evil|<!--/)
    })
  )
})
