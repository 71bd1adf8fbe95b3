import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Proposal } from './propose-source.ts'
import { upstreamOf } from './upstream-of.ts'

/** The new entry of a source. Its condition prevents an import until somebody has read the upstream's rights. */
function sourceEntry(id: string, folder: string, game: string, { reader, languages }: Proposal) {
  const { upstream, license } = upstreamOf(folder, id)
  return {
    id,
    label: id,
    games: [game],
    languages,
    upstream,
    policies: ['copied-repository'],
    license: license ?? null,
    license_statement:
      license === undefined ? 'Not read yet.' : `The package says \`${license}\`; the rest is not read yet.`,
    source_license: 'NOASSERTION',
    conditions: [{ asks: 'Read what the upstream says on rights, write it here, and take this condition away.' }],
    reader
  }
}

/** The new entry of a game of which only the token is known, with placeholders for the rest. */
const gameEntry = (token: string, language: string) => ({
  token,
  name: token,
  short_name: token,
  slug: token,
  aliases: [],
  publisher: 'Not known yet',
  languages: [language],
  curated: false,
  numbers: 'set',
  printed_numbers: [],
  legacy_prefixes: [],
  unsure: ['name', 'publisher', 'languages', 'printed_numbers']
})

/** Returns the YAML text of a corpus entry. */
const entryText = (entry: object): string =>
  stringify(entry, { lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false })

/** A corpus entry to be written: its path relative to the root, and its text. */
type NewEntry = Readonly<{ path: string; text: string }>

const newEntry = (corpus: string, name: string, entry: object): NewEntry => ({
  path: join('corpora', corpus, 'entries', `${name}.yaml`),
  text: entryText(entry)
})

/**
 * Returns the corpus entry of a new source, as a value and as a file, and the entry of its game, which is needed only
 * when the game has none yet.
 */
export function newEntries(
  id: string,
  folder: string,
  { game, language, proposal }: Readonly<{ game: string; language: string; proposal: Proposal }>
) {
  const entry = sourceEntry(id, folder, game, proposal)
  return { entry, source: newEntry('sources', id, entry), game: newEntry('games', game, gameEntry(game, language)) }
}
