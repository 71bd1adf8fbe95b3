import { Option } from 'commander'
import type { Surface } from '../../core/manifest/surface.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { kindNames } from '../../core/kinds/list.ts'
import { stabilities } from '../../core/vocabulary/words.ts'
import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { UsageError } from '../config.ts'
import { csv, table } from '../table.ts'
import { count, print, printAs } from '../io.ts'

const formats = ['table', 'json', 'csv', 'names'] as const

type Options = RootOptions & {
  format: (typeof formats)[number]
  kind?: string
  access?: string
  license?: string
  stability?: string
  path?: string
  summary?: true
}

const header = ['method', 'path', 'kind', 'access', 'freshness', 'license', 'stability', 'id'] as const

const row = ({ route, kind, access, freshness, license, stability, id }: Surface): string[] => [
  route.methods.join('|'),
  route.path,
  kind,
  access.join('|'),
  freshness.key,
  license,
  stability,
  id
]

const factNames = [
  'kind',
  'summary',
  'tags',
  'access',
  'freshness',
  'license',
  'sources',
  'provenance',
  'stability',
  'since',
  'contract',
  'formats'
] as const

const facts = (surface: Surface): object => ({
  id: surface.id,
  methods: surface.route.methods,
  path: surface.route.path,
  ...Object.fromEntries(factNames.map(name => [name, surface[name]]))
})

function select(
  { surfaces, service }: Registry,
  { kind, access, license, stability, path }: Options
): readonly Surface[] {
  const tiers = Object.keys(service.tiers)
  if (license !== undefined && !tiers.includes(license))
    throw new UsageError(`There is no license tier \`${license}\`. Tiers: ${tiers.join(', ')}.`)
  return surfaces.filter(
    surface =>
      (kind === undefined || surface.kind === kind) &&
      (access === undefined || surface.access.includes(access)) &&
      (license === undefined || surface.license === license) &&
      (stability === undefined || surface.stability === stability) &&
      (path === undefined || surface.route.path.startsWith(path))
  )
}

/** `declared` counts the surfaces that have no code of a root and are no discovery document. */
function summarise(surfaces: readonly Surface[]) {
  const byKind = Object.fromEntries(kindNames.map(name => [name, surfaces.filter(({ kind }) => kind === name).length]))
  const declared = surfaces.filter(({ code, serves }) => code === undefined && serves === undefined).length
  return {
    total: surfaces.length,
    declared,
    declared_share: surfaces.length === 0 ? 0 : Math.round((declared / surfaces.length) * 1000) / 1000,
    by_kind: byKind
  }
}

function render(surfaces: readonly Surface[], format: Options['format']): string {
  switch (format) {
    case 'table':
      return table(
        header.map(name => name.toUpperCase()),
        surfaces.map(row)
      )
    case 'csv':
      return csv(header, surfaces.map(row))
    case 'names':
      return surfaces.map(surface => surface.id).join('\n')
    case 'json':
      return JSON.stringify(surfaces.map(facts), null, 2)
  }
}

export const list = defineCommand<[], Options>({
  name: 'list',
  group: 'look',
  summary: 'List the surfaces.',
  description: [
    'Lists every surface of the roots, one a line, in the order of their paths.',
    'Filters combine with AND; --summary counts instead of listing.'
  ],
  options: [
    rootOption(),
    choice('--format <format>', 'Form of the list.', formats, 'table'),
    choice('--kind <kind>', 'Only this kind.', kindNames),
    new Option('--access <access>', 'Only what these callers may use: an access kind.'),
    new Option('--license <tier>', 'Only this license tier of service.yaml.'),
    choice('--stability <stability>', 'Only this stability.', stabilities),
    new Option('--path <prefix>', 'Only paths that begin so.'),
    new Option(
      '--summary',
      'Print counts by kind and the share of surfaces that need no code, neither of the service nor of a discovery document.'
    )
  ],
  examples: [
    ['pantry list --kind collection', 'The surfaces that answer from a corpus.'],
    ['pantry list --path /api/v1/ --format csv > surfaces.csv', 'A sheet of all versioned surfaces.'],
    ['pantry list --summary', 'How much is declared, how much is code.']
  ],
  exits: { 1: 'The manifests have errors.' },
  async run(_args, options, io) {
    const { requireRegistry } = await import('../read-registry.ts')
    const surfaces = select((await requireRegistry(options.root, io)).registry, options)
    if (options.summary === true) {
      const summary = summarise(surfaces)
      const kinds = Object.entries(summary.by_kind).map(([kind, number]) => [kind, String(number)])
      const share = `(${Math.round(summary.declared_share * 100)} %)`
      const total = `${summary.declared} of ${count(summary.total, 'surface')} declared without code ${share}`
      printAs(io.stdout, options.format, summary, () => `${table(['KIND', 'SURFACES'], kinds)}\n${total}`)
    } else print(io.stdout, render(surfaces, options.format))
    return 0
  }
})
