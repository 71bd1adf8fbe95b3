import { definePage, Table } from 'pantry/page'
import { OrganisationTable } from '../../../accounts/page/organisations.tsx'
import { AccountsOverview } from '../../../accounts/schemas.ts'

export default definePage({
  shows: { accounts: AccountsOverview },
  view: ({ shown: { accounts: { people, keys, acts, organisations } }, formToken }) => ({
    title: 'For operators',
    main: (
      <>
        <p>Every act here exists as a command: <code>pantry people --help</code>, <code>pantry keys --help</code>. The state of the service is under <a href="/api/v1/health">health (JSON)</a>, its sources under <a href="/sources">sources</a>. What waits for you: <a href="/account/hunt">cases to review</a> and <a href="/account/inbox">reports to answer</a>.</p>
        <h2>People</h2>
        <Table caption="People by name" rows={people} columns={[
          { head: 'Username', cell: ({ username }) => username },
          { head: 'Roles', cell: ({ roles }) => roles.join(', ') || 'none' },
          { head: 'Since', cell: ({ created_at: at }) => at.slice(0, 10) },
          { head: 'State', cell: ({ suspended_at: at }) => at === null ? 'may sign in' : `suspended on ${at.slice(0, 10)}` }
        ]} />
        <h2>Keys</h2>
        <Table caption="Keys, the newest first" rows={keys} none="There is no key." columns={[
          { head: 'Name', cell: ({ name, contact }) => <>{name}<br /><small>{contact}</small></> },
          { head: 'Kind', cell: ({ kind }) => kind },
          { head: 'Whose', cell: ({ person }) => people.find(({ id }) => id === person)?.username ?? 'the operator\'s own' },
          { head: 'Tier', cell: ({ tier }) => tier },
          { head: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
          { head: 'Last used', cell: ({ last_used_on: day }) => day ?? 'never' },
          { head: 'State', cell: ({ revoked_at: at }) => at === null ? 'holds' : `revoked on ${at.slice(0, 10)}` }
        ]} />
        <h2>Organisations</h2>
        <OrganisationTable organisations={organisations} people={people} token={formToken} />
        <h2>What was done</h2>
        <Table caption="The last acts, the newest first" rows={acts} none="Nothing was done yet." columns={[
          { head: 'When', cell: ({ at }) => `${at.slice(0, 16).replace('T', ' ')} UTC` },
          { head: 'Who', cell: ({ actor }) => people.find(({ id }) => id === actor)?.username ?? actor },
          { head: 'What', cell: ({ act }) => act },
          { head: 'To', cell: ({ subject }) => people.find(({ id }) => id === subject)?.username ?? subject }
        ]} />
      </>
    )
  })
})
