import { Argument, Option } from 'commander'
import type { KindModule } from '../../core/kinds/index.ts'
import { kindNames } from '../../core/kinds/list.ts'
import { defineCommand, rootOption, type RootOptions } from '../command.ts'
import { UsageError } from '../config.ts'
import { print } from '../io.ts'
import { folderOfNew, printNewFiles, refuseExisting, writeNewFiles } from '../written-files.ts'

type Options = RootOptions & { path?: string; corpus?: string; document?: string; dryRun?: true }

/** Returns the methods that surfaces of a kind may have. */
function methodsOf({ schema }: KindModule): readonly string[] {
  type Words = Readonly<{ enum?: readonly string[]; anyOf?: readonly Words[] }>
  const { enum: words, anyOf = [] } = (schema.properties['method'] ?? { enum: ['GET'] }) as Words
  return words ?? anyOf.flatMap(one => one.enum ?? [])
}

/**
 * Appends the method to the id of a new manifest if its kind has only one method and that is not GET. `named`: the
 * method that the id ends in.
 */
function idOf(kind: KindModule, text: string, named: string | undefined): string {
  if (!/^[a-z0-9][a-z0-9_-]*([./][a-z0-9][a-z0-9_-]*)*$/.test(text) || text === 'service' || text.length > 100) {
    throw new UsageError(
      `The id must be a path below \`manifests/\` without its ending, such as \`guides/guide\`, but it is \`${text}\`.`
    )
  }
  const known = methodsOf(kind)
  if (named !== undefined && !known.includes(named)) {
    throw new UsageError(
      `A surface of the kind \`${kind.name}\` answers only ${known.join(', ')}, but the id \`${text}\` ends in \`.${named.toLowerCase()}\`.`
    )
  }
  const [method, ...others] = known
  const ending = method === undefined || method === 'GET' || others.length > 0 ? '' : `.${method.toLowerCase()}`
  return text.endsWith(ending) ? text : text + ending
}

export const newCommand = defineCommand<[kind: string, id: string], Options>({
  name: 'new',
  group: 'write',
  summary: 'Write the files of a new surface.',
  description: [
    'Writes a commented manifest that is valid as it stands, with the corpus, document, handler or migration it needs.',
    'Files go below the last --root, else into the project, and none is overwritten. Mistakes in other files do not matter.'
  ],
  arguments: [
    new Argument('<kind>', 'Where the answer comes from.').choices(kindNames),
    new Argument(
      '<id>',
      'Path of the manifest below manifests/, without .yaml; for another method than GET it ends in it, as `.post`.'
    )
  ],
  options: [
    rootOption(),
    new Option('--path <path>', 'Path that is served. Default: /api/v1/<id>.'),
    new Option(
      '--corpus <name>',
      'Corpus of a collection, entry, rows or row. Default: that of the list above it, or the last word of the id.'
    ),
    new Option('--document <name>', 'Document of a document or discovery surface. Default: the last word of the id.'),
    new Option('--dry-run', 'Print the files instead of writing them.')
  ],
  examples: [
    ['pantry new collection trees', 'A list with a corpus to fill.'],
    ['pantry new entry tree --corpus trees', 'One entry of it, by its key.'],
    ['pantry new handler tools/dice.post --dry-run', 'What a surface with code needs that takes a body.']
  ],
  exits: { 1: 'The service cannot be read.', 2: 'Wrong usage, or a file that exists.', 3: 'A file cannot be written.' },
  async run([chosen, name], { root, path, corpus, document, dryRun }, io) {
    const { kinds } = await import('../../core/kinds/index.ts')
    const kind = kinds.find(one => one.name === chosen)
    if (kind === undefined) throw new UsageError(`There is no kind \`${chosen}\`.`)
    const { propertiesOf } = await import('../../core/schema/json-schema.ts')
    const { methodOf, nameOf } = await import('../../core/kinds/scaffold.ts')
    const id = idOf(kind, name, methodOf(name))
    const { requireReadable } = await import('../read-registry.ts')
    const { filesOf } = await import('../scaffold/files.ts')
    const { definerOf } = await import('../roots.ts')
    const { buildOf } = await import('../project.ts')
    const { registry } = await requireReadable(root, io)
    const folder = folderOfNew(root)
    if (registry.byId.has(id))
      throw new UsageError(`There is a surface \`${id}\` already: ${registry.byId.get(id)?.origin.file ?? ''}.`)
    if (path !== undefined && !path.startsWith('/'))
      throw new UsageError(`\`--path\` must begin with \`/\`, but it is \`${path}\`.`)

    const declared = 'sort' in propertiesOf(kind.schema) ? registry.corpora.get(corpus ?? nameOf(id)) : undefined
    const asked =
      declared?.table === undefined
        ? undefined
        : await (await import('../scaffold/ask-table.ts')).askTable({ ...declared, table: declared.table }, io)
    const files = filesOf(
      kind,
      { id, path, corpus, document },
      { registry, folder, asked, definer: await definerOf(folder), today: new Date().toISOString().slice(0, 10) }
    )
    if (dryRun === true) {
      printNewFiles(files, io)
      return 0
    }
    refuseExisting(folder, files)
    writeNewFiles(folder, files, io)
    print(
      io.stderr,
      `Next: write the content, then \`${Object.keys(files).some(file => file.endsWith('.ts')) ? `${buildOf(folder, io.env)} && ` : ''}npx pantry validate\` and \`npx pantry show ${id}\`.`
    )
    return 0
  }
})
