import { closed, Count, hashCanonical, invalid, nullable, Text, Texts, type DataOf } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { noteAct, operator } from '../accounts/acts.ts'
import { noticeVersion } from '../accounts/notice.ts'
import { requireOther } from '../accounts/own.ts'
import { conflict } from '../errors.ts'
import { checkRegion } from './profiles.ts'
import { EntryVersion, OrganisationEntry, OwnOrganisation } from './schemas.ts'

const entry = [
  'slug',
  'display_name',
  'kind',
  'region',
  'languages',
  'games',
  'description',
  'website_url',
  'public_contact_url',
  'accessibility_notes',
  'created_at',
  'updated_at'
]

const Listed = closed({
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
  created_at: Text,
  updated_at: Text,
  listed_at: Text
})

/** The query of a reader of the directory. */
type DirectoryQuery = Readonly<{
  q?: string
  kind?: string
  game?: string
  region?: string
  language?: string
  limit: number
  offset: number
}>

const Kept = closed({ ...OwnOrganisation.properties, person: Text })
const kept = Object.keys(Kept.properties)

/** The schema of an entry as the operator sees it. */
export const KnownOrganisation = closed({ ...Kept.properties, version: EntryVersion })

type Said = DataOf<typeof OrganisationEntry>
const said = Object.keys(OrganisationEntry.properties) as readonly (keyof Said)[]

/** Returns a hash of an entry and its author, which changes when either does. */
export const versionOf = ({ person, ...entry }: Said & Readonly<{ person: string }>): string =>
  hashCanonical([person, ...said.map(name => entry[name])])

/** Collectives as described by the people who speak for them; one per person. */
export class Organisations {
  readonly #database: Pick<Database, 'knex' | 'rows'>

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#database = database
  }

  async of(person: string): Promise<DataOf<typeof OwnOrganisation> | undefined> {
    const { knex, rows } = this.#database
    return (
      await rows(
        OwnOrganisation,
        knex('organisations')
          .select([...entry, 'approved_at'])
          .where({ person })
      )
    )[0]
  }

  /**
   * Stores the entry of a person. A changed entry must be approved again before it is shown. 400 if the slug belongs to
   * somebody else.
   */
  async put(person: string, written: DataOf<typeof OrganisationEntry>): Promise<void> {
    checkRegion(written.region)
    await this.#database.knex.transaction(async transaction => {
      await transaction.raw("select pg_advisory_xact_lock(hashtext('pantry organisations'))")
      const taken = await this.#database.rows(
        closed({ slug: Text }),
        transaction('organisations').select('slug').where({ slug: written.slug }).whereNot({ person })
      )
      if (taken.length > 0) throw invalid('slug', `\`${written.slug}\` is taken.`)
      await transaction('organisations')
        .insert({ person, ...written, updated_at: transaction.fn.now(), approved_at: null })
        .onConflict('person')
        .merge()
      await noteAct(transaction, person, 'organisations.put', person)
    })
  }

  /** Deletes an entry, by its author or by the operator with a reason; false if there is none. */
  async remove(
    where: Readonly<{ person: string } | { slug: string }>,
    actor: string,
    reason?: string
  ): Promise<boolean> {
    return await this.#database.knex.transaction(async transaction => {
      const removed = await this.#database.rows(
        closed({ person: Text }),
        transaction('organisations').where(where).delete().returning(['person'])
      )
      for (const { person } of removed)
        await noteAct(transaction, actor, 'organisations.remove', person, reason === undefined ? {} : { reason })
      return removed.length > 0
    })
  }

  /**
   * Approves the version of an entry that was read; false if there is no entry, 409 for its author, and if the entry
   * was changed since.
   */
  async approve(slug: string, version: string, actor = operator): Promise<boolean> {
    return await this.#database.knex.transaction(async transaction => {
      const [found] = await this.#database.rows(
        Kept,
        transaction('organisations').select(kept).where({ slug }).forUpdate()
      )
      if (found === undefined) return false
      requireOther(actor, [found.person])
      if (versionOf(found) !== version)
        throw conflict('The entry was changed after you read it. Please read it again, and approve it as it is now.', {
          slug
        })
      await transaction('organisations').where({ slug }).update({ approved_at: transaction.fn.now() })
      await noteAct(transaction, actor, 'organisations.approve', found.person)
      return true
    })
  }

  /** Returns all entries, unapproved ones first. */
  async all(): Promise<readonly DataOf<typeof KnownOrganisation>[]> {
    const { knex, rows } = this.#database
    const all = await rows(Kept, knex('organisations').select(kept).orderByRaw('approved_at nulls first, slug'))
    return all.map(one => ({ ...one, version: versionOf(one) }))
  }

  /** Returns a page of the listed entries that match the query, and their total number. */
  async listed({
    q,
    kind,
    game,
    region,
    language,
    limit,
    offset
  }: DirectoryQuery): Promise<Readonly<{ items: readonly DataOf<typeof Listed>[]; total: number }>> {
    const { knex, rows } = this.#database
    const wanted = knex('listed_organisations')
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
    const [counted] = await rows(closed({ total: Count }), wanted.clone().select(knex.raw('count(*)::int as total')))
    const items = await rows(
      Listed,
      wanted
        .select([...entry, 'listed_at'])
        .orderBy(['display_name', 'slug'])
        .limit(limit)
        .offset(offset)
    )
    return { items, total: counted?.total ?? 0 }
  }
}
