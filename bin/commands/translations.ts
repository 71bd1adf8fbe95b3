import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Argument, Option } from 'commander'
import { defineCommand, rootOption, type RootOptions } from '../command.ts'
import { UsageError } from '../config.ts'
import { count, print } from '../io.ts'
import { folderOfNew } from '../written-files.ts'

export const translations = defineCommand<[language: string], RootOptions & { dryRun?: true }>({
  name: 'translations',
  group: 'write',
  summary: 'List the texts that a language of the service lacks, and write them into its file.',
  description: [
    'Adds each text of manifests, of code and of the framework that the language lacks to translations/<language>.yaml, where it is still to be translated.',
    'What is written there already stays as it is. `pantry validate` names every text that is missing or unused.'
  ],
  arguments: [new Argument('<language>', 'One of `languages` in service.yaml.')],
  options: [rootOption(), new Option('--dry-run', 'Print the texts instead of writing them.')],
  examples: [
    ['pantry translations de', 'Begin or complete translations/de.yaml.'],
    ['pantry translations de --dry-run', 'Only list what is missing.']
  ],
  exits: { 1: 'The service cannot be read.', 2: 'Wrong usage, or a language that the service does not declare.' },
  async run([language], { root, dryRun }, io) {
    const { requireReadable } = await import('../read-registry.ts')
    const { textsMissing, textsRead } = await import('../../core/registry/rules/translations.ts')
    const { namesText, withTexts } = await import('../scaffold/translations.ts')
    const { registry } = await requireReadable(root, io)
    const { languages } = registry.service
    if (!languages.includes(language))
      throw new UsageError(
        `service.yaml does not declare the language \`${language}\`. Languages: ${languages.join(', ')}.`
      )
    const file = join(folderOfNew(root), 'translations', `${language}.yaml`)
    const written = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    const missing = textsMissing(textsRead(registry), language, languages, registry.dictionaries.get(language))
    const texts = missing.map(({ text }) => text)
    if (dryRun === true) {
      for (const text of texts) print(io.stdout, text)
      return 0
    }
    const added = texts.filter(text => !namesText(written ?? '', text))
    if (added.length > 0) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, withTexts(written, added))
    }
    print(io.stderr, `${count(texts.length, 'text')} to translate in ${file}.`)
    return 0
  }
})
