import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { BuildCache } from '../core/source/compiled.ts'
import { codeFolder, packageVersion } from './project.ts'

/** The file in a root's bundle folder with the digest of the bundled code. */
export const codeFile = 'digest'

/** The file with the compiled manifests and corpora. Only a build writes it, never a server. */
const compiledFile = 'registry'

/** Returns the folder that the operator sets for compiled registries (`PANTRY_REGISTRY_DIR`). */
function namedFolder(): string | undefined {
  const { PANTRY_REGISTRY_DIR: named = '' } = process.env
  return named === '' ? undefined : named
}

/**
 * Returns the path of the compiled registry of a bundle folder. The `named` folder may hold those of several roots, so
 * the name is derived from the path of the bundle folder.
 */
const fileIn = (folder: string, named: string | undefined): string =>
  named === undefined
    ? join(folder, compiledFile)
    : join(named, `${compiledFile}-${sha256(Buffer.from(resolve(folder))).slice(0, 16)}`)

type Item = Readonly<{ digest: string; packed: Uint8Array }>

/** The first line of a compiled registry, as JSON; unless all its values match the file is not used. */
type Head = Readonly<{ pantry: string; node: string; code: string; bytes: number; digest: string }>

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const digestIn = (folder: string): string | undefined =>
  existsSync(join(folder, codeFile)) ? readFileSync(join(folder, codeFile), 'utf8').trim() : undefined

const own = join(codeFolder, 'bin')

/** Returns the digests of the framework's and a root's code; `undefined` unless both are bundled. */
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

function whyNot(text: string, expected: Head): string | undefined {
  const found = parseHead(text)
  if (found.pantry !== expected.pantry) return 'another version of Pantry made it'
  if (found.node !== expected.node) return `Node ${found.node ?? 'of another kind'} made it`
  if (found.code !== expected.code) return 'it was made with other code'
  return found.bytes !== expected.bytes || found.digest !== expected.digest ? 'it is not as it was written' : undefined
}

/**
 * The compiled registry if the same code, Pantry and Node.js made it, or why it is not used. `code`: the digests of the
 * code.
 */
type Found = Readonly<{ code?: string; compiled?: BuildCache; unusable?: string }>

export function readCompiled(folder: string, framework = own, named = namedFolder()): Found {
  const code = codeOf(folder, framework)
  if (code === undefined) return {}
  // A published package has its compiled registry beside its code, whatever folder the operator names.
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
 * Collects what is compiled from the files of a root. `write` saves it, and does nothing if the code is not bundled.
 */
export function recordCompiled(
  folder: string,
  framework = own,
  named = namedFolder()
): Readonly<{ compiled: BuildCache; write: () => void }> {
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
      // The file is replaced in one step, so that concurrent readers see the old one or the new one.
      const fresh = `${file}.${randomUUID()}`
      const head = Buffer.from(`${JSON.stringify(headOf(code, payload))}\n`)
      writeFileSync(fresh, Buffer.concat([head, payload]), { flag: 'wx' })
      renameSync(fresh, file)
    }
  }
}
