import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Compiled } from '../core/source/compiled.ts'
import { codeFolder, packageVersion } from './project.ts'

/**
 * Name of the file, in the folder of a root's bundles, that says which code they are: a digest of all that a build made
 * there.
 */
export const codeFile = 'digest'

/** Name of the file with what a build made of manifests and corpora. A build writes it, and nothing that serves. */
const compiledFile = 'registry'

/** The folder that the operator names for these files. */
function namedFolder(): string | undefined {
  const { PANTRY_REGISTRY_DIR: named = '' } = process.env
  return named === '' ? undefined : named
}

/** Where the file of a folder of bundles is: beside them, or in a named folder, by their path. */
const fileIn = (folder: string, named: string | undefined): string =>
  named === undefined
    ? join(folder, compiledFile)
    : join(named, `${compiledFile}-${sha256(Buffer.from(resolve(folder))).slice(0, 16)}`)

type Item = Readonly<{ digest: string; packed: Uint8Array }>

/** The first line of the file: all that must be the same for the rest to be taken. */
type Head = Readonly<{ pantry: string; node: string; code: string; bytes: number; digest: string }>

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const digestIn = (folder: string): string | undefined =>
  existsSync(join(folder, codeFile)) ? readFileSync(join(folder, codeFile), 'utf8').trim() : undefined

/** Where the code of the framework runs, when it is bundled. */
const own = join(codeFolder, 'bin')

/** The digest of the code of a root and of the framework, where both are bundled. */
function codeOf(folder: string, framework: string): string | undefined {
  const digests = [framework, folder].map(digestIn)
  return digests.every(one => one !== undefined) ? digests.join(' ') : undefined
}

const headOf = (code: string, payload: Uint8Array): Head => ({
  pantry: packageVersion(),
  node: process.version,
  code,
  bytes: payload.length,
  digest: sha256(payload)
})

function parseHead(text: string): Partial<Head> {
  try {
    return Object(JSON.parse(text)) as Partial<Head>
  } catch {
    return {}
  }
}

/** What the file is not of, in words; `undefined` when it can be taken. */
function whyNot(text: string, expected: Head): string | undefined {
  const found = parseHead(text)
  if (found.pantry !== expected.pantry) return 'another version of Pantry made it'
  if (found.node !== expected.node) return `Node ${found.node ?? 'of another kind'} made it`
  if (found.code !== expected.code) return 'it was made with other code'
  return found.bytes !== expected.bytes || found.digest !== expected.digest ? 'it is not as it was written' : undefined
}

/** What was compiled of the root of a folder of bundles, by the code that runs now, or why it is not taken. */
type Found = Readonly<{ code?: string; compiled?: Compiled; unusable?: string }>

export function readCompiled(folder: string, framework = own, named = namedFolder()): Found {
  const code = codeOf(folder, framework)
  if (code === undefined) return {}
  // What a package ships stays beside its code.
  const found = [...new Set([fileIn(folder, named), fileIn(folder, undefined)])]
    .filter(existsSync)
    .map(file => readFile(file, code))
  return { code, ...(found.find(({ compiled }) => compiled !== undefined) ?? found[0]) }
}

function readFile(file: string, code: string): Pick<Found, 'compiled' | 'unusable'> {
  const bytes = readFileSync(file)
  const end = bytes.indexOf('\n')
  const payload = bytes.subarray(end + 1)
  const reason =
    end === -1 ? 'it is not as it was written' : whyNot(bytes.toString('utf8', 0, end), headOf(code, payload))
  if (reason !== undefined)
    return {
      unusable: `${file} is not used, because ${reason}: the files are read in memory. \`pantry build\` makes it again.`
    }
  const items = deserialize(payload) as ReadonlyMap<string, Item>
  return {
    compiled: {
      take(name, digest) {
        const item = items.get(name)
        return item?.digest === digest ? (deserialize(item.packed) as unknown) : undefined
      }
    }
  }
}

/**
 * Collects what is made of the files of a root, and writes it beside the bundles in a folder, or where the operator
 * names another. Nothing is written where the code is not bundled.
 */
export function recordCompiled(
  folder: string,
  framework = own,
  named = namedFolder()
): Readonly<{ compiled: Compiled; write: () => void }> {
  const items = new Map<string, Item>()
  return {
    compiled: {
      take: () => undefined,
      keep: (name, digest, packed) => {
        items.set(name, { digest, packed: serialize(packed) })
      }
    },
    write() {
      const code = codeOf(folder, framework)
      if (code === undefined) return
      const payload = serialize(items)
      const file = fileIn(folder, named)
      mkdirSync(dirname(file), { recursive: true })
      // Whoever reads meanwhile finds the old one or the new one.
      const fresh = `${file}.${randomUUID()}`
      const head = Buffer.from(`${JSON.stringify(headOf(code, payload))}\n`)
      writeFileSync(fresh, Buffer.concat([head, payload]), { flag: 'wx' })
      renameSync(fresh, file)
    }
  }
}
