import { relative } from 'node:path'
import { count } from './io.ts'

const most = 3

/** Formats the first three paths, relative to the working folder, and the number of others. */
export function shownFiles(files: readonly string[]): string {
  const shown = files.slice(0, most).map(file => relative(process.cwd(), file))
  return shown.join(', ') + (files.length > most ? ` and ${count(files.length - most, 'other file')}` : '')
}
