import { onceFor } from '../canonical/once-for.ts'
import type { Site } from '../format/format.ts'
import type { Registry } from '../registry/registry.ts'

/** Returns what all pages of a registry have in common. */
export const siteOf = onceFor(({ service, surfaces, assets }: Registry): Site => {
  const folder = surfaces.find(({ serves }) => serves === 'assets')?.route.path
  const menu = surfaces
    .flatMap(({ page, route }) => (page?.menu === undefined ? [] : [{ ...page.menu, path: route.path }]))
    .sort((a, b) => a.place - b.place)
  const home =
    surfaces.find(({ route, formats }) => route.path === '/' && formats[0] === 'html') ??
    surfaces.find(({ serves }) => serves === 'root')
  return {
    name: service.name,
    summary: service.summary,
    home: home?.route.path ?? '/',
    menu: menu.map(({ label, path }) => ({ label, path })),
    asset: name => {
      const asset = assets.get(name)
      return folder === undefined || asset === undefined ? undefined : folder.replace(/\{\w+\}/, asset.file)
    }
  }
})
