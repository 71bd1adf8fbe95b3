import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { Argument, defineCommand, FindingsError, Option, print, table, UsageError } from 'pantry/command'

type Options = Readonly<{ from: string, game: string, language: string, dryRun?: true }>

/** What git says of a folder; empty when it says nothing. */
function git (folder: string, ...args: readonly string[]): string {
  try {
    return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

/** The address without what only the owner of the copy should know. */
function publicUrl (address: string): string | undefined {
  if (!address.startsWith('https:') || !URL.canParse(address)) return undefined
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

/** What the folder's copy of a repository says. Only objects and settings are read: other commands run programs that the copy itself names. */
function upstreamOf (folder: string, id: string): object {
  const address = git(folder, 'config', '--get', 'remote.origin.url').replace(/\.git$/, '')
  const url = publicUrl(address)
  const commit = git(folder, 'rev-parse', 'HEAD')
  const seconds = /^committer .* (\d+) [+-]\d{4}$/m.exec(commit === '' ? '' : git(folder, 'cat-file', 'commit', commit))?.[1]
  return {
    name: /[^/:@]+\/[^/]+$/.exec(address)?.[0] ?? id,
    ...(url === undefined ? {} : { url }),
    ...(commit === '' ? {} : { commit }),
    ...(seconds === undefined ? {} : { committed_on: new Date(Number(seconds) * 1000).toISOString().slice(0, 10) })
  }
}

const newSourceCommand = defineCommand<[id: string], Options>({
  name: 'new-source',
  summary: 'Write the declaration of a source from a folder of its files.',
  description: [
    'Looks at the files, lists their fields, and writes an entry of the corpus `sources` that proposes how rows are read; fields that hold prices, pictures, links or texts are left out.',
    'Also `pantry new source <id>`. The rights of the upstream are for you to read: the entry asks for it, and is not imported before.'
  ],
  arguments: [new Argument('<id>', 'Id of the source, as its file is called.')],
  options: [
    new Option('--from <dir>', 'Folder with the files.').makeOptionMandatory(),
    new Option('--game <token>', 'Token of the game; one without an entry gets a skeleton.').makeOptionMandatory(),
    new Option('--language <tag>', 'Language of the printings.').default('en'),
    new Option('--dry-run', 'Print the files instead of writing them.')
  ],
  examples: [['pantry new-source lorcana-list --from ../lorcana-list --game lor', 'The first declaration of a folder, with its fields.']],
  exits: { 1: 'No file of the folder has rows.', 3: 'A file cannot be read or written.' },
  async run ([id], { from, game, language, dryRun }, io) {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) throw new UsageError(`An id is lowercase words joined by hyphens, not \`${id}\`.`)
    if (!/^[a-z0-9]+$/.test(game)) throw new UsageError(`A token of a game is lowercase letters and digits, not \`${game}\`.`)
    if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(language)) throw new UsageError(`A language is a tag such as \`en\` or \`zh-hans\`, not \`${language}\`.`)
    if (!existsSync(from)) throw new UsageError(`There is no folder \`${from}\`.`)
    const { entryText, proposeSource } = await import('../import/propose-source.ts')
    const folder = resolve(from)
    const proposal = await proposeSource(folder, game, language)
    if (proposal === undefined) throw new FindingsError(`No file in \`${from}\` has rows: JSON, YAML, XML, CSV and tables with tabs are looked at.`)
    print(io.stderr, table(['', 'FIELD', 'FILLED', 'DISTINCT', 'EXAMPLE'], proposal.fields.map(({ path, filled, distinct, rows, example }) =>
      [filled === rows && distinct === rows ? 'unique' : '', path, `${Math.round(filled / rows * 100)} %`, String(distinct), example.slice(0, 40)])))

    const source = {
      id, label: id, games: [game], languages: [language], upstream: upstreamOf(folder, id),
      policies: ['copied-repository'], license: null, license_statement: 'Not read yet.', source_license: 'NOASSERTION',
      conditions: [{ asks: 'Read what the upstream says on rights, write it here, and take this condition away.' }],
      reader: { files: [proposal.file], rows: [{ as: 'card' }], map: proposal.map }
    }
    const skeleton = { token: game, name: game, short_name: game, slug: game, aliases: [], publisher: 'Not known yet', languages: [language], curated: false, numbers: 'set', printed_numbers: [], legacy_prefixes: [], unsure: ['name', 'publisher', 'languages', 'printed_numbers'] }
    const files = [[`corpora/sources/entries/${id}.yaml`, source], [`corpora/games/entries/${game}.yaml`, skeleton]] as const
    const missing = files.filter(([path], index) => index === 0 || !existsSync(path))
    if (dryRun === true) {
      print(io.stdout, missing.map(([path, value]) => `--- ${path}\n${entryText(value)}`).join('\n'))
      return 0
    }
    if (existsSync(files[0][0])) throw new UsageError(`Nothing is overwritten, and there is ${files[0][0]} already.`)
    for (const [path, value] of missing) {
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, entryText(value), { flag: 'wx' })
      print(io.stdout, relative(process.cwd(), resolve(path)))
    }
    print(io.stderr, `Next: \`npx pantry validate\`, then \`npx pantry import ${id} --from ${from} --dry-run --conditions-met\`.`)
    return 0
  }
})

export default newSourceCommand
