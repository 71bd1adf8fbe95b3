import { Type, nullable, NullableText, Text } from 'pantry/data'

const Count = Type.Integer({ minimum: 0 })

/** The fields of a source that pages use. */
export const ShownSource = Type.Object({
  id: Text,
  name: Text,
  upstream: Text,
  upstream_url: NullableText,
  status: Text,
  status_reason: Text,
  open_conditions: Type.Array(Text),
  exceptions: Type.Array(Type.Object({ field: Text, form: Text, reason: Text })),
  license: Text,
  repository_license: NullableText,
  license_statement: Text,
  redistribute: Type.Boolean(),
  games: Type.Array(Text),
  languages: Type.Array(Text),
  cadence: NullableText,
  freshness_budget_hours: nullable(Count)
})

export const ShownHealth = Type.Object({ state: Text, reason: Text })

/** The fields of `/api/v1/sources` that pages use. */
export const SourceList = Type.Object({
  counts: Type.Object({ registered_total: Count, wired: Count, planned: Count, blocked: Count }),
  sources: Type.Array(Type.Object({ ...ShownSource.properties, health: ShownHealth }))
})
