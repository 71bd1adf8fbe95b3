import t from 'tap'
import { joinTables } from '../../bin/roots.ts'
import { isObject, type JsonValue } from '../../core/canonical/json.ts'
import { requestOf } from '../../bin/promises/examples.ts'
import type { PageGiven } from '../../core/handler/page.ts'
import { kinds } from '../../core/kinds/index.ts'
import { compileGeneration } from '../../core/plan/generation.ts'
import { openServices } from '../../bin/open-services.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { pageExamples } from '../support/page-examples.ts'
import { registryOf } from '../support/registry.ts'
import { serveGeneration } from '../support/serve-root.ts'

/** A text that people write, no word of the code that a view may compare with. */
const isWritten = (text: string): boolean => /[A-Z ]|[^\0-\x7f]/.test(text) && !text.startsWith('/')

const textsIn = (value: unknown): string[] => typeof value === 'string' ? [value] : Array.isArray(value) ? value.flatMap(textsIn) : isObject(value) ? Object.values(value).flatMap(textsIn) : []
const numbersIn = (value: unknown): string[] => typeof value === 'number' ? [String(value)] : typeof value === 'string' ? value.match(/\d+/g) ?? [] :
  Array.isArray(value) ? [String(value.length), ...value.flatMap(numbersIn)] : isObject(value) ? [String(Object.keys(value).length), ...Object.entries(value).flatMap(([name, one]) => [...numbersIn(name), ...numbersIn(one)])] : []

/** The same data with another text for each written one. */
function rewritten (data: unknown, textAt: (at: number) => string): unknown {
  const texts = [...new Set(textsIn(data).filter(isWritten))].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const marks = new Map(texts.map((text, at) => [text, textAt(at)]))
  const rewrite = (value: unknown): unknown => typeof value === 'string' ? marks.get(value) ?? value : Array.isArray(value) ? value.map(rewrite)
    : isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, rewrite(one)])) : value
  return rewrite(data)
}

/** Markers sort as the texts do, so tables keep their order. */
const mark = (at: number): string => `Mark${String(at).padStart(6, '0')}`

/** A name that somebody stored to run in the browser of whoever looks. */
const attack = (at: number): string => `"'></td></title><script>alert(${at})</script><img src=x onerror=alert(${at})>`

/** What the cells of tables and the values of facts say. */
const cellsOf = (html: string): string[] => [...html.matchAll(/<(td|th scope="row"|dd)[^>]*>(.*?)<\/(?:td|th|dd)>/gs)].map(([, , inner = '']) => inner.replaceAll(/<[^>]+>/g, '').replaceAll('&amp;', '&'))

t.test('every value that a page shows is one of what it shows', async t => {
  const { url: databaseUrl } = await bundledDatabase(t)
  const { roots, registry } = await registryOf(['.'], 'http://127.0.0.1:8080')
  let textAt: ((at: number) => string) | undefined
  let given: Pick<PageGiven, 'shown' | 'beside'> | undefined
  const wrapped = new Map([...joinTables(roots)].map(([id, code]) => [id, !('view' in code) ? code : {
    ...code,
    view: (one: PageGiven) => {
      given = one
      return (code).view(textAt === undefined ? one : { ...one, shown: rewritten(one.shown, textAt), beside: rewritten(one.beside, textAt) })
    }
  }]))
  const config = { host: '127.0.0.1', port: 0, databaseUrl, databaseReadUrl: undefined, pooler: undefined, dataDir: t.testdirName, baseUrl: undefined, logLevel: 'silent', adminPort: undefined, workers: 1 } as const
  const silent = { debug () {}, info () {}, warn () {}, error () {} }
  const services = await openServices(roots, registry, config, silent, { checkRows: true })
  t.teardown(() => services.close())
  /** Compiled for each page, so that no page is one that was kept. */
  const serve = async () => await serveGeneration(t, compileGeneration({ registry, kinds, handlers: wrapped, services: services.services, observe: now => ({ now, startedAt: now, subsystems: {} }), onFault: fault => { throw fault } }))
  let compared = 0
  for (const { surface, example } of pageExamples(registry).filter(one => one.example.expect.status === 200)) {
    // The explorer shows what a surface answers as text.
    if (surface.id.startsWith('explore')) continue
    const read = async (how?: (at: number) => string): Promise<string> => {
      textAt = how
      const { get } = await serve()
      return await (await get(example.url, requestOf(example))).text()
    }
    const real = cellsOf(await read())
    const data = given
    const withMarks = cellsOf(await read(mark))
    t.notMatch(await read(attack), /<script>alert|<img src=x|<\/title><script/, `${example.url}: what is stored stays text`)
    t.equal(withMarks.length, real.length, `${example.url}: as many values`)
    const numbers = new Set(numbersIn([data?.shown, data?.beside] as JsonValue))
    for (const [at, cell] of real.entries()) {
      const twin = withMarks[at] ?? ''
      if (/Mark\d{6}/.test(twin)) continue
      t.equal(twin, cell, `${example.url}: \`${cell}\` does not come from a text`)
      for (const [number] of cell.replaceAll(/(\d),(?=\d{3})/g, '$1').matchAll(/\d+/g)) t.ok(numbers.has(number) || numbers.has(String(Number(number))), `${example.url}: ${number} of \`${cell}\` is in its data`)
      compared += 1
    }
  }
  t.ok(compared > 300, `${compared} values`)
})
