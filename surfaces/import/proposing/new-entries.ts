import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, urlOf, type JsonObject, type JsonValue } from 'pantry/data'
import { parseDocument, stringify, YAMLMap, YAMLSeq } from 'yaml'
import type { Proposal } from './propose-source.ts'

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

/** The usual forms in which numbers are printed. */
const usualForms = [
  { form: 'number-of-total', pattern: '^(?<number>[a-z]{0,3}[0-9]{1,4}[a-z]?)/(?<total>[a-z]{0,3}[0-9]{1,4})$' },
  { form: 'set-and-number', pattern: '^(?<set>[a-z]{1,5}[0-9]{0,3})-(?<number>[a-z]{0,3}[0-9]{1,4}[a-z]?)$' }
]

/** Returns the usual forms that some of the numbers have, with the first of them as examples. */
const printedNumbers = (numbers: readonly string[]) =>
  usualForms.flatMap(({ form, pattern }) => {
    const examples = numbers.filter(number => new RegExp(pattern, 'u').test(number))
    return examples.length === 0 ? [] : [{ form, pattern, examples: examples.slice(0, 3) }]
  })

/** The new entry of a game of which the token and some numbers are known, with placeholders for the rest. */
const gameEntry = (token: string, language: string, numbers: readonly string[]) => ({
  token,
  name: token,
  short_name: token,
  slug: token,
  aliases: [],
  publisher: 'Not known yet',
  languages: [language],
  curated: false,
  numbers: 'set',
  printed_numbers: printedNumbers(numbers),
  legacy_prefixes: [],
  unsure: ['name', 'publisher', 'languages', 'printed_numbers']
})

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
  return {
    entry,
    source: newEntry('sources', id, entry),
    game: newEntry('games', game, gameEntry(game, language, proposal.numbers))
  }
}

const flowValue = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.join(', ')}]`
    : typeof value === 'string' && !/^[\w-]+$/.test(value)
      ? `'${value.replaceAll("'", "''")}'`
      : String(value)

/**
 * Returns the text of the entries of attributes with those that a source proposes: new ones, each in a line, and the
 * game in the list of others. All else stays as it is written.
 */
export function withAttributes(text: string, game: string, { added, extended }: Proposal['attributes']): string {
  const { contents } = parseDocument(text)
  const entries = contents instanceof YAMLSeq ? contents.items : []
  const ends = entries.flatMap(entry => {
    const games = entry instanceof YAMLMap && extended.includes(String(entry.get('name'))) ? entry.get('games') : null
    const end = games instanceof YAMLSeq ? games.range[1] - 1 : 0
    return text.charAt(end) === ']' ? [end] : []
  })
  const cuts = [0, ...ends, text.length]
  const kept = cuts.slice(1).map((end, at) => text.slice(cuts[at], end))
  const lines = added.map(
    one =>
      `- { ${Object.entries(one)
        .map(([name, value]) => `${name}: ${flowValue(value)}`)
        .join(', ')} }\n`
  )
  return [kept.join(`, ${game}`), ...lines].join('')
}

type Upstream = Readonly<{ name: string; url?: string; commit?: string; committed_on?: string; version?: string }>

/** Runs a git command in a folder and returns its output, or '' when the command fails. */
function git(folder: string, ...args: readonly string[]): string {
  try {
    return execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore']
    }).trim()
  } catch {
    return ''
  }
}

const nameIn = (address: string): string | undefined => /[^/:@]+\/[^/]+$/.exec(address)?.[0]

/**
 * Returns an HTTPS address without user name, password, query and fragment, which may be secret; `undefined` for an
 * address of another protocol.
 */
function publicUrl(address: string): string | undefined {
  const url = address.startsWith('https:') ? urlOf(address) : undefined
  return url === undefined ? undefined : url.origin + url.pathname
}

/**
 * Reads the address, commit and commit date from the git repository in the folder. Only git commands that read objects
 * and settings are used: others may run programs that the repository configures.
 */
function repositoryOf(folder: string): Upstream | undefined {
  const address = git(folder, 'config', '--get', 'remote.origin.url').replace(/\.git$/, '')
  const url = publicUrl(address)
  const commit = git(folder, 'rev-parse', 'HEAD')
  if (address === '' && commit === '') return undefined
  const seconds = /^committer .* (\d+) [+-]\d{4}$/m.exec(
    commit === '' ? '' : git(folder, 'cat-file', 'commit', commit)
  )?.[1]
  return {
    name: nameIn(address) ?? '',
    ...(url === undefined ? {} : { url }),
    ...(commit === '' ? {} : { commit }),
    ...(seconds === undefined ? {} : { committed_on: new Date(Number(seconds) * 1000).toISOString().slice(0, 10) })
  }
}

/** Returns the content of the folder's `package.json`, or an empty object when there is none that can be read. */
function packageFile(folder: string): JsonObject {
  try {
    const described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as JsonValue
    return isObject(described) ? described : {}
  } catch {
    return {}
  }
}

/** Returns a name or version from `package.json` when it has only the characters that npm and semver.org §2 allow. */
const wordOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && /^[\w@./+~-]{1,214}$/.test(value) ? value : undefined

/**
 * Finds the upstream and the license of a folder: the upstream from its git repository, or else from its
 * `package.json`, which also gives the license.
 */
export function upstreamOf(folder: string, id: string): Readonly<{ upstream: Upstream; license: string | undefined }> {
  const { name, version: given, license, repository } = packageFile(folder)
  const version = wordOf(given)
  const written = typeof license === 'string' && /^[A-Za-z0-9.+ ()-]{1,80}$/.test(license) ? license : undefined
  const copy = repositoryOf(folder)
  if (copy !== undefined) return { upstream: { ...copy, name: copy.name === '' ? id : copy.name }, license: written }
  const said = isObject(repository ?? null) ? (repository as JsonObject)['url'] : repository
  const address = (typeof said === 'string' ? said : '')
    .replace(/^git\+/, '')
    .replace(/^git:/, 'https:')
    .replace(/\.git$/, '')
  const url = publicUrl(address)
  return {
    upstream: {
      name: wordOf(name) ?? id,
      ...(url === undefined ? {} : { url }),
      ...(version === undefined ? {} : { version })
    },
    license: written
  }
}
