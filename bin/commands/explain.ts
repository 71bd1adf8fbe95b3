import { Argument } from 'commander'
import { choice, defineCommand } from '../command.ts'
import { UsageError } from '../config.ts'
import { printAs } from '../io.ts'
import { section, tableOf } from '../table.ts'

const formats = ['text', 'json'] as const

export const explain = defineCommand<[code: string | undefined], { format: (typeof formats)[number] }>({
  name: 'explain',
  group: 'look',
  summary: 'Explain a diagnostic code.',
  description: [
    'Prints what a diagnostic code means, with an example that is wrong and one that is right.',
    'Without a code it prints the table of all codes.'
  ],
  arguments: [new Argument('[code]', 'Code of a diagnostic, such as M402.')],
  options: [choice('--format <format>', 'Form of the explanation.', formats, 'text')],
  examples: [
    ['pantry explain M402', 'The long form of one code.'],
    ['pantry explain', 'All codes with their titles.'],
    ['pantry explain --format json', 'All codes with all that is said of them, for other tools.']
  ],
  exits: { 2: 'There is no such code.' },
  async run([code], { format }, io) {
    const { catalog, isDiagnosticCode } = await import('../../core/diagnostics/catalog.ts')
    if (code === undefined) {
      const entries = Object.entries(catalog).map(([name, entry]) => ({ code: name, ...entry }))
      printAs(io.stdout, format, entries, () => tableOf(['code', 'severity', 'title'], entries))
      return 0
    }
    const name = code.toUpperCase()
    if (!isDiagnosticCode(name)) {
      const { suggest } = await import('../../core/diagnostics/suggest.ts')
      const nearest = suggest(name, Object.keys(catalog))
      throw new UsageError(
        `There is no code \`${code}\`. ${nearest === undefined ? '' : `Did you mean \`${nearest}\`? `}\`pantry explain\` lists all codes.`
      )
    }
    const { title, severity, explain: text, wrong, right, retired } = catalog[name]
    printAs(io.stdout, format, { code: name, ...catalog[name] }, () =>
      [
        `${name} (${severity}): ${title}`,
        ...(retired === undefined ? [] : [`No longer reported since ${retired}.`]),
        text,
        section('Wrong:', wrong),
        section('Right:', right)
      ].join('\n\n')
    )
    return 0
  }
})
