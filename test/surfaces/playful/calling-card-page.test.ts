import t from 'tap'
import { markupProblem } from '../../support/markup.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

t.test('the page shows the card that the surface draws for the same name', async t => {
  const { get } = await serveGeneration(t, await generationOf(t, []))
  const name = 'Ada <b> & "Countess"'
  const response = await get(`/calling-card?${new URLSearchParams({ name, night: '1' }).toString()}`)
  const html = await response.text()
  t.equal(markupProblem(html, 'html'), undefined)
  t.notMatch(html, '<b>')
  t.match(html, /by night"/)
  const source = (/<img [^>]*src="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')
  const image = await get(source)
  t.match(image.headers.get('content-type'), /^image\/svg\+xml/)
  t.match(await image.text(), 'Ada &lt;b')
  t.equal((await get('/calling-card?name=&night=0')).status, 200, 'an empty form draws the card of nobody')
  t.equal((await get('/calling-card?night=dusk')).status, 400)
})
