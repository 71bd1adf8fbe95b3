// test: long. `pantry dev` in processes of its own, with code that is edited.
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { libraryIn } from '../../support/command-line.ts'
import { eventually } from '../../support/eventually.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { startService, stopService } from '../../support/service.ts'

const handler = (words: string): string => `import { defineHandler, Type } from 'pantry/handler'
import { greeting } from '../greeting.tsx'

export default defineHandler({
  reply: Type.Object({ greeting: Type.String(), words: Type.String(), pid: Type.Integer() }),
  handle: (): { data: { greeting: string; words: string; pid: number } } => ({ data: { greeting, words: '${words}', pid: process.pid } })
})
`
const view = (tag: string): string => `export const greeting: string = \`\${(<${tag}>hello</${tag}>).type}\`\n`

const root = libraryIn(
  t.testdir({ surfaces: { 'greeting.tsx': view('b'), handlers: { 'hello.ts': handler('first') } } })
)
const today = readFileSync(join(root, 'manifests/today.yaml'), 'utf8')
const manifest = today
  .replace('kind: collection', 'kind: handler')
  .replace('library/today', 'library/hello')
  .replace(/^(?:corpus|pick|list): .*\n/gm, '')
writeFileSync(join(root, 'manifests/hello.yaml'), manifest)

const service = await startService(t, {
  command: 'dev',
  args: ['--root', root],
  env: { PANTRY_DATA_DIR: scratchFolder(t) }
})
const hello = async (): Promise<{ greeting: string; words: string; pid: number }> =>
  ((await (await fetch(`${service.url}/api/v1/library/hello`)).json()) as { data: never }).data
const untilWords = (wanted: string): Promise<void> =>
  eventually(async () => {
    const { words } = await hello()
    if (words !== wanted) throw new Error(`It says ${words}, not ${wanted}.`)
  }, 60)
const first = await hello()
let seen = 0
/** What was printed since this was last asked, once it has a pattern in it. */
const said = async (pattern: RegExp, seconds = 60): Promise<string> =>
  await eventually(() => {
    const text = service.stderr().slice(seen)
    if (!pattern.test(text)) throw new Error(`It said: ${text}`)
    seen += text.length
    return text
  }, seconds)

t.test('an edited handler is served by another worker, and what its examples answer now is printed', async t => {
  t.match(first, { greeting: 'b', words: 'first' })
  writeFileSync(join(root, 'surfaces/handlers/hello.ts'), handler('second'))
  const text = await said(/asked, .* differently\n[^]*second/)
  t.match(text, /surfaces\/handlers\/hello\.ts served after \d+ ms\n/)
  t.match(text, / {2}GET \/api\/v1\/library\/hello\n[^]* - "words": "first",\n[^]* \+ "words": "second",\n/)
  const now = await hello()
  t.match(now, { words: 'second' })
  t.not(now.pid, first.pid)
})

t.test('the explorer shows the stages of an answer, each with its place', async t => {
  const text = await (await fetch(`${service.url}/explore/get_hello?run=yes`)).text()
  t.match(text, '<summary>Stages</summary>')
  t.match(text, /<th scope="row">content<\/th>[^]*surfaces\/handlers\/hello\.ts:\d+<\/code>[^]*status 200/)
})

/** A second handler of the same file. */
const later = handler('later')
  .replace('export default', 'export const later =')
  .replace(/^import .*\n/gm, '')

t.test('so is a view, and a handler that is new in its file', async t => {
  writeFileSync(join(root, 'surfaces/greeting.tsx'), view('i'))
  await said(/greeting\.tsx served after \d+ ms\n[^]*differently/)
  t.match(await hello(), { greeting: 'i' })
  writeFileSync(join(root, 'surfaces/handlers/hello.ts'), handler('second') + later)
  mkdirSync(join(root, 'manifests/hello'))
  writeFileSync(join(root, 'manifests/hello/later.yaml'), manifest.replace('library/hello', 'library/later'))
  await eventually(async () => {
    if ((await fetch(`${service.url}/api/v1/library/later`)).status !== 200) throw new Error('It is not served.')
  }, 60)
  await said(/differently/)
  writeFileSync(join(root, 'surfaces/handlers/hello.ts'), handler('second') + later.replace("'later'", "'late'"))
  // What is printed may arrive in parts.
  await said(/ {2}GET \/api\/v1\/library\/later\n[^]* \+ "words": "late",\n/)
})

