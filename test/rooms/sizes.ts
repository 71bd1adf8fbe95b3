import type { SourceCode } from '../support/source-code.ts'

/** What the source is counted in. */
export const tops = ['core', 'surfaces', 'bin'] as const

/** Columns of a line: a longer one counts as the lines that it would take. */
const columns = 120

/** Lines of a text; what follows the last line break is a line where it is not empty. */
export const linesOf = (text: string): number =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0)

export const bytesOf = (text: string): number => Buffer.byteLength(text)

/** The room of a file: the first two folders of its path. */
export const roomOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/')

export type Room = Readonly<{ room: string; files: number; lines: number; bytes: number }>

const sizeOf = (room: string, files: readonly SourceCode[]): Room => ({
  room,
  files: files.length,
  lines: files.reduce((sum, { text }) => sum + linesOf(text), 0),
  bytes: files.reduce((sum, { text }) => sum + bytesOf(text), 0)
})

/** Each top folder whole, then the folders directly below it. */
export const sizesOf = (files: readonly SourceCode[]): readonly Room[] =>
  tops.flatMap(top => {
    const own = files.filter(({ file }) => file.startsWith(`${top}/`))
    const below = [...new Set(own.map(({ file }) => roomOf(file)))].filter(room => room !== top).sort()
    return [
      sizeOf(top, own),
      ...below.map(room =>
        sizeOf(
          room,
          own.filter(({ file }) => roomOf(file) === room)
        )
      )
    ]
  })

/** Files with more than so many KB, the largest first. */
export const filesOver = (
  files: readonly SourceCode[],
  kilobytes: number
): readonly Readonly<{ file: string; bytes: number }>[] =>
  files
    .map(({ file, text }) => ({ file, bytes: bytesOf(text) }))
    .filter(({ bytes }) => bytes > kilobytes * 1024)
    .sort((one, other) => other.bytes - one.bytes)
