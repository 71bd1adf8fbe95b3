import type { DataOf } from 'pantry/data'
import type { VNode } from 'pantry/page'
import type { ListName, Lists } from '../people/collector-schemas.ts'
import { SessionForm } from '../people/page/forms.tsx'
import { AskedCard } from './card-face.tsx'

const presses: Readonly<Record<ListName, string>> = { have: 'I have it', want: 'I look for it' }

type OneCardProps = Readonly<{
  sku: string
  /** The list that it is to go on; without one there is a button for each. */
  asked: ListName | undefined
  lists: DataOf<typeof Lists>
  token: string
}>

/** One card that somebody came with: how many are on their lists, and a button that puts one more on a list. */
export const OneCard = ({ sku, asked, lists, token }: OneCardProps): VNode => {
  const on = (list: ListName) => lists[list].find(card => card.sku === sku)
  const { have, want } = { have: on('have')?.quantity ?? 0, want: on('want')?.quantity ?? 0 }
  return (
    <section>
      <AskedCard sku={sku} name={(on('have') ?? on('want'))?.name ?? undefined} />
      <p>
        On your lists: you have {have}, and look for {want}.
      </p>
      {(asked === undefined ? (['have', 'want'] as const) : [asked]).map(list => (
        <SessionForm action="/account/cards" token={token} button={presses[list]}>
          <input type="hidden" name="list" value={list} />
          <input type="hidden" name="text" value={sku} />
        </SessionForm>
      ))}
    </section>
  )
}
