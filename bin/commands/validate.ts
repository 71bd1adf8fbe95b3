import { existsSync, readdirSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { Argument, Option } from 'commander'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { diagnosticFormats, formatDiagnostics, type DiagnosticFormat } from '../../core/diagnostics/format.ts'
import { absoluteUrlOrNull, documentPathOf } from '../../core/discovery/pointers.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { UsageError } from '../config.ts'
import { colourSeverity, count, print, type Io } from '../io.ts'
import { packageVersion } from '../project.ts'

type Options = RootOptions & { format: DiagnosticFormat; warningsAsErrors?: true; examples?: true }

const countManifests = (folder: string): number =>
  existsSync(join(folder, 'manifests'))
    ? readdirSync(join(folder, 'manifests'), { recursive: true, encoding: 'utf8' }).filter(
        name => name.endsWith('.yaml') && name !== 'service.yaml'
      ).length
    : 0

function selector(files: readonly string[]): (diagnostic: Diagnostic) => boolean {
  if (files.length === 0) return () => true
  const missing = files.find(file => !existsSync(file))
  if (missing !== undefined) throw new UsageError(`There is no file \`${missing}\`.`)
  const wanted = files.map(file => resolve(file))
  return ({ file }) => wanted.some(one => resolve(file) === one || resolve(file).startsWith(one + sep))
}

/** Serves the roots, which must be valid, and returns the examples and claims that are not answered as they say. */
async function exampleFindings(roots: readonly string[], { env, stderr }: Io): Promise<readonly Diagnostic[]> {
  const { whileServed } = await import('../promises/index.ts')
  const { wrongClaims } = await import('../promises/claims.ts')
  const { wrongExamples } = await import('../promises/examples.ts')
  return await whileServed({ roots, env, stderr }, async subject => [
    ...(await wrongExamples(subject)),
    ...(await wrongClaims(subject))
  ])
}

/** Returns the URL at which the service documents the rules of manifests, if the service itself can be read. */
const rulesAt = (readable: Registry | undefined): string | undefined =>
  readable === undefined
    ? undefined
    : (absoluteUrlOrNull(readable, documentPathOf(readable, 'manifest-reference')) ?? undefined)

const severity = (diagnostics: readonly Diagnostic[], name: Diagnostic['severity']): number =>
  diagnostics.filter(one => one.severity === name).length

export const validate = defineCommand<[files: string[]], Options>({
  name: 'validate',
  group: 'write',
  summary: 'Check all manifests, corpora and claims.',
  description: [
    'Reads every file of the roots, imports handlers and migrations, and prints all mistakes at once, each with its place and what to do.',
    'Named files and folders narrow what is shown and counted; everything is still read.'
  ],
  arguments: [new Argument('[files...]', 'Files or folders to show mistakes of.')],
  options: [
    rootOption(),
    choice('--format <format>', 'Form of the diagnostics.', diagnosticFormats, 'pretty'),
    new Option(
      '--examples',
      'Also serve the roots on a free port, try every example and claim, and show those that are not answered as they say.'
    ),
    new Option('--warnings-as-errors', 'Exit with 1 for warnings too.')
  ],
  examples: [
    ['pantry validate', 'Check the project.'],
    ['pantry validate --examples', 'Check the project, and that every example and claim holds.'],
    ['pantry validate --format sarif > pantry.sarif', 'A report that code scanners read.']
  ],
  exits: { 1: 'There are errors (or, with --warnings-as-errors, warnings).' },
  async run([files], options, io) {
    const isShown = selector(files)
    const { loadRoots, migrationProblems } = await import('../roots.ts')
    const { readRegistry } = await import('../read-registry.ts')
    const { readClaims } = await import('../../core/registry/claims.ts')
    const { hasTables } = await import('../../core/database/tables/compare.ts')
    const startedAt = performance.now()
    const roots = await loadRoots(options.root)
    const { registry, readable, diagnostics: read, notes } = readRegistry(roots)
    const migrations = await migrationProblems(roots)
    const claims = registry === undefined ? [] : readClaims(registry, roots).diagnostics
    const examples =
      options.examples === true && registry !== undefined && [...migrations, ...claims].length === 0
        ? await exampleFindings(options.root, io)
        : []
    const diagnostics = [...read, ...claims, ...migrations, ...examples]
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)

    const shown = diagnostics.filter(isShown)
    const text = formatDiagnostics(shown, options.format, {
      version: packageVersion(),
      informationUri: rulesAt(readable)
    })
    print(io.stdout, options.format === 'pretty' ? colourSeverity(text, io.stdout, io.env) : text)
    if (shown.length < diagnostics.length)
      print(io.stderr, `${count(diagnostics.length - shown.length, 'finding')} in other files not shown`)
    for (const note of notes) print(io.stderr, `note: ${note}`)
    const [errors, warnings] = [severity(shown, 'error'), severity(shown, 'warning')]
    const surfaces = roots.reduce((total, { folder }) => total + countManifests(folder), 0)
    print(
      io.stderr,
      `${count(surfaces, 'surface')} checked in ${seconds} s, ${count(errors, 'error')}, ${count(warnings, 'warning')}`
    )
    if (readable !== undefined && hasTables(readable))
      print(io.stderr, 'Tables are compared with the database by `pantry doctor`.')
    return errors > 0 || (options.warningsAsErrors === true && warnings > 0) ? 1 : 0
  }
})
