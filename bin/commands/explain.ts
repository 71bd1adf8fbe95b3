import { Argument } from 'commander'
import { choice, defineCommand } from '../command.ts'
import { UsageError } from '../config.ts'
import { printAs } from '../io.ts'
import { section, tableOf } from '../table.ts'

const formats = ['text', 'json'] as const

export const explain = defineCommand<[code: string | undefined], { format: (typeof formats)[number] }>({
  name: 'explain',
  group: 'look',
  summary: 'Explain the code of a mistake or a fault.',
  description: [
    'Prints what a code means: for a mistake in a file with an example that is wrong and one that is right, for a fault that ends a command (O…) with the usual causes and what to do.',
    'Without a code it prints the table of all codes.'
  ],
  arguments: [new Argument('[code]', 'Code, such as M402 or O102.')],
  options: [choice('--format <format>', 'Form of the explanation.', formats, 'text')],
  examples: [
    ['pantry explain M402', 'The long form of one code.'],
    ['pantry explain', 'All codes with their titles.'],
    ['pantry explain --format json', 'All codes with all that is said of them, for other tools.']
  ],
  exits: { 2: 'There is no such code.' },
  async run([code], { format }, io) {
    const { catalog, isDiagnosticCode } = await import('../../core/diagnostics/catalog.ts')
    const { faults, isFaultCode } = await import('../../core/database/fault-texts.ts')
    if (code === undefined) {
      const entries = [
        ...Object.entries(catalog).map(([name, entry]) => ({ code: name, ...entry })),
        ...Object.entries(faults).map(([name, { title, explain }]) => ({
          code: name,
          severity: 'fault',
          title,
          explain
        }))
      ]
      printAs(io.stdout, format, entries, () => tableOf(['code', 'severity', 'title'], entries))
      return 0
    }
    const name = code.toUpperCase()
    if (isFaultCode(name)) {
      const { title, explain } = faults[name]
      printAs(io.stdout, format, { code: name, severity: 'fault', title, explain }, () =>
        [`${name} (fault): ${title}`, explain].join('\n\n')
      )
      return 0
    }
    if (!isDiagnosticCode(name)) {
      const { suggest } = await import('../../core/diagnostics/suggest.ts')
      const nearest = suggest(name, [...Object.keys(catalog), ...Object.keys(faults)])
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
