import { table } from '../../bin/table.ts'
import type { SourceCode } from '../support/source-code.ts'
import { circlesOf } from './circles.ts'
import { filesOver, roomOf, sizesOf, type Room } from './sizes.ts'

type Total = Readonly<{ what: string; now: number; most?: number }>
export type Figures = Readonly<{
  rooms: readonly Room[]
  totals: readonly Total[]
  large: ReturnType<typeof filesOver>
  /** What is in a circle of imports that run. */
  circles: Readonly<{ files: readonly (readonly string[])[]; folders: readonly (readonly string[])[] }>
  /** The same, where `import type` counts too. */
  circlesOfTypes: Figures['circles']
}>

/** What can be counted of a source, beside what it should be at most. */
export function figuresOf(files: readonly SourceCode[]): Figures {
  const rooms = sizesOf(files)
  const linesIn = (top: string): number => rooms.find(({ room }) => room === top)?.lines ?? 0
  const circles = (withTypes: boolean): Figures['circles'] => ({
    files: circlesOf(files, withTypes),
    folders: circlesOf(files, withTypes, roomOf)
  })
  const [run, all] = [circles(false), circles(true)]
  const whole = rooms.filter(({ room }) => !room.includes('/'))
  return {
    rooms,
    totals: [
      { what: 'bytes of source', now: whole.reduce((sum, { bytes }) => sum + bytes, 0), most: 2_300_000 },
      { what: 'lines of core', now: linesIn('core'), most: 15_000 },
      { what: 'lines of surfaces', now: linesIn('surfaces'), most: 22_000 },
      { what: 'lines of bin', now: linesIn('bin'), most: 3_700 },
      { what: 'files', now: whole.reduce((sum, room) => sum + room.files, 0), most: 600 },
      { what: 'files over 20 KB', now: filesOver(files, 20).length },
      { what: 'files over 40 KB', now: filesOver(files, 40).length },
      { what: 'circles of files, by imports that run', now: run.files.length },
      { what: 'circles of files, by types too', now: all.files.length },
      { what: 'circles of folders, by imports that run', now: run.folders.length },
      { what: 'circles of folders, by types too', now: all.folders.length }
    ],
    large: filesOver(files, 20),
    circles: run,
    circlesOfTypes: all
  }
}

/** A number beside the most that it should be. */
export const against = (now: number, most: number | undefined): readonly string[] =>
  most === undefined ? [String(now), '', ''] : [String(now), String(most), now > most ? 'no' : 'yes']

const shown = 12

/** The figures as people read them; `--json` has the members of long circles. */
export function textOf({ rooms, totals, large, circles, circlesOfTypes }: Figures): string {
  const circle = (of: string, names: readonly string[]): string =>
    `circle of ${names.length} ${of}: ${names.slice(0, shown).join(', ')}${names.length > shown ? ', …' : ''}`
  return [
    table(
      ['folder', 'files', 'lines', 'bytes'],
      rooms.map(({ room, files, lines, bytes }) => [room, ...[files, lines, bytes].map(String)])
    ),
    '',
    table(
      ['total', 'now', 'at most', 'reached'],
      totals.map(({ what, now, most }) => [what, ...against(now, most)])
    ),
    '',
    ...large.map(({ file, bytes }) => `over 20 KB: ${file}, ${bytes} bytes`),
    ...circles.files.map(names => circle('files, by imports that run', names)),
    ...circlesOfTypes.files.map(names => circle('files, by types too', names)),
    ...circles.folders.map(names => circle('folders, by imports that run', names)),
    ...circlesOfTypes.folders.map(names => circle('folders, by types too', names))
  ].join('\n')
}
