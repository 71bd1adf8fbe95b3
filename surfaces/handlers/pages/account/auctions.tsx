import { defineForm, definePage, Type } from 'pantry/page'
import { SkuText } from '../../../cards/card-answers.ts'
import { AuctionTable } from '../../../market/page/auction.tsx'
import { DraftFields, DraftForm, draftOf } from '../../../market/page/draft.tsx'
import { ActedShown, AuctionList } from '../../../market/views.ts'
import { AskedCard } from '../../../pages/card-face.tsx'
import { signInFirst, withQuery } from '../../../people/page/sign-in.tsx'
import { Account, Ways } from '../../../people/schemas.ts'

const draft = defineForm({
  title: 'The draft was not saved',
  done: 'The draft is saved. Only you see it until you submit it.',
  fields: DraftFields,
  reply: ActedShown,
  toBody: draftOf,
  view: ({ sent: { data }, pathTo }) => data && { seeOther: pathTo('pages/auctions/auction', { id: data.auction_id }) }
})

export default definePage({
  query: Type.Object({ sku: Type.Optional(SkuText) }),
  shows: { list: AuctionList },
  besides: { account: Account, ways: Ways },
  forms: { draft },
  view: ({ shown: { list }, beside: { account, ways }, query: { sku }, formToken, path }) => {
    if (account.data === undefined)
      return signInFirst({
        by: 'account',
        answer: account,
        ways,
        token: formToken,
        next: withQuery('/account/auctions', { sku })
      })
    const { auctions, total, server_time: now } = list
    const form = (
      <DraftForm
        action={path}
        token={formToken}
        button="Save the draft"
        keyText={`draft_${now}`}
        of={sku === undefined ? {} : { sku }}
      />
    )
    return {
      title: sku === undefined ? 'Your auctions' : 'Sell a card',
      main: (
        <>
          {sku !== undefined && (
            <>
              <AskedCard sku={sku} />
              {form}
              <h2>Your auctions</h2>
            </>
          )}
          <p class="lead">What you sell, have won or bid on. Only you see a draft until you submit it on its page.</p>
          <AuctionTable
            auctions={auctions}
            now={now}
            caption={`Your auctions: ${total}`}
            none="You have no auctions yet."
          />
          {sku === undefined && (
            <>
              <h2>A new draft</h2>
              {form}
            </>
          )}
        </>
      )
    }
  }
})
