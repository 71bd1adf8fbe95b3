// test: long, alone. It writes and reads 200 MB, and measures the memory of a process.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { extname, join } from 'node:path'
import t from 'tap'

const entries = 400_000
/** What JSON Lines of other programs are full of: names, blanks and escapes that no value keeps. */
const line = (index: number): string =>
  `{ "id": "${String(index).padStart(7, '0')}", "a_rather_long_name_of_a_number": ${index},${' '.repeat(420)}"kind": "\\u006e\\u006f\\u0076\\u0065\\u006c" }\n`

/**
 * Loads the corpus in a process of its own whose heap could not hold the text of the file twice, and says what it took.
 */
const script = (loader: string, folder: string): string => `
  const { loadOneCorpus } = await import(${JSON.stringify(loader)})
  const started = performance.now()
  const { loaded, diagnostics } = loadOneCorpus('main', ${JSON.stringify(folder)}, 'large')
  console.log(JSON.stringify({
    entries: loaded?.corpus.entries.length, diagnostics: diagnostics.slice(0, 3), seconds: (performance.now() - started) / 1000, peak: process.resourceUsage().maxRSS * 1024
  }))`

t.test('a corpus of 200 MB is read in the memory that its values take', async t => {
  const folder = t.testdir()
  const top = join(folder, 'corpora', 'large')
  mkdirSync(top, { recursive: true })
  writeFileSync(join(top, 'corpus.yaml'), 'title: Large\nkey: id\norder: [id]\nlicense: CC0-1.0\nsource: Here.\n')
  writeFileSync(
    join(top, 'schema.yaml'),
    'type: object\nadditionalProperties: false\nrequired: [id]\nproperties:\n  id: { type: string }\n  a_rather_long_name_of_a_number: { type: integer }\n  kind: { enum: [novel] }\n'
  )
  const file = openSync(join(top, 'entries.jsonl'), 'w')
  let size = 0
  for (let index = 0; index < entries; index += 1000)
    size += writeSync(file, Array.from({ length: 1000 }, (_, at) => line(index + at)).join(''))
  closeSync(file)
  t.ok(size > 200_000_000, `${size} bytes`)

  const loader = new URL(`../../../core/corpus/load${extname(import.meta.filename)}`, import.meta.url).href
  const result = JSON.parse(
    execFileSync(
      process.execPath,
      ['--max-old-space-size=256', ...process.execArgv, '--input-type=module', '-e', script(loader, folder)],
      { encoding: 'utf8' }
    )
  ) as { entries: number; diagnostics: object[]; seconds: number; peak: number }
  t.same(result.diagnostics, [])
  t.equal(result.entries, entries)
  t.ok(result.peak < 550_000_000, `${Math.round(result.peak / 1e6)} MB at most, in ${result.seconds.toFixed(1)} s`)
})
