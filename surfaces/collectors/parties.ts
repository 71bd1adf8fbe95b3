import { closed, nullable, Text, Texts, Type } from 'pantry/data'
import type { Database } from 'pantry/database'
import { noticeVersion } from '../accounts/notice.ts'
import type { Published } from './bridge.ts'
import { cadenceNames } from './schemas.ts'

const Person = closed({
  id: Text,
  scopes: Texts,
  languages: nullable(Texts),
  region: nullable(Text),
  cadence: nullable(Type.Enum(cadenceNames))
})
const Collective = closed({ languages: Texts, region: nullable(Text) })
const OnList = closed({ list: Text, sku: Text })

/** The published data of a party that does not exist or has published nothing. */
const nothing: Published = {}

/** The data that people and collectives have published, by current receipts. */
export class Parties {
  readonly #database: Pick<Database, 'knex' | 'rows'>

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#database = database
  }

  /** Returns the published data of a party. `name` is `u:` with a username, or `c:` with the slug of a collective. */
  async published(name: string): Promise<Published> {
    return await (name.startsWith('u:') ? this.#person(name.slice(2)) : this.#collective(name.slice(2)))
  }

  async #person(username: string): Promise<Published> {
    const { knex, rows } = this.#database
    const [person] = await rows(
      Person,
      knex('people as p')
        .leftJoin('profiles as f', 'f.person', 'p.id')
        .where('p.username', username)
        .whereNull('p.suspended_at')
        .select(
          'p.id',
          'f.languages',
          'f.region',
          'f.cadence',
          knex.raw(
            'array(select scope from publication_receipts r where r.person = p.id and r.notice_version = ? and r.withdrawn_at is null) as scopes',
            [noticeVersion]
          )
        )
    )
    const has = (scope: string): boolean => person?.scopes.includes(scope) === true
    if (person === undefined || !has('profile')) return nothing
    const { languages, region, cadence } = person
    const published = (['have', 'want'] as const).filter(list => has(`${list}-list`))
    const cards =
      published.length === 0
        ? []
        : await rows(
            OnList,
            knex('list_cards').select('list', 'sku').where({ person: person.id }).whereIn('list', published)
          )
    return {
      ...Object.fromEntries(
        published.map(name => [name, new Set(cards.filter(({ list }) => list === name).map(({ sku }) => sku))])
      ),
      ...(has('language') && languages !== null ? { languages: new Set(languages) } : {}),
      ...(has('region') && region !== null ? { region } : {}),
      ...(cadence === null ? {} : { cadence })
    }
  }

  async #collective(slug: string): Promise<Published> {
    const { knex, rows } = this.#database
    const [found] = await rows(
      Collective,
      knex('listed_organisations').select('languages', 'region').where({ slug, notice_version: noticeVersion })
    )
    return found === undefined
      ? nothing
      : { languages: new Set(found.languages), ...(found.region === null ? {} : { region: found.region }) }
  }
}
