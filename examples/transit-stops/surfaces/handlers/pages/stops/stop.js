// @ts-check
import { definePage, Facts, h, Type } from 'pantry/page'

const Stop = Type.Object({
  stop_id: Type.String(),
  stop_name: Type.String(),
  stop_lat: Type.Number(),
  stop_lon: Type.Number()
})

/** @param {{ stop_id: string, stop_name: string }} stop */
const link = ({ stop_id, stop_name }) => h('a', { href: `/stops/${encodeURIComponent(stop_id)}` }, stop_name)

export default definePage({
  shows: { stop: Type.Object({ stop: Stop }) },
  besides: { station: Type.Object({ stop: Stop }), platforms: Type.Object({ stops: Type.Array(Stop) }) },
  view: ({ shown: { stop }, beside: { station, platforms } }) => ({
    title: stop.stop.stop_name,
    main: Facts({
      of: {
        Latitude: stop.stop.stop_lat,
        Longitude: stop.stop.stop_lon,
        Station: station.data !== undefined && link(station.data.stop),
        Platforms: platforms.data !== undefined && platforms.data.stops.length > 0 && platforms.data.stops.length
      }
    })
  })
})