t.test('manifests and corpora are taken in by the worker that serves', async t => {
  const { pid } = await hello()
  writeFileSync(join(root, 'manifests/hello.yaml'), manifest.replace(/^summary: .*$/m, 'summary: Says hello again.'))
  await said(/reloaded .*hello\.yaml in \d+ ms: .*\n[^]*differently/)
  t.equal((await hello()).pid, pid)
})

t.test('what is wrong is told with its place, and what was served before is served on', async t => {
  const before = await hello()
  appendFileSync(join(root, 'surfaces/greeting.tsx'), 'export const = 2\n')
  await said(
    /surfaces\/greeting\.tsx:2:14: Expected identifier[^]*greeting\.tsx refused: what was served before is served on\n/
  )
  t.strictSame(await hello(), before)
  writeFileSync(join(root, 'surfaces/greeting.tsx'), view('i'))

  writeFileSync(join(root, 'surfaces/handlers/hello.ts'), `${handler('third')}throw new Error('no such harbour')\n`)
  await said(/H106.*no such harbour[^]*hello\.ts refused/)
  t.strictSame(await hello(), before)

  writeFileSync(join(root, 'surfaces/handlers/hello.ts'), handler('fourth'))
  // A manifest is without its handler.
  await said(/later\.yaml[^]*refused/)
  rmSync(join(root, 'manifests/hello/later.yaml'))
  await said(/served after|reloaded/)
  // The manifest may be taken in before the code.
  await untilWords('fourth')
})

t.test('what lies beside broken code is taken in, and nothing is lost when the code is as it was', async t => {
  const summary = async (): Promise<string> =>
    JSON.stringify(await (await fetch(`${service.url}/api/v1/manifest`)).json())
  const good = readFileSync(join(root, 'surfaces/handlers/hello.ts'), 'utf8')
  writeFileSync(join(root, 'surfaces/handlers/hello.ts'), 'export const = 2\n')
  await said(/refused/)
  writeFileSync(join(root, 'manifests/hello.yaml'), manifest.replace(/^summary: .*$/m, 'summary: Says it beside.'))
  await said(/refused[^]*reloaded/)
  t.match(await summary(), /Says it beside\./)
  writeFileSync(join(root, 'surfaces/handlers/hello.ts'), good)
  writeFileSync(join(root, 'manifests/hello.yaml'), manifest.replace(/^summary: .*$/m, 'summary: Says it again.'))
  await eventually(async () => {
    if (!(await summary()).includes('Says it again.')) throw new Error('It is lost.')
  }, 60)
})

t.test('code that an edit begins to import is watched wherever it is', async () => {
  mkdirSync(join(root, 'words'))
  writeFileSync(join(root, 'words/greet.ts'), "export const greeting = 'from afar'\n")
  writeFileSync(
    join(root, 'surfaces/handlers/hello.ts'),
    handler('x').replace('../greeting.tsx', '../../words/greet.ts')
  )
  await said(/differently\n[^]*from afar/)
  writeFileSync(join(root, 'words/greet.ts'), "export const greeting = 'from farther'\n")
  await said(/words\/greet\.ts served after[^]*differently\n[^]*from farther/)
})

t.test(
  'a handler that never ends its work is replaced by the next edit of code, also while a reload waits for it',
  async () => {
    writeFileSync(
      join(root, 'surfaces/handlers/hello.ts'),
      handler('x').replace('=> ({ data', '=> { for (;;) { } return ({ data').replace('pid } })', 'pid } }) }')
    )
    await said(/served after/)
    writeFileSync(join(root, 'manifests/hello.yaml'), manifest.replace(/^summary: .*$/m, 'summary: Says it meanwhile.'))
    await sleep(500)
    writeFileSync(join(root, 'surfaces/handlers/hello.ts'), handler('free'))
    await said(/hello\.ts[^\n]* served after/, 20)
    await untilWords('free')
  }
)

t.test('requests are answered while a worker takes the place of another one', async t => {
  let isOver = false as boolean
  const asked = (async () => {
    let answered = 0
    while (!isOver) {
      const { status } = await fetch(`${service.url}/api/v1/library/hello`)
      if (status !== 200) return status
      answered += 1
    }
    return answered
  })()
  writeFileSync(join(root, 'surfaces/handlers/hello.ts'), handler('fifth'))
  await said(/served after \d+ ms\n[^]*differently/)
  isOver = true
  t.ok((await asked) > 0)
  t.match(await hello(), { words: 'fifth' })
})

t.test(
  'it ends when it is asked to, and leaves no bundles that other commands would run instead of what is written',
  async t => {
    t.equal(await stopService(service), 0)
    t.throws(() => readFileSync(join(root, 'dist/bundle/modules.json')), { code: 'ENOENT' })
  }
)
