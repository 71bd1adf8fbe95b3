import { Facts, Table, type VNode } from 'pantry/page'
import type { DataOf } from 'pantry/data'
import type { ReceiptProof } from './proofs.ts'

type Proof = DataOf<typeof ReceiptProof>

/** What each check says. The script `verify.js` replaces the results beside these texts by those of the browser. */
const checked = {
  commitment: 'The seed of the service is the one that it committed itself to',
  result: 'The result follows from both seeds by the rates',
  inclusion: 'The receipt is in the signed tree',
  signature: 'The head of the tree is signed'
} as const

const hash = (text: string): VNode => <span class="hash">{text}</span>

const outcome = (holds: boolean | null): VNode | string =>
  holds === null ? 'not yet: it waits to be put into the tree' : holds ? 'holds' : <strong>does not hold</strong>

/** A receipt with the checks of the service. A script shows the button, which repeats them in the browser. */
export const ReceiptSheet = ({
  of: { receipt, leaf_hash: leaf, leaf_index: index, batch, signed, checks },
  paths
}: Readonly<{ of: Proof; paths: Readonly<{ proof: string; rates: string; keys: string }> }>): VNode => (
  <section class="verify-receipt" data-proof={paths.proof} data-rates={paths.rates} data-keys={paths.keys}>
    <h2>A booster of {receipt.set}</h2>
    <p class="lead">
      {receipt.result.pack}: {receipt.result.rarities.join(', ')}
    </p>
    <dl class="facts">
      {Object.entries(checked).map(([name, words]) => (
        <>
          <dt>{words}</dt>
          <dd data-check={name}>{outcome(checks[name as keyof typeof checked])}</dd>
        </>
      ))}
    </dl>
    <p>
      <button type="button" hidden>
        Compute it in this browser
      </button>{' '}
      <output aria-live="polite">The service computed this just now.</output>
    </p>
    <h3>The receipt</h3>
    <Facts
      of={{
        Begun: receipt.begun_at,
        Opened: receipt.opened_at,
        Number: receipt.nonce,
        Commitment: hash(receipt.commitment),
        'Seed of the service': hash(receipt.server_seed),
        'Seed of the client': hash(receipt.client_seed),
        'Digest of the rates': hash(receipt.rates_digest),
        'Hash of the leaf': hash(leaf),
        'Place in the tree': index,
        Batch: batch,
        Root: signed === null ? null : hash(signed.head.root)
      }}
    />
    <p>
      <a href={paths.proof}>The receipt with its proof, as JSON</a>
    </p>
  </section>
)

export const Newest = ({ of, page }: Readonly<{ of: readonly Proof[]; page: string }>): VNode => (
  <Table
    caption="The newest draws"
    none="Nobody has opened a draw yet."
    rows={of}
    columns={[
      {
        head: 'Opened',
        cell: ({ receipt: { id, opened_at: at } }) => (
          <a href={`${page}?id=${id}`}>{at.slice(0, 16).replace('T', ' ')} UTC</a>
        )
      },
      { head: 'Set', cell: ({ receipt }) => receipt.set },
      { head: 'Drawn', cell: ({ receipt: { result } }) => `${result.pack}: ${result.rarities.join(', ')}` }
    ]}
  />
)
