import { bundledDatabase } from '../support/bundled.ts'
import { eventually } from '../support/eventually.ts'
import { registryOf } from '../support/registry.ts'
import { startService, stopService } from '../support/service.ts'
import type { Part, Recording, Row } from './rows.ts'
import { steady } from './steady.ts'

const labelsOf = (line: string): readonly string[] => [...line.matchAll(/(\w+)="/g)].map(([, name = '']) => name)

/** The metrics of a page of them: name, type, help and labels. */
function* metricsOf(page: string): Generator<Row> {
  const lines = page.split('\n')
  for (const [, name = '', type] of page.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    yield {
      key: `metric ${name}`,
      facts: {
        type,
        help: new RegExp(`^# HELP ${name} (.*)$`, 'm').exec(page)?.[1],
        labels: [...new Set(lines.filter(line => line.startsWith(name)).flatMap(labelsOf))].sort()
      }
    }
}

async function* rows({ t }: Recording): AsyncGenerator<Row> {
  const [{ url: databaseUrl }, { registry }] = [await bundledDatabase(t), await registryOf()]
  const service = await startService(t, {
    args: [],
    env: { LOG_LEVEL: 'debug', DATABASE_URL: databaseUrl, PANTRY_DATA_DIR: t.testdirName }
  })
  for (const { examples } of registry.surfaces)
    for (const { method, url } of examples.slice(0, 1))
      await (await fetch(service.url + url, { method, redirect: 'manual' })).text()
  // The metric of what has ended is there once a job has run, which takes some seconds after the start.
  const page = await eventually(async () => {
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
    if (!text.includes('pantry_job_last_ended')) throw new Error('No job has ended yet.')
    return text
  }, 30)
  yield* metricsOf(page)
  await stopService(service)
  const messages = new Map<string, Row>()
  for (const line of service
    .stderr()
    .split('\n')
    .filter(text => text.startsWith('{'))) {
    const { level, msg, ...rest } = JSON.parse(line) as { level: string; msg: string }
    const key = `log ${level}: ${steady(msg).replace(/\d+/g, 'N')}`
    messages.set(key, { key, facts: { members: Object.keys(rest).sort() } })
  }
  yield* [...messages.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

export const names: Part = { name: 'names', about: 'metrics with their labels, and what is logged', rows }
