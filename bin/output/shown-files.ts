import { relative } from 'node:path'
import { count } from './io.ts'

const most = 3

/** The first few of some files, by their paths from the working folder, and how many others there are. */
export function shownFiles(files: readonly string[]): string {
  const shown = files.slice(0, most).map(file => relative(process.cwd(), file))
  return shown.join(', ') + (files.length > most ? ` and ${count(files.length - most, 'other file')}` : '')
}
