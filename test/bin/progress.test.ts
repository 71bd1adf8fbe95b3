import { PassThrough } from 'node:stream'
import t from 'tap'
import { createProgress } from '../../bin/progress.ts'

function progressOn(
  interactive: boolean,
  now?: () => number
): { tell: ReturnType<typeof createProgress>; written: () => string } {
  const stream = new PassThrough()
  const tell = createProgress(stream as unknown as NodeJS.WriteStream, interactive, now)
  return { tell, written: () => String(stream.read() ?? '') }
}

t.test('plain lines: the start, every ten percent, the end', async t => {
  const { tell, written } = progressOn(false)
  for (let done = 0; done <= 40; done++) tell({ label: 'books', done, total: 40 })
  const lines = written().trimEnd().split('\n')
  t.equal(lines.length, 11)
  t.equal(lines[0], 'books: 0 %')
  t.match(lines[5], /^books: 50 %, \d+ s left$/)
  t.equal(lines[10], 'books: 100 %')
})

t.test('a bar on a terminal, ended by a new line', async t => {
  const { tell, written } = progressOn(true)
  tell({ label: 'books', done: 0, total: 40 })
  t.equal(written(), `\r\u001b[Kbooks [${' '.repeat(24)}] 0 %`)
  tell({ label: 'books', done: 20, total: 40 })
  t.match(written(), /^\r\u001b\[Kbooks \[#{12} {12}\] 50 %, \d+ s left$/)
  tell({ label: 'books', done: 40, total: 40 })
  t.equal(written(), `\r\u001b[Kbooks [${'#'.repeat(24)}] 100 %\n`)
})

t.test('lines can be written elsewhere', t => {
  const lines: string[] = []
  const stream = new PassThrough()
  const tell = createProgress(stream as unknown as NodeJS.WriteStream, false, undefined, line => lines.push(line))
  tell({ label: 'books', done: 0, total: 40 })
  t.strictSame([lines, stream.read()], [['books: 0 %'], null])
  t.end()
})

t.test('without a total it counts', async t => {
  const { tell, written } = progressOn(false)
  for (const done of [0, 500, 1000]) tell({ label: 'pages', done, total: undefined })
  t.equal(written(), 'pages: 0\npages: 1000\n')
})

t.test('what was done before the first step does not count as speed', async t => {
  let clock = 5000
  const { tell, written } = progressOn(false, () => clock)
  tell({ label: 'rows', done: 1, total: 10, rows: 1000 })
  t.equal(written(), 'rows: 10 %, 1000 rows\n')
  clock += 2000
  tell({ label: 'rows', done: 5, total: 10, rows: 1010 })
  t.equal(written(), 'rows: 50 %, 1010 rows, 5 a second, 3 s left\n')
})
