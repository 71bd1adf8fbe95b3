import t from 'tap'
import { page } from '../../../core/format/html.ts'
import { readPage } from '../../../surfaces/text-mode/read-page.ts'

t.test('a page is read as its words, a line for each block', async t => {
  t.equal(readPage(page('Hall', 'House', '<p>Open &amp; warm.</p><ul><li>a</li><li><a href="/b">b</a></li></ul><dl><dt>Seats</dt><dd>40</dd></dl>')),
    'House\n\nHall\n\nOpen & warm.\n\n- a\n\n- b\n\nSeats\n\n40')
})

t.test('a drawing is read by its title and words; styles and scripts are no words', async t => {
  t.equal(readPage('<svg><title>A card</title><desc>Of lines.</desc><style>a{}</style><script>x</script><text>Ada</text><text>&lt;3</text></svg>'), 'A card\nOf lines.\nAda\n<3')
})
