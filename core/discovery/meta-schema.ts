import type { TSchema } from 'typebox'
import type { JsonObject } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { memoize } from '../canonical/work.ts'
import { compileMeta, metaFactsOf } from '../contract/envelope.ts'
import { errorCodesOf } from '../manifest/service-defaults.ts'
import type { EnvelopeMember } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { inferSchema } from '../schema/json-schema.ts'
import type { metaFields, occasionalMetaFields } from '../vocabulary/words.ts'
import { Closed, MapOf, Nullable, Path, Text, Texts } from './define.ts'
import { mapValues } from './pointers.ts'

const properties: Record<(typeof metaFields)[number], TSchema> = {
  spec_version: Type.String({ description: 'Version of the contract.' }),
  endpoint: Type.String({ pattern: '^/', description: 'Request path, without the query.' }),
  retrieved_at: Type.String({ format: 'date-time', description: 'When this answer was made.' }),
  as_of: Type.String({ format: 'date-time', description: 'When the data was current.' }),
  request_id: Type.String({ pattern: '^req_[A-Za-z0-9_-]+$', description: 'Also sent as X-Request-Id.' }),
  sources: Type.Array(Text, { description: 'Labels of the upstream sources.' }),
  source_license: Type.Array(Text, { description: 'Rights labels of the sources.' }),
  freshness_seconds: Type.Integer({ minimum: 0, description: 'How long the answer counts as fresh.' }),
  license: Type.String({ description: 'License tier of this answer.' }),
  deprecation: Nullable(
    Closed(
      {
        date: Type.String({
          format: 'date',
          description: 'Since when the surface should no longer be used; also sent as `Deprecation`.'
        }),
        sunset: Nullable(Type.String({ format: 'date', description: 'When it ends; also sent as `Sunset`.' })),
        successor: Nullable(Path),
        reason: Text
      },
      'Null when nothing is deprecated.'
    )
  ),
  next_link: Nullable(
    Type.String({
      pattern: '^/',
      description: 'Path and query of the next page, as in `Link`; null on the last page and where there are none.'
    })
  ),
  self_reference: Nullable(Closed({ this_endpoint: Path, contains_self: Type.Boolean() })),
  does_not_include: Type.Array(Text, { description: 'What the answer leaves out on purpose.' })
}

/** The schema of `next_link` if the service says `next_link: false`. */
const withoutNextLink = Type.Null({ description: 'Always null: `Link` alone says what the next page is.' })

/** Schemas of the fields that only some answers have; they are published only if a surface has languages. */
const occasional: Record<(typeof occasionalMetaFields)[number], TSchema> = {
  language: Type.Optional(
    Closed(
      {
        tag: Type.String({ description: 'The language that was chosen (BCP 47).' }),
        available: Type.Array(Text, { description: 'Languages that can be asked for, the default first.' }),
        fallback: Nullable(
          Closed(
            {
              tag: Type.String({ description: 'The default language.' }),
              untranslated: MapOf(Texts, 'Members in the default language, by the key of their entry.')
            },
            'What is not translated; null when everything is.'
          )
        )
      },
      'In which language the answer is. Only where the content has languages.'
    )
  )
}

function memberSchema(member: EnvelopeMember, { corpora }: Registry): object {
  const { meaning: description, schema } = member
  if (schema !== undefined) return schema
  return 'corpus' in member
    ? { anyOf: [corpora.get(member.corpus)?.schema ?? {}, { type: 'null' }], description }
    : { ...inferSchema(member.value), description }
}

export function metaSchema(registry: Registry) {
  const declared: Record<string, TSchema> = mapValues(registry.service.envelope, member =>
    memberSchema(member, registry)
  )
  const hasLanguages = registry.surfaces.some(({ languages }) => languages !== undefined)
  return Closed(
    {
      ...properties,
      ...(registry.service.next_link ? {} : { next_link: withoutNextLink }),
      ...(hasLanguages ? occasional : {}),
      ...declared
    },
    'Where the answer comes from, how fresh it is, and under which rights.'
  )
}

export const errorSchema = ({ service }: Registry) =>
  Closed(
    {
      code: Type.Enum(Object.keys(errorCodesOf(service))),
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      message: Text,
      details: Type.Optional(MapOf(Type.Unknown(), 'The field at fault, the allowed values, the limits.')),
      docs: Type.String({ description: 'Where to read more.' })
    },
    'What went wrong, and what to do about it.'
  )

const exampleTime = '2026-01-01T00:00:00.000Z'
const exampleId = 'req_0000000000000000'

const writerOf = memoize(compileMeta)

/** Returns an example of the `_meta` of a surface, with a fixed time and id, by the code that writes real ones. */
export function sampleMeta(registry: Registry, surface: Surface): JsonObject {
  const [beforeTime, beforeId, end] = writerOf(registry)(
    surface.route.path,
    exampleTime,
    metaFactsOf(surface, registry)
  )
  return JSON.parse(beforeTime + exampleTime + beforeId + exampleId + end) as JsonObject
}
