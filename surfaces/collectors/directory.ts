import { closed, Count, nullable, Text, Texts, Type, type DataOf } from 'pantry/data'
import type { Organisations } from './organisations.ts'

/** The schema of an entry in the directory. */
const Item = closed({
  slug: Text,
  display_name: Text,
  kind: Text,
  region: nullable(Text),
  languages: Texts,
  games: Texts,
  description: Text,
  website_url: nullable(Text),
  public_contact_url: nullable(Text),
  accessibility_notes: nullable(Text),
  is_public: Type.Literal(true),
  verification_status: Type.Literal('self_attested_unverified'),
  listed_at: Text,
  created_at: Text,
  updated_at: Text,
  rights: closed({ license: Text, scope: Text })
})

export const Directory = closed({
  '@kind': Type.Literal('organisation_directory'),
  items: Type.Array(Item),
  pagination: closed({ total: Count, limit: Count, offset: Count }),
  filters: Type.Record(Text, Text),
  publication: closed({ requires: Text, verification: Text, correction: Text }),
  count_note: Text
})

/** Builds the body of a page of the directory. */
export const listed = (
  { items, total }: Awaited<ReturnType<Organisations['listed']>>,
  filters: Readonly<Record<string, string>>,
  limit: number,
  offset: number
): DataOf<typeof Directory> => ({
  '@kind': 'organisation_directory',
  items: items.map(item => ({
    ...item,
    is_public: true,
    verification_status: 'self_attested_unverified',
    rights: {
      license: 'NOASSERTION',
      scope: 'What a collective says of itself, to be read here as long as its receipt holds.'
    }
  })),
  pagination: { total, limit, offset },
  filters: { ...filters },
  publication: {
    requires: 'A receipt for the directory, apart from any other consent, which ends the listing when it ends.',
    verification:
      'None. An entry is what a collective says of itself; the operator approves that it is shown, and nothing more.',
    correction: 'Whoever wrote an entry changes it under their account; everyone can tell the operator with `feedback`.'
  },
  count_note: 'An empty list is a true one.'
})
