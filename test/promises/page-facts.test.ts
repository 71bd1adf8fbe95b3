// test: sampled, slow.
import { renderToString } from 'preact-render-to-string'
import t from 'tap'
import { isOpen } from '../../core/access/index.ts'
import { requestOf } from '../../bin/promises/examples.ts'
import { siteOf } from '../../core/contract/envelope.ts'
import { writePage } from '../../core/format/html.ts'
import { SurfaceError } from '../../core/handler/errors.ts'
import type { Page, PageGiven } from '../../core/handler/page.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { someOf } from '../support/effort.ts'
import { unescaped } from '../support/markup.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'
import { unfounded } from '../support/unfounded.ts'

const { url: databaseUrl } = await bundledDatabase(t)

/** Each view that wrote a page, with what it was given. */
const noted: Readonly<{ code: Page; given: PageGiven }>[] = []
const note = (code: Page): Page => ({
  ...code,
  view: given => {
    noted.push({ code, given })
    return code.view(given)
  }
})
const { get, registry } = await serveGeneration(
  t,
  await generationOf(t, ['.'], { databaseUrl, wrap: code => ('view' in code ? note(code) : code) })
)

/** Without the moment at which it was asked for, and the hash that holds it. */
const timeless = (data: unknown): unknown =>
  JSON.parse(
    JSON.stringify(data, (name, value: unknown) => (/^@(?:retrieved_at|self_hash)$/.test(name) ? undefined : value))
  )

/** The same where every number is one. */
const allOne = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data, (_, value: unknown) => (typeof value === 'number' ? 1 : value)))

const pages = registry.surfaces
  .filter(({ page, access }) => page !== undefined && isOpen(access))
  .flatMap(({ examples }) => examples.filter(({ expect }) => expect.status === 200))

t.test('every value that a page shows comes from what it shows, as text', async t => {
  let exact = 0
  const tried = someOf(pages)
  for (const example of tried) {
    const html = await (await get(example.url, requestOf(example))).text()
    const last = noted.pop()
    if (last === undefined) throw new Error(`${example.url} was written by no view.`)
    const {
      code,
      given: { service, pathTo, path, ...data }
    } = last
    const write = (changed: unknown): string => {
      const content = code.view({ service, pathTo, path, ...(changed as object) } as PageGiven)
      if ('seeOther' in content) return ''
      return writePage(siteOf(registry), { title: content.title, path, main: renderToString(content.main) })
    }
    const { problems, trace } = unfounded(data, write)
    const ofOne = (): string => {
      try {
        return write(allOne(data))
      } catch (error) {
        // What is the same everywhere is no column, and nothing is sorted by it.
        if (error instanceof SurfaceError) return ''
        throw error
      }
    }
    t.same(
      ofOne().match(/(?<![\w.,:%/-])1 (?!as |is )[a-z]+s\b[^<]*/g) ?? [],
      [],
      `${example.url}: one is not called many`
    )
    const found = trace.texts.filter(one => one.exact).length
    t.same(problems, [], example.url)
    // A form that nothing was asked with shows no value.
    t.ok(
      trace.places >= 10 && (found > 0 || Object.keys(data.shown as object).length === 0),
      `${example.url}: ${found} texts of ${trace.places} places`
    )
    exact += found
    const isForm = example.body !== undefined
    const links = [...html.matchAll(/<link rel="alternate" type="application\/json" href="([^"]+)">/g)].map(
      ([, link = '']) => unescaped(link)
    )
    for (const [at, [name, shown]] of Object.entries(data.shown as object).entries()) {
      const link = links[at]
      t.equal(
        link === undefined,
        isForm,
        `${example.url}: a page links to what it shows, and what comes of a form has no address`
      )
      if (link === undefined) continue
      const body = (await (await get(link)).json()) as object
      t.same(
        timeless('_meta' in body && 'data' in body ? body.data : body),
        timeless(shown),
        `${example.url}: ${link} is what it shows as \`${name}\``
      )
    }
  }
  // The ten that show least show a hundred.
  t.ok(
    exact > (tried.length === pages.length ? 2000 : 100),
    `${exact} texts are those of the data, with nothing left out`
  )
})
