import { closed, Text } from 'pantry/data'
import { defineForm, definePage, Facts, Type } from 'pantry/page'
import { SignalRequest } from '../../../market/operating.ts'
import { Desk } from '../../../market/reports.ts'
import {
  LeftOutTable,
  Signals,
  WaitingConsignments,
  WaitingDisputes,
  WaitingPayments,
  WaitingReports
} from '../../../market/page/desk.tsx'
import { GameNames, gameNamesOf } from '../../../pages/schemas.ts'
import { EntryVersion } from '../../../people/collector-schemas.ts'
import { ActTable, KeyTable, OrganisationTable, PeopleTable } from '../../../people/page/operator.tsx'
import {
  AccountsOverview,
  Change,
  ReportDecision,
  Revocation,
  RoleChange,
  SuspensionChange,
  TierChange
} from '../../../people/schemas.ts'

const Health = Type.Object({ status: Text, subsystems: Type.Record(Text, Type.Object({ status: Text, detail: Text })) })

const person = 'The person is as before'
const key = 'The key is as before'
const entry = 'The entry is as before'

const forms = {
  role: defineForm({ title: person, fields: RoleChange, done: 'The role is changed.' }),
  suspension: defineForm({
    title: person,
    fields: SuspensionChange,
    done: 'Done. The table of people has a button that undoes it.'
  }),
  key_tier: defineForm({ title: key, fields: TierChange, done: 'The key has another tier.' }),
  key_hunt: defineForm({ title: key, fields: Change, done: 'The key is changed.' }),
  revoke_key: defineForm({ title: key, fields: Revocation, done: 'The key is revoked.' }),
  approve_organisation: defineForm({
    title: entry,
    fields: closed({ version: EntryVersion }),
    done: 'The entry is approved.'
  }),
  remove_organisation: defineForm({
    title: entry,
    fields: closed({ reason: Type.String({ maxLength: 300 }) }),
    done: 'The entry is removed.'
  }),
  decide_report: defineForm({
    title: 'The report was not decided',
    fields: ReportDecision,
    done: 'The report is decided.'
  }),
  signal: defineForm({ title: 'No signal was set', fields: SignalRequest, done: 'The signal is set.' }),
  resolve_signal: defineForm({ title: 'The signal is as before', done: 'The signal is resolved.' })
}

export default definePage({
  shows: { you: Type.Object({ username: Text }), accounts: AccountsOverview, desk: Desk },
  besides: { health: Health, names: GameNames },
  forms,
  view: ({
    shown: {
      you: { username: you },
      accounts,
      desk
    },
    beside: { health, names },
    formToken: token
  }) => {
    const entries = accounts.organisations.filter(({ approved_at: at }) => at === null).length
    const [approvals, payments, decisions] = (['approval', 'payment', 'a decision'] as const).map(
      what => desk.auctions.filter(({ waits }) => waits === what).length
    )
    return {
      title: 'For operators',
      main: (
        <>
          <p>
            What is done here can be done with a command as well: <code>pantry people</code>, <code>keys</code>,{' '}
            <code>organisations</code>, <code>market</code>, <code>reports</code>, <code>hunt</code>, <code>inbox</code>
            , <code>import</code>. New people and one-time codes are given at the machine alone.
          </p>
          <h2>To do</h2>
          <Facts
            of={{
              Consignments: <a href="#approvals">{approvals}</a>,
              'Entries of the directory': <a href="#approvals">{entries}</a>,
              Reports: <a href="#reports">{desk.reports.length}</a>,
              Payments: <a href="#payments">{payments}</a>,
              Disputes: <a href="#disputes">{decisions}</a>,
              'Cases of the hunt': <a href="/account/hunt">{desk.cases}</a>,
              'Letters in the inbox': <a href="/account/inbox">{desk.inbox}</a>
            }}
          />
          <h2 id="approvals">Approvals</h2>
          <WaitingConsignments desk={desk} token={token} />
          <OrganisationTable of={accounts} games={tokens => gameNamesOf(names.data, tokens)} you={you} token={token} />
          <h2 id="reports">Reports</h2>
          <WaitingReports desk={desk} token={token} />
          <h2 id="payments">Payments</h2>
          <WaitingPayments desk={desk} token={token} />
          <h2 id="disputes">Disputes and fraud</h2>
          <WaitingDisputes desk={desk} token={token} />
          <Signals desk={desk} you={you} token={token} />
          <h2 id="people">People</h2>
          <PeopleTable of={accounts} you={you} token={token} />
          <h2 id="keys">Keys</h2>
          <KeyTable of={accounts} token={token} />
          <h2 id="imports">Imports</h2>
          <p>
            The page of each source shows its last run: <a href="/sources">sources</a>.
          </p>
          <LeftOutTable of={desk.left_out} />
          <h2 id="health">Health</h2>
          {health.data === undefined ? (
            <p>{health.reason}</p>
          ) : (
            <Facts
              of={Object.fromEntries(
                Object.entries(health.data.subsystems).map(([name, { status, detail }]) => [
                  name,
                  `${status}: ${detail}`
                ])
              )}
            />
          )}
          <h2 id="audit">What was done</h2>
          <ActTable of={accounts} />
        </>
      )
    }
  }
})
