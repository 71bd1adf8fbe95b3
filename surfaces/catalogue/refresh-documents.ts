import type { Database, Transaction } from 'pantry/database'
import type { SetFacts } from './facts.ts'
import { setContentHash } from './set-document.ts'
import { listAllCards, listMissingCards } from './list-cards.ts'
import { recordRewritten } from './record-changes.ts'
import { markChanged, takeTurn } from './write-turn.ts'
import { cardText } from './card-text.ts'
import { cardFieldNames, type CardFacts } from './card-fields.ts'

const batchSize = 2000

/** The last succeeded run of each source. */
const latest =
  "select distinct on (source) id, source, document_form from runs where status = 'succeeded' order by source, id desc"

/** Hashes of sets are made of few facts and are as many as the sets: all are made again. */
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
 * Rewrites stored documents, and hashes of sets, of an earlier version of the service from the facts beside them;
 * `form` identifies the present form. An import does this for its own source, but the files of a source need not be
 * there when a new version starts. One transaction; answers how many documents differed.
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
