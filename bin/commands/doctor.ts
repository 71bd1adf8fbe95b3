import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { readConfig } from '../config.ts'
import { print, printAs } from '../io.ts'
import { table } from '../table.ts'

const formats = ['table', 'json'] as const

export const doctor = defineCommand<[], RootOptions & { format: (typeof formats)[number] }>({
  name: 'doctor',
  group: 'operate',
  summary: 'Find out why Pantry does not run here.',
  description: [
    'Checks Node.js, the clock, the manifests, the ports, the disk and the database, and says what to do about each failure.',
    "It creates nothing; a database of Pantry's own that nobody uses is started for a moment."
  ],
  options: [rootOption(), choice('--format <format>', 'Form of the findings.', formats, 'table')],
  examples: [
    ['pantry doctor', 'Check this machine.'],
    ['DATABASE_URL=postgres://localhost/mine pantry doctor', 'Check a server of your own.']
  ],
  exits: { 0: 'All is well.', 3: 'At least one check failed.' },
  async run(_args, { root, format }, io) {
    const config = readConfig(io.env)
    const { checkEnvironment } = await import('./checks.ts')
    const findings = await checkEnvironment(config, root)
    printAs(io.stdout, format, findings, () =>
      table(
        ['CHECK', 'STATE', 'DETAIL'],
        findings.map(({ name, ok, detail }) => [name, ok ? 'ok' : 'failed', detail.replaceAll(/\s*\n\s*/g, ' ')])
      )
    )
    const failed = findings.filter(({ ok }) => !ok)
    if (format === 'table') for (const { name, fix } of failed) print(io.stdout, `\n${name}: ${fix}`)
    return failed.length === 0 ? 0 : 3
  }
})
