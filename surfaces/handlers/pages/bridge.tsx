import { definePage, Type } from 'pantry/page'
import { Bridge } from '../../people/collector-schemas.ts'
import { BridgeView } from '../../people/page/organisations.tsx'

export default definePage({
  query: Type.Object({
    a: Type.Optional(Type.String({ maxLength: 90, description: 'One party: `u:<username>` or `c:<slug>`.' })),
    b: Type.Optional(Type.String({ maxLength: 90, description: 'The other one.' }))
  }),
  besides: { bridge: Bridge },
  view: ({
    query: { a = '', b = '' },
    beside: {
      bridge: { data, status, reason }
    }
  }) => ({
    title: 'Bridge',
    main: (
      <>
        <p class="lead">
          What two collectors, or a collector and a collective, have in common: of what both have agreed to publish, and
          nothing else.
        </p>
        <form method="get" action="/bridge">
          {[
            { name: 'a', label: 'One', value: a },
            { name: 'b', label: 'The other', value: b }
          ].map(({ name, label, value }) => (
            <>
              <label for={name}>{label}</label>
              <input
                type="text"
                id={name}
                name={name}
                required
                maxLength={90}
                value={value}
                aria-describedby="form-hint"
                autocapitalize="none"
                spellcheck={false}
              />
            </>
          ))}
          <small id="form-hint">
            Write <code>u:</code> and a username, or <code>c:</code> and the short name of a collective.
          </small>
          <button type="submit">Compare</button>
        </form>
        {a !== '' && b !== '' && data === undefined && status >= 400 && (
          <p class="mistake" role="alert">
            <strong>
              {status === 400
                ? 'Each of the two is u: and a username, or c: and the short name of a collective, in lower case.'
                : reason}
            </strong>
          </p>
        )}
        {data !== undefined && <BridgeView bridge={data} />}
        <p>
          What you publish, you say under <a href="/account">your account</a>.
        </p>
      </>
    )
  })
})
