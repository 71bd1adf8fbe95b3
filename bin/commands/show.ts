import { readFileSync } from 'node:fs'
import { Argument } from 'commander'
import type { JsonSchema } from '../../core/canonical/json.ts'
import type { Parameter } from '../../core/discovery/parameters.ts'
import { formNameOf } from '../../core/manifest/kind.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import { readYaml } from '../../core/source/read-yaml.ts'
import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { UsageError } from '../config.ts'
import { printAs } from '../io.ts'
import { section, table } from '../table.ts'

const formats = ['text', 'json'] as const

type Options = RootOptions & { format: (typeof formats)[number] }

/** Returns `file:line` of the path in the manifest, or of a form if the surface is one. */
function placeOf(surface: Surface): string {
  const { file } = surface.origin
  const at = surface.formOf === undefined ? ['path'] : ['forms', formNameOf(surface.id)]
  return `${file}:${readYaml(file, readFileSync(file)).locate(at, 'key').line}`
}

const facetsOf = (surface: Surface): [string, string][] => [
  ['kind', surface.kind],
  ...(surface.page?.sends === undefined ? [] : [['sends to', surface.page.sends.text] as [string, string]]),
  ['access', surface.access.join(', ')],
  ...(surface.scope === undefined ? [] : [['scope', surface.scope] as [string, string]]),
  ['freshness', `${surface.freshness.key} (${surface.freshness.seconds} s)`],
  ['license', surface.license],
  ['sources', surface.sources.join(', ')],
  ['provenance', surface.provenance],
  ['stability', surface.stability],
  ['since', surface.since],
  ['contract', surface.contract],
  ['formats', surface.formats.join(', ')],
  ['tags', surface.tags.join(', ')],
  ['manifest', placeOf(surface)]
]

/** Returns the row of a form. Its rights may differ from those of its page, see `formsOf`. */
const formRow = (form: Surface): string[] => [
  formNameOf(form.id),
  `POST ${form.route.path}`,
  form.page?.sends?.text ?? '',
  form.access.join(', '),
  form.carriesPii ? 'yes' : 'no',
  form.requiresConsent ? 'yes' : 'no'
]

function allowed(schema: JsonSchema): string {
  if (Array.isArray(schema.enum)) return schema.enum.join(' | ')
  const type = [schema.type]
    .flat()
    .filter(name => typeof name === 'string')
    .join(' or ')
  const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'format', 'pattern'].flatMap(name =>
    schema[name] === undefined ? [] : [`${name} ${JSON.stringify(schema[name])}`]
  )
  return [type, ...bounds].filter(part => part !== '').join(', ')
}

const parameterRow = ({ name, in: place, required, schema, description }: Parameter): string[] => [
  name,
  place,
  required ? 'required' : 'optional',
  place === 'body' ? 'object' : allowed(schema),
  description
]

export const show = defineCommand<[name: string], Options>({
  name: 'show',
  group: 'look',
  summary: 'Show one surface in its compiled form.',
  description: [
    'Shows what a manifest became: its facets, parameters, the headers of a sample answer, and its discovery entries.',
    'A surface is named by its id, by its path, or by a path that it answers; no code and no store is used.'
  ],
  arguments: [new Argument('<id|path>', 'Id or path of the surface.')],
  options: [rootOption(), choice('--format <format>', 'Form of the surface; JSON has whole schemas.', formats, 'text')],
  examples: [
    ['pantry show changelog', 'By its id.'],
    ['pantry show /api/v1/guides/first-visit', 'By a path that it answers.'],
    ['pantry show changelog --format json', 'Every detail, for other tools.']
  ],
  exits: { 1: 'The manifests have errors.', 2: 'There is no such surface.' },
  async run([name], options, io) {
    const { requireRegistry } = await import('../read-registry.ts')
    const { entriesOf, findSurfaces, sampleOf } = await import('../show.ts')
    const { parametersOf } = await import('../../core/discovery/parameters.ts')
    const { registry } = await requireRegistry(options.root, io)
    const found = findSurfaces(registry, name)
    if (found.length === 0) {
      const { suggest } = await import('../../core/diagnostics/suggest.ts')
      const nearest = suggest(
        name,
        [...registry.surfaces, ...registry.forms].flatMap(surface => [surface.id, surface.route.path])
      )
      throw new UsageError(
        `There is no surface \`${name}\`. ${nearest === undefined ? '`pantry list --format names` lists all ids.' : `Did you mean \`${nearest}\`?`}`
      )
    }
    const shown = await Promise.all(
      found.map(async surface => ({
        surface,
        parameters: parametersOf(surface),
        forms: registry.forms.filter(({ formOf }) => formOf === surface.id),
        sample: await sampleOf(registry, surface),
        discovery: entriesOf(registry, surface)
      }))
    )
    printAs(io.stdout, options.format, shown.length === 1 ? shown[0] : shown, () =>
      shown
        .map(({ surface, parameters, forms, sample, discovery }) =>
          [
            `${surface.id}  ${surface.route.methods.join('|')} ${surface.route.path}\n${surface.summary}`,
            section('Facets', table(['FACET', 'VALUE'], facetsOf(surface))),
            section(
              'Parameters',
              parameters.length === 0
                ? 'none'
                : table(['NAME', 'IN', 'NEED', 'VALUES', 'MEANING'], parameters.map(parameterRow))
            ),
            ...(forms.length === 0
              ? []
              : [
                  section(
                    'Forms',
                    table(['FORM', 'ROUTE', 'SENDS TO', 'ACCESS', 'PERSONAL DATA', 'CONSENT'], forms.map(formRow))
                  )
                ]),
            section(
              `Answer to ${sample.request}: ${sample.status}`,
              table(['HEADER', 'VALUE'], Object.entries(sample.headers))
            ),
            ...(surface.formOf === undefined ? Object.entries(discovery) : []).map(([document, entry]) =>
              section(`In ${document}`, JSON.stringify(entry, null, 2))
            )
          ].join('\n\n')
        )
        .join('\n\n')
    )
    return 0
  }
})
