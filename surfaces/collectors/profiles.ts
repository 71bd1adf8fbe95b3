import { invalid, type DataOf } from 'pantry/data'
import type { Database } from 'pantry/database'
import { Profile } from './schemas.ts'

const nothing: DataOf<typeof Profile> = { languages: [], region: null, cadence: null }

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Whether a region exists. `ZZ` is excluded because CLDR uses it for an unknown region. */
const isRegion = (region: string): boolean => region !== 'ZZ' && regions.of(region) !== undefined

/** Throws a 400 for a code that no country or territory has. */
export function checkRegion(region: string | null): void {
  if (region !== null && !isRegion(region))
    throw invalid('region', `\`${region}\` is no code of a country or territory (ISO 3166-1 alpha-2).`)
}

/** Profiles of people. A profile is private until the person agrees to publish it. */
export class Profiles {
  readonly #database: Pick<Database, 'knex' | 'rows'>

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#database = database
  }

  async of(person: string): Promise<DataOf<typeof Profile>> {
    const { knex, rows } = this.#database
    return (
      (await rows(Profile, knex('profiles').select('languages', 'region', 'cadence').where({ person })))[0] ?? nothing
    )
  }

  /** Stores the profile of a person, replacing the previous one. */
  async put(person: string, { languages, region, cadence }: DataOf<typeof Profile>): Promise<void> {
    checkRegion(region)
    await this.#database
      .knex('profiles')
      .insert({ person, languages: [...new Set(languages)], region, cadence })
      .onConflict('person')
      .merge()
  }
}
