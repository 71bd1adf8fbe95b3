// @ts-check
import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../services.js'

const Call = Type.Object(
  { stop_id: Type.String(), stop_name: Type.String(), stop_lat: Type.Number(), stop_lon: Type.Number() },
  { additionalProperties: false }
)

export default defineHandler({
  params: Type.Object({ route_id: Type.String({ maxLength: 20, description: 'Key of the line.' }) }),
  reply: Type.Object({ line: Type.String(), stops: Type.Array(Call) }, { additionalProperties: false }),
  handle: async ({ params: { route_id } }, { database }) => {
    const line = await database.reading('routes').where({ route_id }).first('route_short_name')
    if (line === undefined) throw notFound('line', route_id)
    const stops = await database
      .reading('route_stops')
      .join('stops', 'stops.stop_id', 'route_stops.stop_id')
      .where({ route_id })
      .orderBy('stop_sequence')
      .select('stops.stop_id', 'stop_name', 'stop_lat', 'stop_lon')
    return reply({ line: line.route_short_name, stops })
  }
})
