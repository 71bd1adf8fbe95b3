/**
 * The program of a worker of `pantry dev`. It serves the code that it loads at its start and reloads manifests and
 * corpora; other code is served by a new worker.
 */
import { formatDiagnostics } from '../../core/diagnostics/format.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { Generation } from '../../core/plan/generation.ts'
import { withBaseUrl } from '../../core/registry/load.ts'
import { LoadCache } from '../../core/source/read-folder.ts'
import { linkedOrigin, openFront } from '../front.ts'
import { colourSeverity, messageOf, print } from '../io.ts'
import { closeAll, prepare, type Closers } from '../prepare.ts'
import { readingRegistry, readRegistry } from '../read-registry.ts'
import { createReload } from '../reload.ts'
import { handlerFileId } from '../root-modules.ts'
import { bundleFolder, loadRoots } from '../roots.ts'
import { enableSourceMaps } from '../stack-traces.ts'
import { createTracer } from '../trace.ts'
import { serveProcedures } from '../workers/duties.ts'
import { answersTo, differencesOf, type Answers } from './examples.ts'
import type { DevAssignment, DevProcedures, Edited, Touched } from './relay.ts'

enableSourceMaps()

const opened: Closers = []
const reuse = new LoadCache()

const say = (line: string): void => {
  print(process.stderr, line)
}
const report = (diagnostics: readonly Diagnostic[]): void => {
  say(colourSeverity(formatDiagnostics(diagnostics, 'pretty'), process.stderr, process.env))
}

async function sayDifferences(before: Generation, after: Generation): Promise<void> {
  const touched = after.registry.surfaces.filter(surface => before.registry.byId.get(surface.id) !== surface)
  const known = touched.flatMap(({ id }) => before.registry.byId.get(id) ?? [])
  differencesOf(await answersTo(before, known), await answersTo(after, touched)).forEach(say)
}

const bundlesOf =
  ({ folders }: Edited) =>
  (root: string): string =>
    folders.get(root) ?? bundleFolder(root)

async function open(given: DevAssignment) {
  const { config, place, startedAt, origin, needed } = given
  const prepared = await prepare(
    {
      // An edit begins another worker, so a job is only run when it is asked for.
      config: { ...config, jobs: false },
      roots: given.roots,
      checkReplies: true,
      checkRows: true,
      report,
      stderr: process.stderr,
      reuse,
      bundles: bundlesOf(given),
      needed,
      startedAt,
      watchOf: createTracer,
      // What is printed here is read by who edits, and no part of it is JSON.
      isLogPlain: true
    },
    opened
  )
  // If the origin of links is known now, the generation need not be compiled again.
  const front = openFront(
    origin === undefined || config.baseUrl !== undefined
      ? prepared
      : { ...prepared, registry: withBaseUrl(prepared.registry, origin) },
    config
  )
  opened.push(front.stop)
  const address = await front.listen(place)
  const url = linkedOrigin(config, address)
  const { reload, end } = createReload({
    first: prepared.first,
    read: () => readingRegistry(prepared.roots, url, reuse),
    swap: front.swap,
    report,
    say
  })
  opened.push(end)
  return { address, front, reload, roots: prepared.roots }
}

let opening: ReturnType<typeof open> | undefined

async function begun(): ReturnType<typeof open> {
  if (opening === undefined) throw new Error('This worker has not begun.')
  return await opening
}

async function answers(touched: Touched): Promise<Answers> {
  const { front, roots } = await begun()
  const generation = front.generation()
  const files = new Map(roots.flatMap(root => [...root.handlerFiles]))
  return await answersTo(
    generation,
    generation.registry.surfaces.filter(
      ({ id, reaches }) =>
        touched === 'all' ||
        (touched === 'coded'
          ? reaches.includes('handlers')
          : touched.includes(handlerFileId(files.get(id) ?? '') ?? ''))
    )
  )
}

serveProcedures<DevProcedures>({
  warm: async edited => {
    // Errors are printed when the worker begins. The second reading uses the results of the first, as the reading after
    // an edit will.
    await loadRoots(edited.roots, bundlesOf(edited)).then(
      roots => [readRegistry(roots, undefined, reuse), readRegistry(roots, undefined, reuse)],
      () => undefined
    )
  },
  begin: async given => (await (opening = open(given))).address,
  reload: async noticedAt => {
    const { front, reload } = await begun()
    const before = front.generation()
    await reload(noticedAt - performance.timeOrigin)
    // The next edit does not wait for the comparison.
    if (front.generation() !== before)
      sayDifferences(before, front.generation()).catch((error: unknown) => {
        say(messageOf(error))
      })
  },
  answers,
  retire: async () => {
    await (await begun()).front.stop()
  },
  end: async () => {
    await closeAll(opened)
    process.exit(0)
  }
})
