import { closed, Count, hashCanonical, invalid, nullable, Text, Texts, Type, type DataOf } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { conflict } from '../common/errors.ts'
import { recordAct, operator, changeAndRecord } from './acts.ts'
import { requireOther } from './callers.ts'
import { EntryVersion, OrganisationEntry, OwnOrganisation, Profile } from './collector-schemas.ts'
import { noticeVersion } from './receipts.ts'
import { Repository } from '../common/repository.ts'

const emptyProfile: DataOf<typeof Profile> = { languages: [], region: null, cadence: null }

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Throws a 400 for a code that has no name in CLDR, and for `ZZ`, the unknown region of CLDR. */
function checkRegion(region: string | null): void {
  if (region !== null && (region === 'ZZ' || regions.of(region) === undefined))
    throw invalid('region', `\`${region}\` is no code of a country or territory (ISO 3166-1 alpha-2).`)
}

/** A profile is private until the person agrees to publish it. */
export class Profiles extends Repository {
  async of(person: string): Promise<DataOf<typeof Profile>> {
    const columns = Object.keys(Profile.properties)
    return (await this.first(Profile, this.knex('profiles').select(columns).where({ person }))) ?? emptyProfile
  }

  /** Replaces the previous profile. */
  async put(person: string, { languages, region, cadence }: DataOf<typeof Profile>): Promise<void> {
    checkRegion(region)
    await this.knex('profiles')
      .insert({ person, languages: [...new Set(languages)], region, cadence })
      .onConflict('person')
      .merge()
  }
}

const entry = {
  slug: Text,
  display_name: Text,
  kind: Text,
  region: nullable(Text),
  languages: Texts,
  games: Texts,
  description: Text,
  website_url: nullable(Text),
  public_contact_url: nullable(Text),
  accessibility_notes: nullable(Text)
}
const times = { created_at: Text, updated_at: Text }

const ListedRow = closed({ ...entry, ...times, listed_at: Text })

type DirectoryQuery = Readonly<{
  q?: string
  kind?: string
  game?: string
  region?: string
  language?: string
  limit: number
  offset: number
}>

const StoredOrganisation = closed({ ...OwnOrganisation.properties, person: Text })
const storedColumns = Object.keys(StoredOrganisation.properties)

export const KnownOrganisation = closed({ ...StoredOrganisation.properties, version: EntryVersion })

type OrganisationText = DataOf<typeof OrganisationEntry>
const entryNames = Object.keys(OrganisationEntry.properties) as readonly (keyof OrganisationText)[]

/** Returns a hash of the entry and of who speaks for it, which changes when one of them does. */
export const versionOf = ({ person, ...entry }: OrganisationText & Readonly<{ person: string }>): string =>
  hashCanonical([person, ...entryNames.map(name => entry[name])])

/** Collectives as described by the people who speak for them; one per person. */
export class Organisations extends Repository {
  async of(person: string) {
    return await this.first(
      OwnOrganisation,
      this.knex('organisations').select(Object.keys(OwnOrganisation.properties)).where({ person })
    )
  }

  /**
   * Stores the entry of a person. An entry that is stored again, changed or not, must be approved again before it is
   * shown. 400 if the slug belongs to somebody else, or for an unknown region.
   */
  async put(person: string, written: OrganisationText): Promise<void> {
    checkRegion(written.region)
    await this.knex.transaction(async transaction => {
      await transaction.raw("select pg_advisory_xact_lock(hashtext('pantry organisations'))")
      const taken = await this.rows(
        closed({ slug: Text }),
        transaction('organisations').select('slug').where({ slug: written.slug }).whereNot({ person })
      )
      if (taken.length > 0) throw invalid('slug', `\`${written.slug}\` is taken.`)
      await transaction('organisations')
        .insert({ person, ...written, updated_at: transaction.fn.now(), approved_at: null })
        .onConflict('person')
        .merge()
      await recordAct(transaction, person, 'organisations.put', person)
    })
  }

  /** Removes an entry; false if there is none. `reason` is given if somebody other than its author removes it. */
  async remove(
    where: Readonly<{ person: string } | { slug: string }>,
    actor: string,
    reason?: string
  ): Promise<boolean> {
    const removed = await changeAndRecord(
      this.store,
      actor,
      'organisations.remove',
      transaction => transaction('organisations').where(where).delete().returning('person as id'),
      reason === undefined ? {} : { reason }
    )
    return removed !== undefined
  }

  /**
   * Approves the version that was read; false if there is no entry, 409 if the actor is its author or the entry was
   * changed since.
   */
  async approve(slug: string, version: string, actor = operator): Promise<boolean> {
    return await this.knex.transaction(async transaction => {
      const found = await this.first(
        StoredOrganisation,
        transaction('organisations').select(storedColumns).where({ slug }).forUpdate()
      )
      if (found === undefined) return false
      requireOther(actor, [found.person])
      if (versionOf(found) !== version)
        throw conflict('The entry was changed after you read it. Please read it again, and approve it as it is now.', {
          slug
        })
      await transaction('organisations').where({ slug }).update({ approved_at: transaction.fn.now() })
      await recordAct(transaction, actor, 'organisations.approve', found.person)
      return true
    })
  }

  async all(): Promise<readonly DataOf<typeof KnownOrganisation>[]> {
    const all = await this.rows(
      StoredOrganisation,
      this.knex('organisations').select(storedColumns).orderByRaw('approved_at nulls first, slug')
    )
    return all.map(one => ({ ...one, version: versionOf(one) }))
  }

  async listed({
    q,
    kind,
    game,
    region,
    language,
    limit,
    offset
  }: DirectoryQuery): Promise<Readonly<{ items: readonly DataOf<typeof ListedRow>[]; total: number }>> {
    const matching = this.knex('listed_organisations')
      .where({ notice_version: noticeVersion })
      .modify((query: Knex.QueryBuilder) => {
        if (q !== undefined)
          void query.whereRaw('strpos(lower(concat_ws(chr(10), slug, display_name, description)), lower(?)) > 0', [
            q.trim()
          ])
        if (kind !== undefined) void query.where({ kind })
        if (game !== undefined) void query.whereRaw('? = any(games)', [game])
        if (region !== undefined) void query.where({ region })
        if (language !== undefined) void query.whereRaw('? = any(languages)', [language])
      })
    const counted = await this.first(
      closed({ total: Count }),
      matching.clone().select(this.knex.raw('count(*)::int as total'))
    )
    const items = await this.rows(
      ListedRow,
      matching.select(Object.keys(ListedRow.properties)).orderBy(['display_name', 'slug']).limit(limit).offset(offset)
    )
    return { items, total: counted?.total ?? 0 }
  }
}

const ListedEntry = closed({
  ...entry,
  is_public: Type.Literal(true),
  verification_status: Type.Literal('self_attested_unverified'),
  listed_at: Text,
  ...times,
  rights: closed({ license: Text, scope: Text })
})

export const Directory = closed({
  '@kind': Type.Literal('organisation_directory'),
  items: Type.Array(ListedEntry),
  pagination: closed({ total: Count, limit: Count, offset: Count }),
  filters: Type.Record(Text, Text),
  publication: closed({ requires: Text, verification: Text, correction: Text }),
  count_note: Text
})

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
