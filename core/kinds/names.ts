import { readdirSync } from 'node:fs'

/** The names of all kinds, which are those of their folders: the command line needs them at each start, and loads no kind for it. */
export const kindNames: readonly string[] = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter(file => file.isDirectory()).map(({ name }) => name).sort()
