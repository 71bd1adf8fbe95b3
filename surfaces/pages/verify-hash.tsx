import type { VNode } from 'pantry/page'

type Hashes = Readonly<{ sku: string; contentHash: string }>

/**
 * The hashes of a card's document. The script `verify.js` computes them in the browser; without it the text explains
 * how.
 */
export const VerifyHash = ({ sku, contentHash }: Hashes): VNode => (
  <section
    class="verify"
    data-document={`/api/v1/universal/card/${encodeURIComponent(sku)}`}
    data-recipes="/api/v1/universal/encoding"
    data-kind="card"
    data-hash={contentHash}
  >
    <p>
      Two readers who hash the same card get the same result, so nobody has to trust this page. The content hash names
      the card by its SKU, number, set, game and variant. Each document also carries a hash of its whole self,{' '}
      <code>@self_hash</code>; it changes with the moment of the answer.
    </p>
    <dl class="facts">
      <dt>Content hash</dt>
      <dd class="hash">{contentHash}</dd>
    </dl>
    <p>
      <button type="button" hidden>
        Verify in this browser
      </button>{' '}
      <output aria-live="polite" />
    </p>
    <p>
      By hand: take the document, write it in the canonical form of RFC 8785 and hash it with SHA-256.{' '}
      <a href="/guides/verify-a-hash">The guide goes through it step by step.</a>
    </p>
  </section>
)
