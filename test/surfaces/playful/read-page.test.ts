import t from 'tap'
import { readPage } from '../../../surfaces/playful/text-mode.ts'

t.test('a page is read as its words, a line for each block', async t => {
  t.equal(
    readPage(
      '<html><head><title>Hall</title></head><body><header>House</header><h1>Hall</h1><p>Open &amp; warm.</p><ul><li>a</li><li><a href="/b">b</a></li></ul><dl><dt>Seats</dt><dd>40</dd></dl></body></html>'
    ),
    'House\n\nHall\n\nOpen & warm.\n\n- a\n\n- b\n\nSeats\n\n40'
  )
})

t.test('a drawing is read by its title and words; styles and scripts are no words', async t => {
  t.equal(
    readPage(
      '<svg><title>A card</title><desc>Of lines.</desc><style>a{}</style><script>x</script><text>Ada</text><text>&lt;3</text></svg>'
    ),
    'A card\nOf lines.\nAda\n<3'
  )
})
