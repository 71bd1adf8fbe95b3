import { Count, nullable, reply, Text, Texts, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { countRecords, datasetEntry, dataCatalog, Dataset } from '../../sources/datasets.ts'

/** The schema of an entry that is only counted. */
const Counted = Type.Object({})

export default defineHandler({
  corpora: { datasets: Dataset, sources: Counted, gaps: Counted, changelog: Counted },
  entries: { in: 'datasets', key: 'id' },
  reply: Type.Object({
    '@kind': Type.Literal('dataset-catalog'),
    catalog: Text,
    count: Count,
    available_count: Count,
    paused_count: Count,
    datasets: Type.Array(
      Type.Object({
        id: Text,
        name: Text,
        description: Text,
        license: Type.Enum(['CC0-1.0', 'NOASSERTION']),
        tier: Text,
        availability: Type.Enum(['available', 'paused']),
        records_published: Type.Boolean(),
        record_count: nullable(
          Count,
          'How many records are kept; null when none are, or when the surface counts them itself.'
        ),
        source_rights: Type.Array(Type.Object({ source: Text, license: Text, note: Type.Optional(Text) })),
        temporal_coverage: Type.Null(),
        variable_measured: Texts,
        keywords: Texts,
        freshness_note: Text,
        methodology: Text,
        distributions: Type.Array(
          Type.Object({ kind: Type.Enum(['api', 'status']), url: Text, encoding_format: Text, label: Text })
        )
      })
    ),
    discovery: Type.Object({ jsonld: Text, methodology: Text })
  }),
  version: ({ kept }) => kept.version(),
  async handle({ service, corpora, path, pathTo }, { holdings }) {
    const held = await holdings()
    const { entries } = corpora.datasets
    const available = entries.filter(({ availability }) => availability === 'available')
    return reply(
      {
        '@kind': 'dataset-catalog',
        catalog: `Bodies of data that ${service.name} keeps or computes, with their rights. This is a list of them, not the data.`,
        count: entries.length,
        available_count: available.length,
        paused_count: entries.length - available.length,
        datasets: entries.map(dataset => datasetEntry(dataset, countRecords(dataset, held, corpora), service)),
        discovery: { jsonld: `${path}?format=jsonld`, methodology: pathTo('kind', { kind: 'methodology' }) }
      },
      { renderings: { jsonld: () => dataCatalog(available, service, path) } }
    )
  }
})
