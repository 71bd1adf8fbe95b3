import { urlOf } from '../../core/canonical/url.ts'
import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { readConfig, variables } from '../config.ts'
import { printAs } from '../io.ts'
import { projectFolder } from '../project.ts'
import { settingsOf } from '../roots.ts'
import { readSettings, variablesOf } from '../settings.ts'
import { tableOf } from '../table.ts'

const formats = ['table', 'json'] as const
const mask = '***'

/** Masks the secrets in a connection URL. Text that is not a URL is masked completely. */
function hideSecret(text: string): string {
  const url = urlOf(text)
  if (url === undefined) return mask
  if (url.password !== '') url.password = mask
  for (const name of [...url.searchParams.keys()])
    if (/password|secret|token|key/i.test(name)) url.searchParams.set(name, mask)
  return url.href
}

export const config = defineCommand<[], RootOptions & { format: (typeof formats)[number] }>({
  name: 'config',
  group: 'operate',
  summary: 'Print the effective configuration.',
  description: [
    'Prints each setting of Pantry and of the roots, its effective value, and where it came from: the environment or the default.',
    'Secrets are masked, so the output can be shown to others.'
  ],
  options: [rootOption(), choice('--format <format>', 'Form of the output.', formats, 'table')],
  examples: [
    ['pantry config', 'All settings.'],
    ['PORT=0 pantry config --format json', 'The same as JSON, with one setting from the environment.']
  ],
  exits: { 2: 'A setting has a value that it may not have.' },
  async run(_args, { format, root }, io) {
    readConfig(io.env)
    const settings = root.length === 0 && projectFolder() === undefined ? [] : await settingsOf(root)
    for (const schema of settings) readSettings(schema, io.env)
    const rows = [...variables, ...settings.flatMap(variablesOf)].map(variable => {
      const given = io.env[variable.name]
      const isGiven = given !== undefined && given !== ''
      const value = isGiven ? ('secret' in variable ? hideSecret(given) : given) : variable.fallback
      return { name: variable.name, value, from: isGiven ? 'environment' : 'default', meaning: variable.meaning }
    })
    printAs(io.stdout, format, rows, () => tableOf(['name', 'value', 'from', 'meaning'], rows))
    return 0
  }
})
