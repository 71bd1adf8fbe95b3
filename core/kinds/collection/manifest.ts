import type { Static } from 'typebox'
import type { JsonObject } from '../../canonical/json.ts'
import { Type } from '../../canonical/type.ts'
import type { Context, ManifestFile } from '../../manifest/kind.ts'
import { closed, Field, OnlyGet, type ManifestWith } from '../../manifest/manifest.ts'
import { CorpusField, corpusOf, FixedMembers } from '../fields.ts'
import { operators } from './operators/list.ts'
import type { Paging } from './page.ts'

const FilterField = Type.Union(
  [
    Field,
    Type.Object(
      {
        name: { ...Field, description: 'Query parameter.' },
        field: { ...Field, description: 'Field of the entry it is compared with.' },
        operation: Type.Enum(
          operators.map(({ name }) => name),
          { description: `${operators.map(({ name, meaning }) => `\`${name}\`: ${meaning}`).join('; ')}.` }
        )
      },
      closed
    )
  ],
  { description: 'A field of the entry, or a query parameter with another name or operation.' }
)

export const FiltersField = Type.Optional(
  Type.Array(FilterField, {
    examples: [['genre', { name: 'since', field: 'published', operation: 'since' }]],
    description: 'Query parameters that select entries; they combine with AND.'
  })
)

export const LimitField = Type.Object(
  {
    default: Type.Integer({ minimum: 1, description: 'Entries of an answer that was not asked for a number.' }),
    maximum: Type.Integer({ minimum: 1, maximum: 10_000, description: 'Most entries that can be asked for.' })
  },
  {
    ...closed,
    examples: [{ default: 20, maximum: 100 }],
    description: 'Number of entries; becomes the query parameter `limit`.'
  }
)

export const OrderField = Type.Optional(
  Type.Array(Type.String({ pattern: '^-?[A-Za-z_][A-Za-z0-9_]*$' }), {
    minItems: 1,
    uniqueItems: true,
    examples: [['-published', 'title']],
    description: 'Fields to sort by; `-field` from high to low. Default: the order of the corpus.'
  })
)

export const ShownFields = Type.Optional(
  Type.Array(Field, {
    minItems: 1,
    uniqueItems: true,
    examples: [['slug', 'title']],
    description: 'Fields of an entry that are shown, such as those of an index. Default: all.'
  })
)

export const fields = {
  method: Type.Optional(OnlyGet),
  corpus: CorpusField,
  filters: FiltersField,
  limit: Type.Optional(LimitField),
  page: Type.Optional(
    Type.Enum(['cursor', 'offset'], {
      examples: ['cursor'],
      description:
        'Pages of `limit` entries. `cursor`: the next page begins where this one ended, whatever is added meanwhile. `offset`: the next page skips a number of entries. The answer links to the next page.'
    })
  ),
  order: OrderField,
  pick: Type.Optional(
    Type.Enum(['daily'], {
      examples: ['daily'],
      description: 'One of the entries that the filters select, another each UTC day, the same for every caller.'
    })
  ),
  all: Type.Optional(
    Type.Literal(true, {
      examples: [true],
      description: 'With `pick`: adds the query parameter `all`, which asks for every entry that the filters select.'
    })
  ),
  fields: ShownFields,
  list: Type.Optional({
    ...Field,
    examples: ['guides'],
    description: 'Name of the list in the answer. Default `entries`; with `pick`, `entry`.'
  }),
  with: FixedMembers('the content of the corpus')
}

export type CollectionManifest = ManifestWith<typeof fields>

export type Limit = Readonly<Static<typeof LimitField>>

export type Filter = Readonly<{ name: string; field: string; operation: string }>

export type CollectionAnswer = Readonly<{
  corpus: string
  filters: readonly Filter[]
  limit: Limit | undefined
  page: Paging | undefined
  order: readonly string[]
  pick: CollectionManifest['pick'] | undefined
  all: CollectionManifest['all'] | undefined
  fields: CollectionManifest['fields'] | undefined
  list: string
  /** The members under `with` in the manifest, which come before all others. */
  fixed: JsonObject
}>

export const filtersOf = ({ filters = [] }: Pick<CollectionManifest, 'filters'>): Filter[] =>
  filters.map(filter => (typeof filter === 'string' ? { name: filter, field: filter, operation: 'equals' } : filter))

export const listOf = ({ list, pick }: CollectionManifest): string => list ?? (pick === undefined ? 'entries' : 'entry')

export function answerOf({ manifest }: ManifestFile<CollectionManifest>, context: Context): CollectionAnswer {
  const { corpus, limit, page, order, pick, all, fields, with: fixed = {} } = manifest
  return {
    corpus,
    filters: filtersOf(manifest),
    limit,
    page,
    order: order ?? corpusOf(context, corpus).order,
    pick,
    all,
    fields,
    list: listOf(manifest),
    fixed: fixed as JsonObject
  }
}
