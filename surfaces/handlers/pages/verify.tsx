import { definePage, Type } from 'pantry/page'
import { ReceiptProofs } from '../../proofs/proofs.ts'
import { Newest, ReceiptSheet } from '../../proofs/receipt-sheet.tsx'

export default definePage({
  query: Type.Object({ id: Type.Optional(Type.String({ maxLength: 60 })) }),
  besides: { found: ReceiptProofs },
  view: ({
    beside: {
      found: { data, reason }
    },
    query: { id },
    pathTo
  }) => ({
    title: 'Check a draw',
    scripts: ['verify.js'],
    main: (
      <>
        <p class="lead">
          A practice booster is drawn by a seed of the service, which committed itself to it before, and a seed of
          yours. Its receipt lets everyone compute it again.
        </p>
        <form class="search" action={pathTo('pages/verify')}>
          <label>
            Id of the draw{' '}
            <input
              type="text"
              name="id"
              value={id ?? ''}
              maxLength={60}
              autocomplete="off"
              spellcheck={false}
              required
            />
          </label>
          <button type="submit">Check</button>
        </form>
        {data === undefined && (
          <p class="mistake">
            <strong>{reason}</strong>
          </p>
        )}
        {id === undefined ? (
          <Newest of={data?.receipts ?? []} page={pathTo('pages/verify')} />
        ) : (
          data?.receipts.map(one => (
            <ReceiptSheet
              of={one}
              paths={{
                proof: pathTo('proofs/receipt', { id }),
                rates: pathTo('proofs/rates', { digest: one.receipt.rates_digest }),
                keys: pathTo('proofs/keys')
              }}
            />
          ))
        )}
        <h2>The whole service</h2>
        <p>
          All receipts are the leaves of one tree, whose root is signed again with each batch:{' '}
          <a href={pathTo('proofs/chain')}>the chain as JSON</a>,{' '}
          <a href={pathTo('proofs/fairness')}>draws beside their rates as JSON</a>,{' '}
          <a href={pathTo('proofs/health')}>what the service finds when it computes everything again, as JSON</a>.{' '}
          <code>pantry verify</code> checks all of it from your own machine.
        </p>
      </>
    )
  })
})
