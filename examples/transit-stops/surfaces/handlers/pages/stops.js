// @ts-check
import { definePage, h, Type } from 'pantry/page'

const Stop = Type.Object({ stop_id: Type.String(), stop_name: Type.String() })

export default definePage({
  shows: { found: Type.Object({ stops: Type.Array(Stop) }) },
  view: ({ shown: { found } }) => ({
    title: 'Stations',
    main: h(
      'ul',
      null,
      found.stops.map(({ stop_id, stop_name }) =>
        h('li', null, h('a', { href: `/stops/${encodeURIComponent(stop_id)}` }, stop_name))
      )
    )
  })
})
