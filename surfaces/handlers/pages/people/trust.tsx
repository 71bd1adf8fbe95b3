import { definePage, Type } from 'pantry/page'
import { TrustSheet } from '../../../market/page/trust.tsx'
import { TrustShown, Username } from '../../../market/trust.ts'
import { ReportForm } from '../../../people/page/forms.tsx'

export default definePage({
  params: Type.Object({ username: Username }),
  shows: { trust: TrustShown },
  view: ({ shown: { trust }, formToken, path }) => ({
    title: `Trust in ${trust.username}`,
    main: (
      <TrustSheet
        of={trust}
        report={review => <ReportForm kind="review" of={review} token={formToken} what="this review" at={path} />}
      />
    )
  })
})
