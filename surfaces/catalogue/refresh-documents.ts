import { hashCanonical } from 'pantry/data'
import type { Database, Transaction } from 'pantry/database'
import type { SetFacts } from './facts.ts'
import { cardItem, setContentHash } from './set-document.ts'
import { listAllCards, listMissingCards } from './list-cards.ts'
import { recordRewritten } from './record-changes.ts'
import { markChanged, takeTurn } from './write-turn.ts'
import { cardText } from './card-text.ts'
import { cardFieldNames, sampleCard, type CardFacts } from './card-fields.ts'

/**
 * A hash of the form of stored documents. When the form changes, every snapshot gets a new digest and is imported
 * again.
 */
const sample = cardText(sampleCard('example'))
export const documentForm = hashCanonical([
  sample.digest,
  cardItem({ ...sampleCard('example'), content_hash: sample.contentHash })
])

const batchSize = 2000

/** SQL that selects the last successful run of each source. */
const latest =
  "select distinct on (source) id, source, document_form from runs where status = 'succeeded' order by source, id desc"

/** Recomputes the content hashes of all sets, which is cheap because each covers few facts. */
async function refreshSets(transaction: Transaction): Promise<void> {
  const { rows: sets } = await transaction.raw<{ rows: (SetFacts & { id: number })[] }>(
    'select id, game, code as set_code, name, released_on, declared_total, card_count from sets'
  )
  await transaction.raw(
    'update sets s set content_hash = n.content_hash from unnest(?::int[], ?::text[]) as n(id, content_hash) where s.id = n.id and s.content_hash <> n.content_hash',
    [sets.map(({ id }) => id), sets.map(setContentHash)]
  )
}

/**
 * Rewrites documents and set hashes that an earlier version of the service stored, from the facts in the same rows;
 * `form` identifies the current form. This is needed because the files of a source may be missing when a new version
 * starts, so that no import could do it. Runs in one transaction and returns the number of documents that differed.
 */
export async function refreshDocuments(
  { bulk }: Pick<Database, 'bulk'>,
  form: string,
  report: (done: number) => void = () => undefined
): Promise<number> {
  return await bulk.transaction(async transaction => {
    await takeTurn(transaction)
    const { rows: old } = await transaction.raw<{ rows: { id: number; source: string }[] }>(
      `select id, source from (${latest}) l where document_form is distinct from ?`,
      [form]
    )
    if (old.length === 0) {
      await listMissingCards(transaction)
      return 0
    }
    await markChanged(transaction)
    let written = 0
    for (let after = '', done = 0, size = batchSize; size === batchSize; done += size) {
      report(done)
      const { rows: cards } = await transaction.raw<{ rows: CardFacts[] }>(
        `
        select ${cardFieldNames.join(', ')}
        from cards where sources && ?::text[] and sku collate "C" > ? order by sku collate "C" limit ${batchSize}`,
        [old.map(({ source }) => source), after]
      )
      size = cards.length
      after = cards.at(-1)?.sku ?? after
      const made = cards.map(card => cardText(card))
      await recordRewritten(
        transaction,
        cards.map(({ sku }) => sku),
        made.map(({ contentHash }) => contentHash)
      )
      const { rowCount } = await transaction.raw<{ rowCount: number }>(
        `
        update cards c set content_hash = n.content_hash, document = n.document, digest = n.digest, updated_at = now()
        from unnest(?::text[], ?::text[], ?::text[], ?::text[]) as n(sku, content_hash, document, digest)
        where c.sku = n.sku and c.digest <> n.digest`,
        [
          cards.map(({ sku }) => sku),
          made.map(({ contentHash }) => contentHash),
          made.map(({ document }) => document),
          made.map(({ digest }) => digest)
        ]
      )
      written += rowCount
    }
    await refreshSets(transaction)
    await listAllCards(transaction)
    await transaction.raw('update runs set document_form = ? where id = any(?::bigint[])', [
      form,
      old.map(({ id }) => id)
    ])
    return written
  })
}
