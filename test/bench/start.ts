import type { Figure } from './figures.ts'
import { runs, servePantry, validate, type Took } from './program.ts'

const starts = {
  listening: 'a warm start until the port is open',
  ready: 'a warm start until `/readyz` is 200',
  validate: '`pantry validate`',
  'validate-large': '`pantry validate` with 1,600 surfaces'
} as const
type What = keyof typeof starts

/** How often `node -e 0` runs in a round: the unit of the others. */
const unitRuns = 5

/** Starts and checks, in units of `node -e 0` in the same round: first by the clock and then by processor time. */
export async function measureStart(
  dataDir: string,
  manySurfaces: string,
  rounds: number,
  say: (text: string) => void
): Promise<readonly Figure[]> {
  const found: Readonly<Record<What, Took[]>> = { listening: [], ready: [], validate: [], 'validate-large': [] }
  // What a first start prepares is there, as it is at the second start of an operator.
  await (await servePantry({ PANTRY_DATA_DIR: dataDir })).stop()
  for (let round = 1; round <= rounds; round++) {
    const unit = await runs(['-e', '0'], unitRuns)
    const serving = await servePantry({ PANTRY_DATA_DIR: dataDir })
    await serving.stop()
    const took: Readonly<Record<What, Took>> = {
      listening: serving.listening,
      ready: serving.ready,
      validate: await validate([]),
      'validate-large': await validate(['.', manySurfaces])
    }
    for (const [what, { wall, processor }] of Object.entries(took))
      found[what as What].push({ wall: wall / unit.wall, processor: processor / unit.processor })
    say(
      `start ${round} of ${rounds}: node -e 0 ${unit.wall.toFixed(0)} ms, ${Object.entries(took)
        .map(([what, { wall, processor }]) => `${what} ${wall.toFixed(0)} ms (${processor.toFixed(0)})`)
        .join(', ')}`
    )
  }
  return Object.entries(starts).flatMap(([what, about]): Figure[] => {
    const common = { scenario: `start-${what}`, about, unit: 'x node -e 0' } as const
    return [
      { ...common, of: 'time', values: found[what as What].map(({ wall }) => wall) },
      { ...common, of: 'processor time', values: found[what as What].map(({ processor }) => processor) }
    ]
  })
}
