import { definePage, Type } from 'pantry/page'
import { Explained, Surface } from '../../pages/explained.tsx'

export default definePage({
  shows: { surface: Surface },
  besides: { answer: Type.Unknown() },
  view: ({ shown: { surface }, beside: { answer }, path }) => ({
    title: surface.summary,
    scripts: ['copy.js', 'run.js'],
    main: (
      <Explained
        surface={surface}
        path={path}
        answered={surface.request.url === null ? undefined : { method: 'GET', url: surface.request.url, answer }}
      />
    )
  })
})
