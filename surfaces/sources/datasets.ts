import { Text, Texts, Type, type DataOf, type JsonObject, type Service } from 'pantry/data'
import type { Holdings } from '../cards/open.ts'

/** An entry of the corpus `datasets`; the schema of the corpus documents each field. */
export const Dataset = Type.Object({
  id: Text,
  name: Text,
  description: Text,
  license: Type.Enum(['CC0-1.0', 'NOASSERTION']),
  availability: Type.Enum(['available', 'paused']),
  records: Text,
  source_rights: Type.Array(Type.Object({ source: Text, license: Text, note: Type.Optional(Text) })),
  variable_measured: Texts,
  keywords: Texts,
  freshness: Text,
  methodology: Text,
  distributions: Type.Array(
    Type.Object({ kind: Type.Enum(['api', 'status']), url: Text, encoding_format: Text, label: Text })
  )
})
export type Dataset = DataOf<typeof Dataset>

/** Counts the records of a dataset; null for `none`. Throws when `records` names something that cannot be counted. */
export function countRecords(
  { id, records }: Dataset,
  held: Holdings,
  corpora: Readonly<Record<string, Readonly<{ entries: readonly unknown[] }>>>
): number | null {
  if (records === 'none') return null
  if (records === 'games' || records === 'sets' || records === 'cards') return held[records]
  const corpus = corpora[records.replace(/^corpus:/, '')]
  if (corpus === undefined) throw new Error(`The dataset ${id} counts \`${records}\`, which its handler does not read.`)
  return corpus.entries.length
}

export function datasetEntry(dataset: Dataset, count: number | null, service: Service) {
  const {
    id,
    name,
    description,
    license,
    availability,
    source_rights: sourceRights,
    variable_measured: variables,
    keywords,
    methodology,
    distributions
  } = dataset
  const freshness = service.freshness[dataset.freshness]
  return {
    id,
    name,
    description,
    license,
    tier: service.tiers[license]?.label ?? license,
    availability,
    records_published: availability === 'available',
    record_count: count,
    source_rights: sourceRights,
    temporal_coverage: null,
    variable_measured: variables,
    keywords,
    freshness_note: freshness === undefined ? '' : `${freshness.meaning} Budget: ${freshness.seconds} s.`,
    methodology,
    distributions
  }
}

const publicDomain = 'https://creativecommons.org/publicdomain/zero/1.0/'

/**
 * Returns the datasets as a schema.org `DataCatalog`, which corresponds to the classes of DCAT 3 (W3C DCAT 3,
 * "Alignment with Schema.org"). `license` is shown only if there is one; its absence is no permission.
 */
export function dataCatalog(
  datasets: readonly Dataset[],
  { base_url: baseUrl, name }: Service,
  path: string
): JsonObject {
  const { origin } = new URL(baseUrl)
  const catalog = `${origin}${path}`
  const publisher = { '@type': 'Organization', name, url: baseUrl }
  return {
    '@context': 'https://schema.org',
    '@type': 'DataCatalog',
    '@id': catalog,
    name: `Datasets of ${name}`,
    description: 'What may be read here. Bodies of data whose publication is paused are left out.',
    url: catalog,
    license: publicDomain,
    publisher,
    dataset: datasets.map(dataset => ({
      '@type': 'Dataset',
      '@id': `${catalog}#${dataset.id}`,
      name: dataset.name,
      description: dataset.description,
      url: `${origin}${dataset.distributions[0]?.url.replace(/\/\{.*$/, '') ?? ''}`,
      ...(dataset.license === 'CC0-1.0'
        ? { license: publicDomain }
        : { conditionsOfAccess: 'No permission to reuse is asserted.' }),
      creator: publisher,
      publisher,
      includedInDataCatalog: { '@id': catalog },
      isAccessibleForFree: true,
      inLanguage: 'en',
      keywords: dataset.keywords,
      variableMeasured: dataset.variable_measured,
      distribution: dataset.distributions
        .filter(({ kind, url }) => kind === 'api' && !url.includes('{'))
        .map(({ encoding_format: encodingFormat, url, label }) => ({
          '@type': 'DataDownload',
          encodingFormat,
          contentUrl: `${origin}${url}`,
          name: label
        }))
    }))
  }
}
