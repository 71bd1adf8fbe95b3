import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Surface } from '../../core/manifest/surface.ts'
import { plot, type Panel } from '../support/plot.ts'
import type { Outcome, Sent } from './client.ts'

const sorted = (numbers: readonly number[]): readonly number[] => [...numbers].sort((a, b) => a - b)

/** The value that the share `at` of all is not above. */
export const quantile = (numbers: readonly number[], at: number): number =>
  sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * at))] ?? Number.NaN
export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5)

/** Theil–Sen: the median of the slopes between any two points. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  return median(points.flatMap(([x, y], index) => points.slice(index + 1).map(([x2, y2]) => (y2 - y) / (x2 - x))))
}

export const megabytes = (bytes: number): number => bytes / 2 ** 20

/** A demand, what was found, and whether it is met; of memory and times only a long load says something. */
export type Goal = Readonly<{ goal: string; found: string; met: boolean; isTimed?: boolean }>

/** Counts answers that no surface may give: faults of the service, and none at all. */
export class Failures {
  readonly #declared: readonly Readonly<{ pattern: RegExp; statuses: readonly number[] }>[]
  readonly #counts = new Map<string, number>()

  /** A surface may answer what its manifest fixes, and what its examples show: a paused one 503. */
  constructor(surfaces: readonly Surface[]) {
    this.#declared = surfaces
      .map(({ route, fixed, status, examples }) => ({
        pattern: new RegExp(`^${route.path.replaceAll(/[.+]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
        statuses: [...(fixed === undefined ? [] : [status]), ...examples.map(({ expect }) => expect.status)].filter(
          status => status >= 500
        )
      }))
      .filter(({ statuses }) => statuses.length > 0)
  }

  hear({ method, target }: Sent, { status, reason }: Outcome): void {
    const [path = ''] = target.split('?')
    if (
      (status > 0 && status < 500) ||
      this.#declared.some(({ pattern, statuses }) => statuses.includes(status) && pattern.test(path))
    )
      return
    const name = status === 0 ? `no answer: ${reason}` : `${status} ${method} ${path.slice(0, 80)}`
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }
  get all(): readonly (readonly [string, number])[] {
    return [...this.#counts].sort(([, a], [, b]) => b - a)
  }
}

/** Writes the figures as JSON and their picture, and answers with the names of the files. */
export function writeReport(
  folder: string,
  name: string,
  figures: object,
  title: string,
  panels: readonly Panel[]
): readonly string[] {
  mkdirSync(folder, { recursive: true })
  const files = [join(folder, `${name}.json`), join(folder, `${name}.svg`)] as const
  writeFileSync(files[0], `${JSON.stringify(figures, null, 1)}\n`)
  writeFileSync(files[1], plot(title, panels))
  return files
}
