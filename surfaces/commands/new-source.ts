import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import {
  Argument,
  count,
  defineCommand,
  FindingsError,
  folderOfCorpus,
  Option,
  print,
  printNewFiles,
  refuseExisting,
  requireCorpus,
  rootOption,
  table,
  UsageError,
  withDatabase,
  writeNewFiles,
  type Io,
  type RootOptions
} from 'pantry/command'
import type { JsonObject } from 'pantry/data'
import { isGameToken, isLanguageTag } from '../cards/sku.ts'
import type { Attribute } from '../cards/attributes.ts'

type Options = RootOptions & Readonly<{ from: string; game: string; language: string; dryRun?: true }>

const attributesFile = join('corpora', 'attributes', 'entries.yaml')

const maxListed = 10

/** Returns the first names of a list, and how many more there are. */
const shortList = (names: readonly string[]): string => {
  const shown = names.slice(0, maxListed).map(name => `\`${name}\``)
  return [...shown, ...(names.length > shown.length ? [`${names.length - shown.length} more`] : [])].join(', ')
}

/** Returns the lines of a text that another one has not. */
function addedLines(before: string, after: string): string {
  const known = new Set(before.split('\n'))
  return after
    .split('\n')
    .filter(line => !known.has(line))
    .join('\n')
}

/**
 * Imports the folder without writing anything, and prints the result; false if its data cannot be read as the entry
 * says.
 */
async function dryRunImport(
  entry: JsonObject,
  attributes: readonly Attribute[],
  folder: string,
  root: RootOptions['root'],
  io: Io
): Promise<boolean> {
  const { importSource } = await import('../importer.ts')
  const { surveyText } = await import('../import/command.ts')
  const { DataError } = await import('../import/data-error.ts')
  const { loadSources } = await import('../import/open.ts')
  const [source] = loadSources([entry], await requireCorpus(root, 'source-policies', io), attributes).values()
  if (source === undefined) return false
  try {
    const summary = await withDatabase(io, root, database =>
      importSource(database, source, { folder, dryRun: true, conditionsMet: true })
    )
    print(io.stderr, surveyText(summary))
    return true
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    for (const { pointer, message, hint } of error.problems)
      print(io.stderr, [`error: \`${pointer.join('.')}\`: ${message}`, hint ?? ''].join(' ').trim())
    return false
  }
}

const newSourceCommand = defineCommand<[id: string], Options>({
  name: 'new-source',
  summary: 'Write the declaration of a source from a folder of its files.',
  description: [
    'Looks at the files, lists their fields, and writes an entry of the corpus `sources` that proposes how rows are read; fields that hold prices, pictures, links or texts are left out.',
    'At its end it makes the dry run of an import and prints what was read. Also `pantry new source <id>`. The rights of the upstream are for you to read: the entry asks for it, and is not imported before.'
  ],
  arguments: [new Argument('<id>', 'Id of the source, as its file is called.')],
  options: [
    rootOption(),
    new Option('--from <dir>', 'Folder with the files.').makeOptionMandatory(),
    new Option('--game <token>', 'Token of the game; one without an entry gets a skeleton.').makeOptionMandatory(),
    new Option('--language <tag>', 'Language of the printings.').default('en'),
    new Option('--dry-run', 'Print the files instead of writing them.')
  ],
  examples: [
    [
      'pantry new-source lorcana-list --from ../lorcana-list --game lor',
      'The first declaration of a folder, with its fields.'
    ]
  ],
  exits: {
    1: 'No file of the folder has rows, or they cannot be read as proposed.',
    3: 'A file cannot be read or written, or the database cannot be started or reached.'
  },
  async run([id], { root, from, game, language: named, dryRun }, io) {
    const language = named.toLowerCase()
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id))
      throw new UsageError(`An id is lowercase words joined by hyphens, not \`${id}\`.`)
    if (!isGameToken(game)) throw new UsageError(`A token of a game is lowercase letters and digits, not \`${game}\`.`)
    if (!isLanguageTag(language))
      throw new UsageError(`A language is a tag such as \`en\` or \`zh-hans\`, not \`${named}\`.`)
    if (!existsSync(from)) throw new UsageError(`There is no folder \`${from}\`.`)
    const { proposeSource } = await import('../import/proposing/propose-source.ts')
    const { endingsIn } = await import('../import/proposing/candidates.ts')
    const folder = resolve(from)
    const home = folderOfCorpus(root, 'sources')
    const declared = (await requireCorpus(root, 'attributes', io)) as readonly Attribute[]
    const homeOfGames = folderOfCorpus(root, 'games')
    const isNew = !existsSync(join(homeOfGames, 'corpora', 'games', 'entries', `${game}.yaml`))
    const proposal = await proposeSource(folder, { game, language, isNew, declared })
    if (proposal === undefined)
      throw new FindingsError(
        `No file in \`${from}\` has rows: JSON, JSON lines, YAML, XML, CSV and tables with tabs are looked at, also with gzip, and modules of literals, SQLite and XLSX. There are ${await endingsIn(folder)}.`
      )
    const looked = proposal.fields[0]?.rows ?? 0
    print(io.stderr, `fields of the first ${count(looked, 'row')} that were looked at; the dry run below counts all`)
    print(
      io.stderr,
      table(
        ['', 'FIELD', 'FILLED', 'DISTINCT', 'EXAMPLE'],
        proposal.fields.map(({ path, filled, distinct, rows, example }) => [
          filled === rows && distinct === rows ? 'unique' : '',
          path,
          `${Math.round((filled / rows) * 100)} %`,
          String(distinct),
          example.slice(0, 40)
        ])
      )
    )

    if (proposal.others.length > 0)
      print(io.stderr, `Files with rows that are not read: ${shortList(proposal.others)}.`)

    const { newEntries, withAttributes } = await import('../import/proposing/new-entries.ts')
    const { entry, source, game: skeleton } = newEntries(id, folder, { game, language, proposal })
    const written = [[home, source] as const, ...(isNew ? [[homeOfGames, skeleton] as const] : [])]
    const { added, extended } = proposal.attributes
    const attributes = [
      ...declared.map(one =>
        one.games !== undefined && extended.includes(one.name) ? { ...one, games: [...one.games, game] } : one
      ),
      ...added
    ]
    const listed = join(folderOfCorpus(root, 'attributes'), attributesFile)
    const changes = added.length + extended.length > 0 && existsSync(listed)
    const text = changes ? withAttributes(readFileSync(listed, 'utf8'), game, proposal.attributes) : ''
    if (dryRun === true) {
      printNewFiles(Object.fromEntries(written.map(([, { path, text }]) => [path, text])), io)
      if (changes) print(io.stdout, `--- ${attributesFile}\n${addedLines(readFileSync(listed, 'utf8'), text)}`)
      return (await dryRunImport(entry, attributes, folder, root, io)) ? 0 : 1
    }
    for (const [home, { path, text }] of written) refuseExisting(home, { [path]: text })
    for (const [home, { path, text }] of written) writeNewFiles(home, { [path]: text }, io)
    if (changes) {
      writeFileSync(listed, text)
      print(io.stdout, relative(process.cwd(), listed))
    }
    const isRead = await dryRunImport(entry, attributes, folder, root, io)
    print(
      io.stderr,
      `Next: correct the entry where the table doubts it, \`npx pantry validate\`, then \`npx pantry import ${id} --from ${from} --conditions-met\`.`
    )
    return isRead ? 0 : 1
  }
})

export default newSourceCommand
