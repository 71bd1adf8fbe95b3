import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Proposal } from './propose-source.ts'
import { upstreamOf } from './upstream-of.ts'

/** A source whose rights nobody has read yet: its rows are left alone until somebody has. */
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

/** A game of which only the token is known. */
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

/** An entry of a corpus as its file has it. */
const entryText = (entry: object): string =>
  stringify(entry, { lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false })

/** An entry that is not written yet: its file below the root, and its text. */
type NewEntry = Readonly<{ path: string; text: string }>

const newEntry = (corpus: string, name: string, entry: object): NewEntry => ({
  path: join('corpora', corpus, 'entries', `${name}.yaml`),
  text: entryText(entry)
})

/**
 * The entry of a source whose files were looked at, as a value too, and that of its game, which counts where the game
 * has none.
 */
export function newEntries(
  id: string,
  folder: string,
  { game, language, proposal }: Readonly<{ game: string; language: string; proposal: Proposal }>
) {
  const entry = sourceEntry(id, folder, game, proposal)
  return { entry, source: newEntry('sources', id, entry), game: newEntry('games', game, gameEntry(game, language)) }
}
