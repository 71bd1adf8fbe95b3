import { Type } from '../canonical/type.ts'
import {
  entryPagesOf,
  hasPublicPage,
  maxUrls,
  noPart,
  sitemap,
  sitemapIndex,
  type Sitemap
} from '../discovery/sitemap.ts'
import { OnlyGet, type ManifestWith } from '../manifest/manifest.ts'
import { checkPlaceholders } from '../manifest/rules.ts'
import type { Surface } from '../manifest/surface.ts'
import type { ContentSource, KindDependencies } from '../plan/kind.ts'
import { corpusOf, corpusReference, declaredContracts } from './fields.ts'
import { defineKind } from './kind.ts'
import { RowsField } from './rows/manifest.ts'
import { keepEnds } from './rows/part-ends.ts'
import { corpusFor } from './rows/scaffold.ts'
import { defaultPath, nameOf, withoutPlaceholders } from './scaffold.ts'

const fields = { method: Type.Optional(OnlyGet), corpus: RowsField }

type RowSitemapAnswer = Readonly<{ corpus: string }>

/**
 * Compiles the sitemap of the pages of a table's rows: one document, or an index of parts. A part begins where the rows
 * before it end, so that it reads no more rows than it lists. Where parts end is up to ten minutes old, so that a row
 * that came meanwhile may be missing until then.
 */
function compileRowSitemap(
  { answer, route }: Surface<RowSitemapAnswer>,
  given: KindDependencies<'corpora' | 'tables' | 'registry'>
): ContentSource {
  const corpus = corpusOf(given, answer.corpus)
  const table = given.tables(corpus)
  const { registry } = given
  // Without a page of its own a row is shown to whoever asks its surface for HTML, as search engines do.
  const own = entryPagesOf(corpus.name, registry)
  const pages = own.length > 0 ? own : entryPagesOf(corpus.name, registry, hasPublicPage)
  const size = Math.floor(maxUrls / Math.max(1, pages.length))
  const endsAt = keepEnds(after => table.end(size, after))

  async function pathsAfter(after: readonly (string | null)[] | undefined): Promise<string[]> {
    const { rows } = await table.list({
      conditions: [],
      columns: [corpus.key],
      order: [corpus.key],
      after,
      limit: size
    })
    const keys = rows.map(row => row[corpus.key] as string | number)
    return pages.flatMap(pathOf => keys.map(pathOf))
  }

  async function answerFor(part: unknown, now: Date): Promise<Sitemap> {
    const ends = pages.length === 0 ? [] : await endsAt(now)
    const count = ends.length + 1
    if (part === undefined && count > 1) return sitemapIndex(route.path, count)
    const at = part === undefined ? 1 : Number(part)
    if (at > count) throw noPart(at, count)
    return { '@kind': 'sitemap', urls: pages.length === 0 ? [] : await pathsAfter(ends[at - 2]) }
  }

  return {
    when: 'live',
    answer: async ({ query }, { now }) => ({ status: 200, data: await answerFor(query['part'], now) })
  }
}

export const rowSitemap = defineKind<ManifestWith<typeof fields>, RowSitemapAnswer, 'corpora' | 'tables' | 'registry'>({
  name: 'row-sitemap',
  meaning: 'The pages of the rows of a table, for search engines.',
  reaches: ['corpora', 'tables', 'registry'],
  fields,
  holds: ['value', 'urls'],
  contracts: declaredContracts,
  checkPath: file => checkPlaceholders(file, []),
  refersTo: ({ manifest }) => [corpusReference(manifest.corpus)],
  answer: ({ manifest: { corpus } }) => ({ corpus }),
  facts: () => ({}),
  input: () => ({ ...sitemap.input }),
  output: () => sitemap.schema,
  compile: compileRowSitemap,
  scaffold: ({ id, path = defaultPath(id), corpus: name = nameOf(id) }, { registry }) => {
    const { license, parts } = corpusFor(name, registry)
    return {
      path: withoutPlaceholders('row-sitemap', path),
      tier: license,
      provenance: 'live',
      contract: 'bare',
      formats: ['sitemap', 'json'],
      fields: { corpus: name },
      examples: [{ title: 'As search engines read it' }],
      ...parts
    }
  }
})
