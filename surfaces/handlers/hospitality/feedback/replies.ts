import { closed, reply, Text, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { PublicReply } from '../../../playful/inbox.ts'

/**
 * Returns the public replies to reports, with the consent of the senders. The text of a report is not shown, and its
 * subject only by a name that the service itself uses.
 */
export default defineHandler({
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many replies at most.' })
    )
  }),
  corpora: { guides: Type.Object({ slug: Text }) },
  reply: closed({ '@kind': Type.Literal('feedback-replies'), replies: Type.Array(PublicReply) }),
  async handle({ query: { limit = 20 }, corpora: { guides }, pathTo }, { inbox }) {
    const replies = await inbox.replies(limit)
    return reply({
      '@kind': 'feedback-replies',
      replies: replies.map(({ endpoint, guide_slug: slug, ...one }) => {
        const guide = guides.entries.find(entry => entry.slug === slug)
        const about =
          guide === undefined
            ? pathTo.at(endpoint?.split(/[?#]/)[0] ?? '')
            : pathTo('hospitality/guide', { slug: guide.slug })
        return { ...one, about: about ?? null }
      })
    })
  }
})
