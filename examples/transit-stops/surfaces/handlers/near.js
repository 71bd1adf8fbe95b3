// @ts-check
import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../services.js'

const Near = Type.Object(
  {
    stop_id: Type.String(),
    stop_name: Type.String(),
    stop_lat: Type.Number(),
    stop_lon: Type.Number(),
    metres: Type.Integer({ description: 'As the crow flies.' })
  },
  { additionalProperties: false }
)

/** The haversine formula, with the mean radius of the earth. */
const nearest = `
  select stop_id, stop_name, stop_lat, stop_lon, round(2 * 6371008.8 * asin(sqrt(
    sin(radians(stop_lat - :lat) / 2) ^ 2
    + cos(radians(:lat)) * cos(radians(stop_lat)) * sin(radians(stop_lon - :lon) / 2) ^ 2
  )))::integer as metres
  from stops where location_type = 1 order by metres, stop_id limit 10`

export default defineHandler({
  query: Type.Object({
    lat: Type.Number({ minimum: 52, maximum: 53, description: 'Latitude (WGS 84).' }),
    lon: Type.Number({ minimum: 13, maximum: 14, description: 'Longitude (WGS 84).' })
  }),
  reply: Type.Object({ stops: Type.Array(Near) }, { additionalProperties: false }),
  handle: async ({ query: { lat, lon } }, { database }) => {
    const { rows } = await database.reading.raw(nearest, { lat, lon })
    return reply({ stops: rows })
  }
})
