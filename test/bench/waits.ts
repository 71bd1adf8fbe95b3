import { writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import type { Figure } from './figures.ts'
import { servePantry } from './program.ts'

const waits = {
  'wait-reload': 'the longest wait of a request while a save is taken in, with 1,000 surfaces',
  'wait-openapi': 'the longest wait of a request while the first OpenAPI document is made, with 1,000 surfaces'
} as const
type What = keyof typeof waits

/** Milliseconds: what a person does not notice. */
const most = 50

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const ask = (url: string, by?: Agent): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent: by ?? false }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        resolve(Buffer.concat(chunks).toString())
      })
    }).on('error', reject)
  })

/** Asks for a small document again and again until `isOver`; the longest time that an answer took. */
async function longestUntil(url: string, isOver: (answer: string) => boolean): Promise<number> {
  let longest = 0
  for (;;) {
    const from = performance.now()
    const answer = await ask(url, agent)
    longest = Math.max(longest, performance.now() - from)
    if (isOver(answer)) return longest
  }
}

/** How long others wait for what takes long. `manySurfaces` is a root of `writeManySurfaces`, and is edited. */
export async function measureWaits(
  dataDir: string,
  manySurfaces: string,
  rounds: number,
  say: (text: string) => void
): Promise<readonly Figure[]> {
  const found: Readonly<Record<What, number[]>> = { 'wait-reload': [], 'wait-openapi': [] }
  const edited = join(manySurfaces, 'corpora/documents/about-topic-0.yaml')
  for (let round = 1; round <= rounds; round++) {
    const { url, pid, stop } = await servePantry({ PANTRY_DATA_DIR: dataDir }, ['.', manySurfaces])
    const small = `${url}/api/v1/many/about/topic-0`
    for (let warm = 0; warm < 200; warm++) await ask(small, agent)

    let isMade = false
    const made = ask(`${url}/api/openapi.json`).then(() => {
      isMade = true
    })
    const openapi = await longestUntil(small, () => isMade)
    await made

    const text = `Read in round ${round}.`
    writeFileSync(edited, `'@kind': about-topic-0\ntitle: About topic-0\ntext: ${text}\n`)
    process.kill(pid, 'SIGHUP')
    const reload = await longestUntil(small, answer => answer.includes(text))
    await stop()
    found['wait-openapi'].push(openapi)
    found['wait-reload'].push(reload)
    say(`waits ${round} of ${rounds}: ${openapi.toFixed(0)} ms for OpenAPI, ${reload.toFixed(0)} ms for a reload`)
  }
  return Object.entries(waits).map(([what, about]) => ({
    scenario: what,
    about,
    of: 'wait',
    unit: 'ms' as const,
    most,
    values: found[what as What]
  }))
}
