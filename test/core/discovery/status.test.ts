import t from 'tap'
import type { SubsystemState } from '../../../core/discovery/discovery.ts'
import { build, observations, registry } from './fixture.ts'

const state = (status: SubsystemState['status']): SubsystemState => ({ status, detail: '' })
const observed = (subsystems: Record<string, SubsystemState>) => ({ observations: { ...observations, subsystems } })

type Status = { endpoints: { id: string, contract_state: string, last_known_state: string }[], counts: { total: number, envelope_compliant: number, by_contract: Record<string, number> } }

t.test('status lists every surface once, with its contract', t => {
  const { endpoints, counts } = build('status') as Status
  t.same(endpoints.map(endpoint => endpoint.id).sort(), registry.surfaces.map(surface => surface.id).sort())
  t.equal(endpoints.find(endpoint => endpoint.id === 'manifest')?.contract_state, 'alternative-contract')
  t.equal(counts.by_contract.envelope, counts.envelope_compliant)
  t.equal(counts.by_contract.envelope! + counts.by_contract['alternative-contract']!, counts.total)
  t.end()
})

t.test('a paused surface is paused whatever the process does, a handler follows what it reads from', t => {
  const { endpoints } = build('status', observed({ process: state('ok'), database: state('down') })) as Status
  const stateOf = (id: string) => endpoints.find(endpoint => endpoint.id === id)?.last_known_state
  t.same(['history', 'mirror', 'harbours'].map(stateOf), ['paused', 'down', 'serving'])
  t.end()
})

t.test('health is computed from the parts', t => {
  t.match(build('health', observed({})), { status: 'ok' })
  t.match(build('health', observed({ process: state('ok'), database: state('ok') })), { status: 'ok', recommendation: 'retry-with-backoff' })
  t.match(build('health', observed({ process: state('ok'), database: state('degraded') })), { status: 'degraded', recommendation: 'wait-60s' })
  t.match(build('health', observed({ process: state('ok'), database: state('down'), feed: state('ok') })), { status: 'degraded' })
  t.match(build('health', observed({ process: state('ok'), database: state('down') })), { status: 'down', recommendation: 'wait-300s' })
  t.match(build('health', observed({ process: state('down'), database: state('ok') })), { status: 'down' })
  t.end()
})
