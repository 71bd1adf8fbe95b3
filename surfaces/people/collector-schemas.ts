import { closed, Count, nullable, Text, Texts, Type } from 'pantry/data'

export const listNames = ['have', 'want'] as const
export type ListName = (typeof listNames)[number]

export const cadences = { 'same-day': 24, 'few-days': 72, weekly: 168, monthly: 720 } as const
export type Cadence = keyof typeof cadences
export const cadenceNames = Object.keys(cadences) as readonly Cadence[]

export const organisationKinds = ['shop', 'club', 'guild', 'lab', 'tournament-collective', 'other'] as const

export const Language = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  maxLength: 35,
  description: 'Language tag (BCP 47), such as `en` or `zh-Hans`.'
})
export const Region = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'Country or territory (ISO 3166-1 alpha-2), such as `NL`.'
})
const Cadence = Type.Enum(cadenceNames, { description: 'How soon an answer usually comes.' })

export const Profile = closed({
  languages: Type.Array(Language, { maxItems: 10 }),
  region: nullable(Region),
  cadence: nullable(Cadence)
})

const ListCard = closed({ sku: Text, quantity: Type.Integer({ minimum: 1 }), name: nullable(Text) })

export const Lists = closed({ have: Type.Array(ListCard), want: Type.Array(ListCard), most: Count })

export const Line = closed({
  line: Type.Integer({
    minimum: 1,
    description:
      'Its number, from 1: pasted lines first, then those of the file; the first line of a table is not counted.'
  }),
  text: Text,
  status: Type.Enum(['added', 'not_found', 'ambiguous', 'invalid', 'full'], {
    description: '`full`: the list holds as many cards as it can.'
  }),
  sku: nullable(Text),
  quantity: nullable(Count),
  candidates: Texts
})
export const Imported = closed({ list: Type.Enum(listNames), added: Count, lines: Type.Array(Line) })

const Url = Type.String({ pattern: '^https://[^\\s]+$', maxLength: 300 })
export const Slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 80,
  description: 'Its name in addresses.'
})
const organisation = {
  slug: Slug,
  display_name: Type.String({ minLength: 1, maxLength: 120, description: 'What it calls itself.' }),
  kind: Type.Enum(organisationKinds, { description: 'What it is.' }),
  region: nullable(Region),
  languages: Type.Array(Language, { maxItems: 10 }),
  games: Type.Array(Type.String({ pattern: '^[a-z0-9]+$', maxLength: 12, description: 'Token of a game.' }), {
    maxItems: 30
  }),
  description: Type.String({ minLength: 1, maxLength: 500, description: 'What it does.' }),
  website_url: nullable(Url, 'Where it is found.'),
  public_contact_url: nullable(Url, 'Where it is reached, by everyone.'),
  accessibility_notes: nullable(Type.String({ maxLength: 500 }), 'What visitors with a disability should know.')
}

export const OrganisationEntry = closed(organisation)

export const EntryVersion = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'Hash of what the entry says and whose it is: what is approved is what was read.'
})

export const OwnOrganisation = closed({
  ...organisation,
  created_at: Text,
  updated_at: Text,
  approved_at: nullable(Text)
})

const units = ['share', 'cards', 'languages', 'word'] as const
export type Unit = (typeof units)[number]

/** Why a metric has no value. An unknown or suspended party looks like one that has not published. */
const reason = nullable(Type.Enum(['not_published', 'nothing_to_compare']), 'Why there is no value.')
const unit = Type.Enum(units, {
  description:
    'What the value is: a share from 0 to 1, where 1 is all; a number of different cards, however many of each; tags of languages; or a word.'
})
const formula = Type.String({ description: 'What the value says of what A and B have published.' })
const metric = { unit, reason, formula }
const Metric = closed({ value: nullable(Type.Number()), ...metric })

export const Metrics = closed({
  portfolio_jaccard: Metric,
  portfolio_shared_count: Metric,
  wishlist_jaccard: Metric,
  a_wants_from_b: Metric,
  b_wants_from_a: Metric,
  trade_potential: Metric,
  language_jaccard: Metric,
  shared_languages: closed({ value: nullable(Texts), ...metric }),
  region_match: closed({ value: nullable(Type.Enum(['same', 'different'])), ...metric }),
  cadence_ratio: Metric,
  bridge_score: Metric
})

export const Bridge = closed({
  a: Text,
  b: Text,
  metrics: Metrics,
  bridge_score: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  covered_percent: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'The weight of the parts that have a value, of 100 %. Below 50 there is no score.'
  }),
  note: Text
})

export const Party = Type.String({
  pattern: '^[uc]:[a-z0-9][a-z0-9-]{0,80}$',
  description: 'A person, `u:<username>`, or a collective, `c:<slug>`.',
  examples: ['u:marigold']
})
