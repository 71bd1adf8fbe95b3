import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { project } from './files.ts'
import type { Finished } from './pool.ts'

/** What a result depends on besides the files of the project. */
const circumstances = (): string =>
  JSON.stringify([
    process.version,
    process.env['PANTRY_POSTGRES_BIN'],
    process.env['DATABASE_URL'],
    process.env['PANTRY_CARDS']
  ])

/** Files that git tracks or would track; undefined where there is no git. */
function trackable(folder: string): readonly string[] | undefined {
  try {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26
    })
    return [...new Set(listed.split('\0'))].filter(name => name !== '').sort()
  } catch {
    return undefined
  }
}

/** A digest of every such file as it is now: any change of any of them gives another. */
export function stateOf(folder = project): string {
  const digest = createHash('sha256').update(circumstances())
  const files = trackable(folder)
  // Outside git nothing can show that nothing has changed.
  if (files === undefined) return randomUUID()
  for (const file of files) {
    digest.update(`\0${file}\0`)
    try {
      digest.update(readFileSync(join(folder, file)))
    } catch {
      digest.update('not here')
    }
  }
  return digest.digest('hex')
}

/**
 * The test files that passed, in one state of the project. Kept after each file, so that a run that breaks off loses
 * nothing.
 */
export class Passed {
  readonly #store: string
  readonly #state: string
  readonly #files: Set<string>

  constructor(store = join(project, '.test', 'passed.json'), state = stateOf()) {
    this.#store = store
    this.#state = state
    this.#files = new Set(this.#read())
  }

  #read(): readonly string[] {
    try {
      const { state, files } = JSON.parse(readFileSync(this.#store, 'utf8')) as {
        state: string
        files: readonly string[]
      }
      return state === this.#state ? files : []
    } catch {
      return []
    }
  }

  has(file: string): boolean {
    return this.#files.has(file)
  }

  /** A file that skipped something has not passed: what it misses may be there next time. */
  note({ file, fail, skips }: Pick<Finished, 'file' | 'fail' | 'skips'>): void {
    if (fail === 0 && skips.length === 0) this.#files.add(file)
    else this.#files.delete(file)
    mkdirSync(dirname(this.#store), { recursive: true })
    writeFileSync(this.#store, JSON.stringify({ state: this.#state, files: [...this.#files] }))
  }
}
