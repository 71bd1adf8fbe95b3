import { look } from './look.ts'
import { measureSlice, warm, type Asked, type Slice } from './load.ts'
import type { Keys } from './requests.ts'
import { scenarios, type Scenario, type Server } from './scenarios.ts'
import { startServer, type Started, type Told } from './servers.ts'

export type RoundOptions = Readonly<{
  rounds: number
  /** Of load: to get warm, and of one slice. */
  warmSeconds: number
  seconds: number
  connections: number
  /** How often a dirty slice is measured again; the cleanest is kept. */
  repeats: number
  say: (text: string) => void
}>

export type Setting = Told & Readonly<{ keys: Keys; databaseTime: () => Promise<number> }>

/** What was measured of one request to one server in one round. Times are microseconds for each request. */
export type Sample = Readonly<{
  server: number
  database: number
  perSecond: number
  utilisation: number
  requests: number
  wrong: number
  isDirty: boolean
  repeated: number
}>
/** By scenario, and there by `pantry`, another server or `own NAME`: one sample for each round. */
export type Rounds = Readonly<Record<string, Readonly<Record<string, Sample[]>>>>

export const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map(item => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)

/** Who is measured in a scenario: Pantry, and what its time is compared with. */
export const contestants = ({ beside = [] }: Scenario): readonly string[] => ['pantry', ...beside.map(({ to }) => to)]

const isOwn = (contestant: string): boolean => contestant.startsWith('own ')
const serverOf = (contestant: string): Server => (isOwn(contestant) ? 'pantry' : (contestant as Server))
const askedOf = (scenario: Scenario, contestant: string): Scenario => {
  const asked = isOwn(contestant) ? scenarios.find(({ name }) => `own ${name}` === contestant) : scenario
  if (asked === undefined) throw new Error(`${scenario.name} is compared with ${contestant}, which is no scenario.`)
  return asked
}

/** A slice that nobody disturbed, or the least disturbed of a few. */
async function cleanest(
  asked: Asked,
  amount: number,
  repeats: number
): Promise<Readonly<{ slice: Slice; repeated: number }>> {
  let slice = await measureSlice(asked, amount)
  let repeated = 0
  while (slice.isDirty && repeated < repeats) {
    repeated += 1
    const next = await measureSlice(asked, amount)
    if (!next.isDirty || next.serverWaited + next.stolen < slice.serverWaited + slice.stolen) slice = next
  }
  return { slice, repeated }
}

function sampleOf(measured: readonly Readonly<{ slice: Slice; repeated: number }>[]): Sample {
  const sum = (value: (slice: Slice) => number): number =>
    measured.reduce((total, { slice }) => total + value(slice), 0)
  const [requests, wall, server] = [sum(slice => slice.requests), sum(slice => slice.wall), sum(slice => slice.server)]
  return {
    server: server / requests,
    database: sum(slice => slice.database) / requests,
    perSecond: (requests / wall) * 1e6,
    utilisation: server / wall,
    requests,
    wrong: sum(slice => slice.wrong),
    isDirty: measured.some(({ slice }) => slice.isDirty),
    repeated: measured.reduce((total, { repeated }) => total + repeated, 0)
  }
}

const line = (
  name: string,
  contestant: string,
  { server, database, perSecond, utilisation, wrong, isDirty }: Sample
): string =>
  `${name.padEnd(14)} ${contestant.padEnd(12)} ${server.toFixed(1).padStart(8)} us  database ${database.toFixed(0).padStart(5)} us  ${perSecond.toFixed(0).padStart(6)}/s  ${(utilisation * 100).toFixed(0)} %${isDirty ? '  dirty' : ''}${wrong > 0 ? `  ${wrong} WRONG` : ''}`

/** The contestants of a scenario take turns, there and back, so that what drifts meets all of them. */
async function measureScenario(
  scenario: Scenario,
  running: ReadonlyMap<Server, Started>,
  setting: Setting,
  { warmSeconds, seconds, connections, repeats }: RoundOptions
): Promise<Readonly<Record<string, Sample>>> {
  const turns: { contestant: string; asked: Asked; amount: number; measured: { slice: Slice; repeated: number }[] }[] =
    []
  for (const contestant of shuffled(contestants(scenario))) {
    const server = running.get(serverOf(contestant))
    if (server === undefined) throw new Error(`${contestant} does not run.`)
    const asked: Asked = {
      scenario: askedOf(scenario, contestant),
      server,
      keys: setting.keys,
      connections,
      databaseTime: setting.databaseTime
    }
    turns.push({ contestant, asked, amount: Math.ceil((await warm(asked, warmSeconds)) * seconds), measured: [] })
  }
  for (const { asked, amount, measured } of [...turns, ...turns.toReversed()])
    measured.push(await cleanest(asked, amount, repeats))
  return Object.fromEntries(turns.map(({ contestant, measured }) => [contestant, sampleOf(measured)]))
}

/** In each round every server is a fresh process, and the scenarios come in an order of its own. */
export async function measureRounds(
  wanted: readonly Scenario[],
  setting: Setting,
  options: RoundOptions
): Promise<Rounds> {
  const found: Rounds = Object.fromEntries(
    wanted.map(scenario => [
      scenario.name,
      Object.fromEntries(contestants(scenario).map(contestant => [contestant, []]))
    ])
  )
  for (let round = 1; round <= options.rounds; round++) {
    const running = new Map<Server, Started>()
    try {
      for (const server of new Set(shuffled(wanted.flatMap(contestants).map(serverOf))))
        running.set(server, await startServer(server, setting))
      options.say(`round ${round} of ${options.rounds}`)
      if (round === 1) await look(wanted, running, setting)
      for (const scenario of shuffled(wanted)) {
        for (const [contestant, sample] of Object.entries(await measureScenario(scenario, running, setting, options))) {
          found[scenario.name]?.[contestant]?.push(sample)
          options.say(line(scenario.name, contestant, sample))
        }
      }
    } finally {
      for (const { kill } of running.values()) kill()
    }
  }
  return found
}
