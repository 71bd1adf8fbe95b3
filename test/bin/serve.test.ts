import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { readConfig } from '../../bin/config.ts'
import { serve, type RunningServer } from '../../bin/serve.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'

type Running = RunningServer & Readonly<{ root: string, reported: Diagnostic[], said: () => string }>

async function serveCopy (t: Test, env: Record<string, string> = {}): Promise<Running> {
  const root = join(t.testdir({}), 'library')
  cpSync('test/fixture/library', root, { recursive: true })
  const reported: Diagnostic[] = []
  const out = new PassThrough()
  let said = ''
  out.on('data', (chunk: Buffer) => { said += chunk.toString() })
  const stream = out as unknown as NodeJS.WriteStream
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...env })
  const running = await serve({ config, roots: [root], watch: true, report: found => { reported.push(...found) }, stdout: stream, stderr: stream })
  t.teardown(() => running.stop())
  return { ...running, root, reported, said: () => said }
}

const until = async (what: () => boolean | Promise<boolean>): Promise<void> => {
  while (!await what()) await sleep(20)
}

t.test('an edit is swapped in under load without a failed request, a bad one changes nothing', async t => {
  const { url, root, reported, said } = await serveCopy(t)
  const file = join(root, 'manifests', 'branches.yaml')
  const good = readFileSync(file, 'utf8')
  let running = true
  const statuses = new Map<number, number>()
  const load = Promise.all(Array.from({ length: 4 }, async () => {
    while (running) {
      const { status } = await fetch(`${url}/api/v1/library/books`)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }))
  const served = async (path: string): Promise<boolean> => (await fetch(url + path)).status === 200

  writeFileSync(file, good.replace('/library/branches', '/library/places'))
  await until(() => served('/api/v1/library/places'))
  t.equal(await served('/api/v1/library/branches'), false)
  t.match(await (await fetch(`${url}/api/v1/manifest`)).text(), '/api/v1/library/places')

  writeFileSync(file, good.replace('access: public', 'acess: public'))
  await until(() => said().includes('reload refused'))
  t.match(reported, [{ severity: 'error', span: { line: 5 } }])
  t.equal(await served('/api/v1/library/places'), true, 'the last good manifests keep serving')

  writeFileSync(file, good)
  await until(() => served('/api/v1/library/branches'))
  running = false
  await load
  t.strictSame([...statuses.keys()], [200])
})

t.test('a surface added while serving is in every document', async t => {
  const { url, root } = await serveCopy(t)
  const manifest = readFileSync(join(root, 'manifests', 'loans.yaml'), 'utf8').replace('/library/loans', '/library/fines').replace('method: [GET, POST]\n', '')
  writeFileSync(join(root, 'manifests', 'fines.yaml'), manifest)
  await until(async () => (await fetch(`${url}/api/v1/library/fines`)).status === 503)
  for (const document of ['/api/v1/manifest', '/api/v1/status', '/api/v1/tools', '/api/openapi.json', '/api/v1/graph', '/api/v1/examples']) {
    t.match(await (await fetch(url + document)).text(), '/api/v1/library/fines', document)
  }
})

t.test('probes and metrics answer beside the service, by route pattern', async t => {
  const { url, said } = await serveCopy(t, { PANTRY_ADMIN_PORT: '0' })
  await until(() => said().includes('admin port on'))
  const admin = /admin port on (\S+)/.exec(said())?.[1] ?? ''
  t.equal((await fetch(`${url}/livez`)).status, 200)
  t.equal((await fetch(`${url}/readyz`)).status, 200)
  await fetch(`${url}/api/v1/library/books/9780141439518`)
  const metrics = await (await fetch(`${admin}/metrics`)).text()
  t.match(metrics, 'route="/api/v1/library/books/{isbn}"')
  t.notMatch(metrics, '9780141439518')
  t.match(await (await fetch(`${admin}/readyz`)).json(), { ready: true })
})
