import { definePage, Table } from 'pantry/page'
import { Notice } from '../../people/schemas.ts'

export default definePage({
  shows: { notice: Notice },
  view: ({
    shown: {
      notice: { version, title, operator, readers, tables, publications, rights }
    }
  }) => ({
    title,
    main: (
      <>
        <p class="lead">{readers}</p>
        <p>
          This notice holds since <time dateTime={version}>{version}</time>. Whoever runs this service answers for it:{' '}
          <a href={`mailto:${operator}`}>{operator}</a>.
        </p>
        <h2>What is kept of people with an account</h2>
        {tables.map(({ table, kept, columns }) => (
          <section>
            <h3>
              <code>{table}</code>
            </h3>
            <p>Kept: {kept}</p>
            <Table
              caption={`What ${table} holds, and what it is for`}
              rows={columns}
              columns={[
                { head: 'What', cell: ({ column }) => <code>{column}</code> },
                { head: 'For', cell: ({ purpose }) => purpose }
              ]}
            />
          </section>
        ))}
        <h2>What may be public</h2>
        <p>Nothing of yours is public without a receipt that you give, and can end at any time.</p>
        <Table
          caption="What you may agree to"
          rows={publications}
          columns={[
            { head: 'What', cell: ({ scope }) => scope.replaceAll('-', ' ') },
            { head: 'What it means', cell: ({ meaning }) => meaning }
          ]}
        />
        <h2>What you can do</h2>
        <ul>
          {rights.map(right => (
            <li>{right}</li>
          ))}
        </ul>
      </>
    )
  })
})
