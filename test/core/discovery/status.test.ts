import t from 'tap'
import type { SubsystemState } from '../../../core/discovery/define.ts'
import { discoveryModules } from '../../../core/discovery/index.ts'
import { gazetteer, registryOf } from '../../support/registry.ts'
import { build, observations, registry } from './fixture.ts'

const state = (status: SubsystemState['status']): SubsystemState => ({ status, detail: '' })
const observed = (subsystems: Record<string, SubsystemState>) => ({ observations: { ...observations, subsystems } })

type Status = {
  endpoints: { id: string; contract_state: string; last_known_state: string }[]
  alternative_contracts: { format: string; default_of: string[]; offered_by: string[] }[]
  counts: { total: number; envelope_compliant: number; by_contract: Record<string, number> }
}

t.test('status lists every surface once, with its contract', t => {
  const { endpoints, counts } = build('status') as Status
  t.same(endpoints.map(endpoint => endpoint.id).sort(), registry.surfaces.map(surface => surface.id).sort())
  t.equal(endpoints.find(endpoint => endpoint.id === 'manifest')?.contract_state, 'alternative-contract')
  t.equal(counts.by_contract.envelope, counts.envelope_compliant)
  t.equal(counts.by_contract.envelope! + counts.by_contract['alternative-contract']!, counts.total)
  t.end()
})

t.test(
  'the formats without an envelope are listed, and a surface that answers with one unasked is not called compliant',
  t => {
    const { endpoints, alternative_contracts: alternatives } = build('status') as Status
    const offered = new Set(registry.surfaces.flatMap(({ formats }) => formats))
    t.same(alternatives.map(({ format }) => format).sort(), [...offered].filter(format => format !== 'json').sort())
    for (const { format, default_of: unasked, offered_by: all } of alternatives) {
      t.same(
        all,
        registry.surfaces.filter(({ formats }) => formats.includes(format)).map(({ id }) => id),
        format
      )
      for (const id of unasked)
        t.match(
          endpoints.find(endpoint => endpoint.id === id),
          { envelope_compliant: false, contract_state: 'alternative-contract' },
          id
        )
    }
    t.ok(alternatives.some(({ default_of: unasked }) => unasked.length > 0))
    t.end()
  }
)

t.test('a paused surface is paused whatever the process does, a handler follows what it reads from', t => {
  const { endpoints } = build('status', observed({ process: state('ok'), database: state('down') })) as Status
  const stateOf = (id: string) => endpoints.find(endpoint => endpoint.id === id)?.last_known_state
  t.same(['history', 'mirror', 'harbours'].map(stateOf), ['paused', 'down', 'serving'])
  t.end()
})

t.test('a table that is not well affects only what shows it', async t => {
  const { registry } = await registryOf([gazetteer])
  const subsystems = { database: state('ok'), 'table:places': { ...state('down'), corpora: ['places'] } }
  const asked = { params: {}, query: {} }
  const found = discoveryModules.get('status')?.build(registry, asked, { ...observations, subsystems }) as Status
  const unwell = found.endpoints.filter(({ last_known_state: state }) => state !== 'serving')
  t.same(
    unwell.map(({ id }) => id).sort(),
    registry.surfaces.flatMap(({ id, shows }) => (shows?.corpus === 'places' ? [id] : [])).sort()
  )
  t.ok(unwell.length > 0)
  t.ok(unwell.every(({ last_known_state: state }) => state === 'down'))
})

t.test('health is computed from the parts', t => {
  t.match(build('health', observed({})), { status: 'ok' })
  t.match(build('health', observed({ process: state('ok'), database: state('ok') })), {
    status: 'ok',
    recommendation: 'retry-with-backoff'
  })
  t.match(build('health', observed({ process: state('ok'), database: state('degraded') })), {
    status: 'degraded',
    recommendation: 'wait-60s'
  })
  t.match(build('health', observed({ process: state('ok'), database: state('down'), feed: state('ok') })), {
    status: 'degraded'
  })
  t.match(build('health', observed({ process: state('ok'), database: state('down') })), {
    status: 'down',
    recommendation: 'wait-300s'
  })
  t.match(build('health', observed({ process: state('down'), database: state('ok') })), { status: 'down' })
  t.end()
})
